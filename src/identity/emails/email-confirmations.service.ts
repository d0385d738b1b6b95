import { Database, uniqueViolation } from '#libs/database';
import { Mailer } from '#libs/mail';
import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { digestOf, looksLikeSecret, newSecret } from '../access-tokens/secrets';
import type { User } from '../users/user.entity';
import {
  ConfirmationsRepository,
  type AwaitedAddress,
  type ConfirmedAddress,
} from './confirmations.repository';

/** What became of a link: `invalid` for an unknown, used or old one, `taken` where somebody else has the address now. */
export type Confirmation =
  | ({ readonly outcome: 'confirmed' } & ConfirmedAddress)
  | { readonly outcome: 'invalid' }
  | { readonly outcome: 'taken' };

/**
 * Proofs that mail to an address reaches the user: a link with a secret that works once and for a day. Each mail
 * makes the links before it void, and so does another address.
 */
@Injectable()
export class EmailConfirmations {
  constructor(
    private readonly database: Database,
    private readonly repository: ConfirmationsRepository,
    private readonly mailer: Mailer,
    private readonly urls: Urls,
  ) {}

  /** Mails a link to the address that waits to become the primary one, else to the primary one itself. */
  send({ id, username, email, unconfirmedEmail }: User): Promise<void> {
    return this.mail({ kind: 'primary', id, username, email: unconfirmedEmail ?? email });
  }

  /** Mails a link to a new secondary address. */
  sendToSecondary(
    { id, email }: { readonly id: number; readonly email: string },
    username: string,
  ): Promise<void> {
    return this.mail({ kind: 'secondary', id, username, email });
  }

  /**
   * Mails a new link to an address that waits for its confirmation; nothing happens for any other, nor within a
   * minute of the mail before. The caller learns none of it.
   */
  async resend(address: string): Promise<void> {
    await this.database.transaction(async () => {
      for (const awaited of await this.repository.awaiting(address)) await this.mail(awaited);
    });
  }

  /** Confirms the address that the secret was sent to. */
  async confirm(token: string): Promise<Confirmation> {
    if (!looksLikeSecret(token)) return { outcome: 'invalid' };
    const digest = digestOf(token);
    try {
      const confirmed =
        (await this.repository.confirmPrimary(digest)) ?? (await this.repository.confirmSecondary(digest));
      return confirmed ? { outcome: 'confirmed', ...confirmed } : { outcome: 'invalid' };
    } catch (error) {
      if (uniqueViolation(error) === 'users_email') return { outcome: 'taken' };
      throw error;
    }
  }

  private async mail(address: AwaitedAddress): Promise<void> {
    const secret = newSecret();
    const link = `${this.urls.base}/users/confirmation?confirmation_token=${secret}`;
    await this.database.transaction(async () => {
      await this.repository.noteSent(address, digestOf(secret));
      await this.mailer.send({
        to: address.email,
        subject: 'Confirmation instructions',
        text: textOf(address.username, link),
      });
    });
  }
}

/** Says the username alone: a name is free text, and would carry advertisements to strangers. */
const textOf = (username: string, link: string): string =>
  [
    `Somebody has entered this address for the account ${username}.`,
    `To confirm that it is yours, open this link:\n${link}`,
    'It works once, within a day. If you do not know of this, nothing has to be done.',
    '',
  ].join('\n\n');
