import { Database } from '#libs/database';
import { Mailer } from '#libs/mail';
import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { digestOf, newSecret } from '../access-tokens/secrets';
import type { User } from '../users/user.entity';
import { resetMail } from './password-mails';
import { PasswordRows } from './password-rows.repository';
import { NewPasswords } from './new-passwords.service';

/** The way back for those who have forgotten their password, or never had one. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly database: Database,
    private readonly rows: PasswordRows,
    private readonly newPasswords: NewPasswords,
    private readonly mailer: Mailer,
    private readonly urls: Urls,
  ) {}

  /** Mails a link to choose a password, in the transaction of the caller. An earlier link no longer works. */
  async send(user: User): Promise<void> {
    const token = newSecret();
    await this.database.transaction(async () => {
      await this.rows.setReset(user.id, digestOf(token));
      await this.mailer.send(
        resetMail(user, this.urls.web(`users/password/edit?reset_password_token=${token}`)),
      );
    });
  }

  /** Whether the token of a link still works. */
  isOpen(token: string): Promise<boolean> {
    return this.rows.isResettable(digestOf(token));
  }

  /**
   * Sets the password by the token of a link, which works once; false where it no longer does. All sessions of the user
   * end. Throws `validation` for a password that will not do.
   */
  async redeem(token: string, password: string): Promise<boolean> {
    const digest = await this.newPasswords.digest(password);
    return this.database.transaction(async () => {
      const userId = await this.rows.redeem(digestOf(token), digest);
      if (userId !== null) await this.newPasswords.follow(userId);
      return userId !== null;
    });
  }
}
