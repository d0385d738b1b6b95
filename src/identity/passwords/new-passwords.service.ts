import { invalid } from '#libs/errors';
import { Mailer } from '#libs/mail';
import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { Sessions } from '../sessions/sessions.service';
import { passwordProblem } from '../users/new-account';
import { UsersRepository } from '../users/users.repository';
import { changedMail } from './password-mails';
import { Passwords } from './passwords';
import { SignInFailures } from './sign-in-failures.repository';

/** What every new password goes through, however it came to be. */
@Injectable()
export class NewPasswords {
  constructor(
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly failures: SignInFailures,
    private readonly users: UsersRepository,
    private readonly mailer: Mailer,
    private readonly urls: Urls,
  ) {}

  /** To be stored. Not in a transaction, see Passwords. Throws `validation` where it breaks the rules. */
  async digest(password: string): Promise<string> {
    const problem = passwordProblem(password);
    if (problem !== null) throw invalid({ password: [problem] });
    return this.passwords.hash(password);
  }

  /** In the transaction that stored it: whoever was signed in with the old one no longer is, and the user is told. */
  async follow(userId: number): Promise<void> {
    await this.sessions.endAll(userId);
    await this.failures.forget(`user ${userId}`);
    const user = await this.users.find(userId);
    if (user) await this.mailer.send(changedMail(user, this.urls.web('users/password/new')));
  }
}
