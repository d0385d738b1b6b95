import { Controller } from '@nestjs/common';
import { invalid } from '#libs/errors';
import { MailRequests, PasswordResets } from '../../identity/identity.api';
import { PublicPage } from '../pages/page';
import { type PageAnswer, redirect } from '../pages/page-answer';
import type { Visit } from '../pages/visit';
import { emailProblems } from './email-field';
import { passwordProblems } from './password-fields';
import { askResetPage, expiredResetPage, resetPage } from './reset-password.page';

@Controller()
export class ResetPasswordController {
  constructor(
    private readonly resets: PasswordResets,
    private readonly requests: MailRequests,
  ) {}

  @PublicPage('GET /users/password/new')
  ask(visit: Visit): PageAnswer {
    return askResetPage(visit);
  }

  @PublicPage('POST /users/password')
  async send(visit: Visit): Promise<PageAnswer> {
    const email = visit.form.inside('user').text('email').trim();
    const problems = emailProblems(email);
    if (problems.length > 0) return askResetPage(visit, problems);
    await this.requests.request('password', email, visit.clientAddress);
    return redirect('/users/sign_in?notice=reset_sent');
  }

  @PublicPage('GET /users/password/edit')
  async choose(visit: Visit): Promise<PageAnswer> {
    const token = visit.form.text('reset_password_token');
    return (await this.resets.isOpen(token)) ? resetPage(visit, token) : expiredResetPage(visit);
  }

  @PublicPage('POST /users/password/edit')
  async redeem(visit: Visit): Promise<PageAnswer> {
    const user = visit.form.inside('user');
    const token = user.text('reset_password_token');
    if (!(await this.resets.isOpen(token))) return expiredResetPage(visit);
    const password = user.text('password');
    try {
      if (password !== user.text('password_confirmation')) throw invalid(DIFFERENT);
      if (!(await this.resets.redeem(token, password))) return expiredResetPage(visit);
    } catch (error) {
      return resetPage(visit, token, passwordProblems(error));
    }
    return redirect('/users/sign_in?notice=password_reset', 'ended');
  }
}

const DIFFERENT = { password_confirmation: ["doesn't match the password"] };
