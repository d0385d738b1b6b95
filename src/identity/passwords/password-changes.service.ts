import { Database } from '#libs/database';
import { invalid } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { StartedSession } from '../sessions/session';
import { Sessions } from '../sessions/sessions.service';
import type { User } from '../users/user.entity';
import { NewPasswords } from './new-passwords.service';
import { PasswordLogins } from './password-logins';
import { PasswordRows } from './password-rows.repository';

export interface PasswordChange {
  readonly current: string;
  readonly password: string;
  readonly confirmation: string;
}

const WRONG = {
  invalid: 'is wrong',
  locked: 'cannot be checked: there were too many failures. Try again in ten minutes',
} as const;

/** People changing their own password. */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly database: Database,
    private readonly logins: PasswordLogins,
    private readonly rows: PasswordRows,
    private readonly newPasswords: NewPasswords,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Ends all sessions of the user and answers the one that takes the place of theirs.
   * Throws `validation` where the current password is wrong or the new one will not do.
   */
  async change(
    user: User,
    { current, password, confirmation }: PasswordChange,
    address: string,
  ): Promise<StartedSession> {
    if (password !== confirmation) throw invalid({ password_confirmation: ["doesn't match the password"] });
    const refused = await this.logins.confirm(user, current, address);
    if (refused) throw invalid({ current_password: [WRONG[refused]] });
    // Else being made to change it would mean nothing.
    if (password === current) throw invalid({ password: ['must differ from the current one'] });
    const digest = await this.newPasswords.digest(password);
    return this.database.transaction(async () => {
      await this.rows.set(user.id, digest);
      await this.newPasswords.follow(user.id);
      return this.sessions.goOn(user.id);
    });
  }
}
