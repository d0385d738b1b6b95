import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** A reset link works for so long. */
const RESET_LIFETIME = `interval '6 hours'`;
/** Nobody gets more of them than this. */
const RESET_PAUSE = `interval '1 minute'`;

/** Whoever may have a password here. */
const PERSON = `kind = 'human' AND NOT pending_delete`;

/** What becomes of an account's other ways when it has a new password: $2. */
const NEW_PASSWORD = `password_digest = $2, password_expires_at = NULL,
  reset_password_digest = NULL, reset_password_sent_at = NULL, updated_at = now()`;

/** The columns of users that concern passwords. */
@Injectable()
export class PasswordRows {
  constructor(private readonly database: Database) {}

  /** The person chose it, so it need not be changed. */
  async set(userId: number, digest: string): Promise<void> {
    const text = `UPDATE users SET ${NEW_PASSWORD} WHERE id = $1`;
    await this.database.prepared('set_password', text, [userId, digest]);
  }

  async setReset(userId: number, tokenDigest: Buffer): Promise<void> {
    const text = `
      UPDATE users SET reset_password_digest = $2, reset_password_sent_at = now() WHERE id = $1`;
    await this.database.prepared('set_password_reset', text, [userId, tokenDigest]);
  }

  /** Of an account in good standing that has not been sent a link just now; locked until the transaction ends. */
  async findForReset(email: string): Promise<number | null> {
    const text = `
      SELECT id FROM users
      WHERE lower(email) = lower($1) AND state IN ('active', 'deactivated') AND ${PERSON}
        AND coalesce(reset_password_sent_at < now() - ${RESET_PAUSE}, true)
      FOR UPDATE`;
    const [row] = await this.database.prepared<{ id: number }>('user_for_reset', text, [email]);
    return row?.id ?? null;
  }

  /** Whether the token of a link still works. */
  async isResettable(tokenDigest: Buffer): Promise<boolean> {
    const text = `
      SELECT 1 FROM users WHERE reset_password_digest = $1
        AND reset_password_sent_at > now() - ${RESET_LIFETIME} AND ${PERSON}`;
    return (await this.database.prepared('is_resettable', text, [tokenDigest])).length > 0;
  }

  /** Uses the token up. Answers whose it was; null where it no longer works. */
  async redeem(tokenDigest: Buffer, passwordDigest: string): Promise<number | null> {
    const text = `
      UPDATE users SET ${NEW_PASSWORD}
      WHERE reset_password_digest = $1 AND reset_password_sent_at > now() - ${RESET_LIFETIME} AND ${PERSON}
      RETURNING id`;
    const [row] = await this.database.prepared<{ id: number }>('redeem_password_reset', text, [
      tokenDigest,
      passwordDigest,
    ]);
    return row?.id ?? null;
  }
}
