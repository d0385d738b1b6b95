import { Controller } from '@nestjs/common';
import { DirectoryLogins, PasswordChanges } from '../../identity/identity.api';
import { PersonalPage } from '../pages/page';
import { type PageAnswer, redirect } from '../pages/page-answer';
import { type PersonalVisit, visitor } from '../pages/visit';
import { changePasswordPage, directoryPasswordPage } from './change-password.page';
import { passwordProblems } from './password-fields';

@Controller()
export class ChangePasswordController {
  constructor(
    private readonly changes: PasswordChanges,
    private readonly directories: DirectoryLogins,
  ) {}

  @PersonalPage('GET /-/profile/password/edit', { withExpiredPassword: true })
  async form(visit: PersonalVisit): Promise<PageAnswer> {
    const isForeign = await this.directories.ownsPasswordOf(visitor(visit).id);
    return isForeign ? directoryPasswordPage(visit) : changePasswordPage(visit);
  }

  @PersonalPage('POST /-/profile/password/edit', { withExpiredPassword: true })
  async change(visit: PersonalVisit): Promise<PageAnswer> {
    if (await this.directories.ownsPasswordOf(visitor(visit).id)) return directoryPasswordPage(visit);
    const user = visit.form.inside('user');
    const wanted = {
      current: user.text('current_password'),
      password: user.text('password'),
      confirmation: user.text('password_confirmation'),
    };
    try {
      const started = await this.changes.change(visitor(visit), wanted, visit.clientAddress);
      return redirect('/?notice=password_changed', { started, remember: false });
    } catch (error) {
      return changePasswordPage(visit, passwordProblems(error));
    }
  }
}
