import { Database } from '#libs/database';
import { JobHandler } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { EmailConfirmations } from '../emails/email-confirmations.service';
import { DirectoryLogins } from '../ldap/directory-logins';
import { PasswordResets } from '../passwords/password-resets.service';
import { PasswordRows } from '../passwords/password-rows.repository';
import { UsersRepository } from '../users/users.repository';
import { mailRequests, type MailRequest } from './mail-request.queue';

/** Sends what was asked for, if the address belongs to somebody. A second run finds that it was sent just now. */
@Injectable()
export class MailRequestJob extends JobHandler<MailRequest> {
  readonly queue = mailRequests;

  constructor(
    private readonly database: Database,
    private readonly rows: PasswordRows,
    private readonly users: UsersRepository,
    private readonly directories: DirectoryLogins,
    private readonly resets: PasswordResets,
    private readonly confirmations: EmailConfirmations,
  ) {
    super();
  }

  async run({ wanted, email }: MailRequest): Promise<void> {
    if (wanted === 'password') await this.sendReset(email);
    else await this.confirmations.resend(email);
  }

  /** A password that a directory keeps cannot be changed here. */
  private async sendReset(email: string): Promise<void> {
    await this.database.transaction(async () => {
      const userId = await this.rows.findForReset(email);
      const user = userId === null ? null : await this.users.find(userId);
      if (user && !(await this.directories.ownsPasswordOf(user.id))) await this.resets.send(user);
    });
  }
}
