import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** A primary address (of `users`) or a secondary one (of `emails`) that awaits its confirmation. */
export interface AwaitedAddress {
  readonly kind: 'primary' | 'secondary';
  /** Of the user or of the secondary address. */
  readonly id: number;
  readonly username: string;
  /** Where the mail goes. */
  readonly email: string;
}

export interface ConfirmedAddress {
  readonly userId: number;
  readonly email: string;
}

/** How long a link works. */
const LIFETIME = '24 hours';

/** Addresses and the digests of the secrets that were mailed to them. */
@Injectable()
export class ConfirmationsRepository {
  constructor(private readonly database: Database) {}

  /** Replaces the secret that was sent before, if any. */
  async noteSent({ kind, id }: Pick<AwaitedAddress, 'kind' | 'id'>, digest: Buffer): Promise<void> {
    const table = kind === 'primary' ? 'users' : 'emails';
    await this.database.prepared(
      `note_confirmation_${kind}`,
      `UPDATE ${table} SET confirmation_digest = $2, confirmation_sent_at = now() WHERE id = $1`,
      [id, digest],
    );
  }

  /** Throws the driver's error when somebody else has the address meanwhile: index `users_email`. */
  async confirmPrimary(digest: Buffer): Promise<ConfirmedAddress | null> {
    const [row] = await this.database.prepared<ConfirmedAddress>(
      'confirm_primary',
      `UPDATE users SET email = coalesce(unconfirmed_email, email), unconfirmed_email = NULL, confirmed_at = now(),
         confirmation_digest = NULL, updated_at = now()
       WHERE confirmation_digest = $1 AND confirmation_sent_at > now() - interval '${LIFETIME}' AND NOT pending_delete
         AND (confirmed_at IS NULL OR unconfirmed_email IS NOT NULL)
       RETURNING id AS "userId", email`,
      [digest],
    );
    return row ?? null;
  }

  async confirmSecondary(digest: Buffer): Promise<ConfirmedAddress | null> {
    const [row] = await this.database.prepared<ConfirmedAddress>(
      'confirm_secondary',
      `UPDATE emails SET confirmed_at = now(), confirmation_digest = NULL, updated_at = now()
       WHERE confirmation_digest = $1 AND confirmation_sent_at > now() - interval '${LIFETIME}'
       RETURNING user_id AS "userId", email`,
      [digest],
    );
    return row ?? null;
  }

  /** Who waits for a mail to this address and got none within the last minute; locked until the transaction ends. */
  async awaiting(email: string): Promise<AwaitedAddress[]> {
    const primary = await this.database.prepared<AwaitedAddress>(
      'awaited_primary',
      `SELECT 'primary' AS kind, id, username, coalesce(unconfirmed_email, email) AS email FROM users
       WHERE id IN (
         SELECT id FROM users WHERE lower(email) = lower($1) AND confirmed_at IS NULL AND unconfirmed_email IS NULL
         UNION SELECT id FROM users WHERE lower(unconfirmed_email) = lower($1))
         AND coalesce(confirmation_sent_at < now() - interval '1 minute', true) AND NOT pending_delete
       ORDER BY id LIMIT 10 FOR NO KEY UPDATE`,
      [email],
    );
    const secondary = await this.database.prepared<AwaitedAddress>(
      'awaited_secondary',
      `SELECT 'secondary' AS kind, e.id, u.username, e.email FROM emails e JOIN users u ON u.id = e.user_id
       WHERE lower(e.email) = lower($1) AND e.confirmed_at IS NULL AND NOT u.pending_delete
         AND coalesce(e.confirmation_sent_at < now() - interval '1 minute', true)
       FOR NO KEY UPDATE OF e`,
      [email],
    );
    return [...primary, ...secondary];
  }
}
