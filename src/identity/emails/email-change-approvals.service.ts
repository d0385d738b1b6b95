import { Database } from '#libs/database';
import { Mailer } from '#libs/mail';
import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { digestOf, looksLikeSecret, newSecret } from '../access-tokens/secrets';
import type { User } from '../users/user.entity';
import { UsersRepository } from '../users/users.repository';
import { EmailChangeApprovalsRepository } from './email-change-approvals.repository';
import { EmailConfirmations } from './email-confirmations.service';

/**
 * Changes of somebody's address that others ask for. An address is the way to a new password, so the person agrees by
 * the present one first; only then is the new one asked to confirm. Nobody else can take an account over like that.
 */
@Injectable()
export class EmailChangeApprovals {
  constructor(
    private readonly database: Database,
    private readonly approvals: EmailChangeApprovalsRepository,
    private readonly users: UsersRepository,
    private readonly confirmations: EmailConfirmations,
    private readonly mailer: Mailer,
    private readonly urls: Urls,
  ) {}

  /** Mails a link to the user's present address; once only while the same change waits. In the caller's transaction. */
  async ask({ id, username, email: present }: User, email: string): Promise<void> {
    const secret = newSecret();
    if (!(await this.approvals.note(id, email, digestOf(secret)))) return;
    const link = this.urls.web(`users/email_change?approval_token=${secret}`);
    await this.mailer.send({
      to: present,
      subject: 'Your email address is to be changed',
      text: textOf(username, link),
    });
  }

  /** Whether the token of a link still works. */
  async isOpen(token: string): Promise<boolean> {
    return looksLikeSecret(token) && (await this.approvals.isOpen(digestOf(token)));
  }

  /** The person agrees: the new address is asked for its confirmation. False where the link no longer works. */
  async approve(token: string): Promise<boolean> {
    if (!looksLikeSecret(token)) return false;
    return this.database.transaction(async () => {
      const asked = await this.approvals.redeem(digestOf(token));
      const user = asked && (await this.users.findForChange(asked.userId));
      if (!asked || !user) return false;
      await this.users.update(user.id, { unconfirmedEmail: asked.email });
      await this.confirmations.send(Object.assign(user, { unconfirmedEmail: asked.email }));
      return true;
    });
  }
}

/** Does not name the new address: it is what a stranger has entered. */
const textOf = (username: string, link: string): string =>
  [
    `The identity provider of a group wants to change the email address of your account ${username}.`,
    `If you agree, open this link; the new address is asked to confirm then:\n${link}`,
    'It works once, within a day. If you do not agree, nothing has to be done: your address stays as it is.',
    '',
  ].join('\n\n');
