import { Controller } from '@nestjs/common';
import { SESSION_COOKIE } from '#libs/http';
import { PasswordLogins, Sessions, type SignInOutcome } from '../../identity/identity.api';
import { localPath } from '../pages/local-path';
import { PublicPage } from '../pages/page';
import { type PageAnswer, redirect } from '../pages/page-answer';
import type { Visit } from '../pages/visit';
import { signInPage } from './sign-in.page';

type Refusal = Extract<SignInOutcome, { refused: unknown }>['refused'];

/** None of the first two tells whether there is an account; the others are for those who know its password. */
const REFUSALS: Readonly<Record<Refusal, string>> = {
  invalid: 'Invalid login or password.',
  locked: 'There were too many failed attempts. Try again in ten minutes.',
  blocked: 'Your account has been blocked. Please contact your administrator.',
  unconfirmed: 'You have to confirm your email address before continuing.',
};

@Controller()
export class SignInController {
  constructor(
    private readonly logins: PasswordLogins,
    private readonly sessions: Sessions,
  ) {}

  @PublicPage('GET /users/sign_in')
  form(visit: Visit): PageAnswer {
    return visit.session ? redirect(returnPath(visit) || '/') : signInPage(visit, returnPath(visit));
  }

  @PublicPage('POST /users/sign_in')
  async signIn(visit: Visit): Promise<PageAnswer> {
    const user = visit.form.inside('user');
    const login = user.text('login').trim();
    const outcome = await this.logins.signIn(login, user.text('password'), visit.clientAddress);
    if ('refused' in outcome) {
      const problem = { field: 'user_login', text: REFUSALS[outcome.refused] };
      return signInPage(visit, returnPath(visit), login, [problem]);
    }
    const started = await this.sessions.start(outcome.user);
    if (visit.session) await this.sessions.end(visit.cookie(SESSION_COOKIE));
    const session = { started, remember: user.isChecked('remember_me') };
    return redirect(returnPath(visit) || '/', session);
  }

  @PublicPage('POST /users/sign_out')
  async signOut(visit: Visit): Promise<PageAnswer> {
    await this.sessions.end(visit.cookie(SESSION_COOKIE));
    return redirect('/users/sign_in?notice=signed_out', 'ended');
  }
}

const returnPath = (visit: Visit): string => localPath(visit.form.text('return_to')) ?? '';
