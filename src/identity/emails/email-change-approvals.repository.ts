import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** How long a link works. */
const LIFETIME = `interval '24 hours'`;

/** Addresses that others want for a user, with the digest of the secret mailed to the present one. */
@Injectable()
export class EmailChangeApprovalsRepository {
  constructor(private readonly database: Database) {}

  /** Replaces what was asked before. False where the same was asked already and the link still works. */
  async note(userId: number, email: string, digest: Buffer): Promise<boolean> {
    const rows = await this.database.prepared(
      'note_email_change_approval',
      `INSERT INTO email_change_approvals AS a (user_id, email, digest) VALUES ($1, $2, $3)
       ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, digest = excluded.digest, sent_at = now()
       WHERE a.email <> excluded.email OR a.sent_at <= now() - ${LIFETIME} RETURNING 1`,
      [userId, email, digest],
    );
    return rows.length > 0;
  }

  async isOpen(digest: Buffer): Promise<boolean> {
    const text = `SELECT 1 FROM email_change_approvals WHERE digest = $1 AND sent_at > now() - ${LIFETIME}`;
    return (await this.database.prepared('open_email_change_approval', text, [digest])).length > 0;
  }

  /** Uses the link up. Answers whose address may become which; null where it no longer works. */
  async redeem(digest: Buffer): Promise<{ userId: number; email: string } | null> {
    const [row] = await this.database.prepared<{ userId: number; email: string }>(
      'redeem_email_change_approval',
      `DELETE FROM email_change_approvals WHERE digest = $1 AND sent_at > now() - ${LIFETIME}
       RETURNING user_id AS "userId", email`,
      [digest],
    );
    return row ?? null;
  }
}
