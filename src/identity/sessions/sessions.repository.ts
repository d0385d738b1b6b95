import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { User } from '../users/user.entity';

/** A session dies after a week without use, and after a month in any case. */
const IDLE = `interval '7 days'`;
const LONGEST = `interval '30 days'`;

/** For a token that is being used: what its use changes. Sessions live on with it. */
export const USE_OF_TOKEN = `last_used_at = now(), expires_at = CASE kind
  WHEN 'session' THEN least(now() + ${IDLE}, created_at + ${LONGEST}) ELSE expires_at END`;

export interface SessionRow {
  readonly id: number;
  readonly user: User;
  /** Its last use was noted ten minutes ago or earlier. */
  readonly isUseStale: boolean;
}

@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  /** Answers until when it may last at most. */
  async insert(userId: number, digest: Buffer, csrfDigest: Buffer): Promise<Date> {
    const text = `
      INSERT INTO access_tokens (kind, user_id, name, digest, csrf_digest, expires_at, last_used_at)
      VALUES ('session', $1, 'session', $2, $3, now() + ${IDLE}, now())
      RETURNING now() + ${LONGEST} AS "lastsUntil"`;
    const values = [userId, digest, csrfDigest];
    const [row] = await this.database.prepared<{ lastsUntil: Date }>('start_session', text, values);
    if (!row) throw new Error('an insert returns its row');
    return row.lastsUntil;
  }

  /** Of somebody who may sign in, whatever has become of the session's other conditions. */
  async find(digest: Buffer): Promise<SessionRow | null> {
    const text = `
      SELECT u.*, t.id AS session_id, coalesce(t.last_used_at < now() - interval '10 minutes', true) AS session_is_stale
      FROM access_tokens t JOIN users u ON u.id = t.user_id
      WHERE t.digest = $1 AND t.kind = 'session' AND (t.expires_at IS NULL OR t.expires_at > now())
        AND t.revoked_at IS NULL
        AND u.state = 'active' AND u.kind = 'human' AND NOT u.pending_delete`;
    const [row] = await this.database.prepared<{ session_id: number; session_is_stale: boolean }>(
      'session_by_digest',
      text,
      [digest],
    );
    return (
      (row && {
        id: row.session_id,
        user: hydrate(User, { ...row, password_digest: null }),
        isUseStale: row.session_is_stale,
      }) ??
      null
    );
  }

  /** Also that its user was here today. */
  async noteUse(id: number): Promise<void> {
    const text = `
      WITH used AS (UPDATE access_tokens SET ${USE_OF_TOKEN} WHERE id = $1 RETURNING user_id)
      UPDATE users SET last_activity_on = current_date FROM used
      WHERE users.id = used.user_id AND last_activity_on IS DISTINCT FROM current_date`;
    await this.database.prepared('note_session_use', text, [id]);
  }

  async remove(digest: Buffer): Promise<void> {
    const text = `DELETE FROM access_tokens WHERE digest = $1 AND kind = 'session'`;
    await this.database.prepared('end_session', text, [digest]);
  }

  async removeAll(userId: number): Promise<void> {
    const text = `DELETE FROM access_tokens WHERE user_id = $1 AND kind = 'session'`;
    await this.database.prepared('end_sessions_of_user', text, [userId]);
  }

  /** Some of those that are over; answers how many. */
  async removeExpired(limit: number): Promise<number> {
    const text = `
      DELETE FROM access_tokens WHERE id IN (
        SELECT id FROM access_tokens WHERE kind = 'session' AND expires_at < now() ORDER BY expires_at LIMIT $1)
      RETURNING id`;
    return (await this.database.prepared('remove_expired_sessions', text, [limit])).length;
  }

  /** False when the user may not sign in (any more). A deactivated user is active again. */
  async noteSignIn(userId: number): Promise<boolean> {
    const text = `
      UPDATE users SET last_sign_in_at = coalesce(current_sign_in_at, now()), current_sign_in_at = now(),
        last_activity_on = current_date, state = 'active'
      WHERE id = $1 AND state IN ('active', 'deactivated') AND kind = 'human' AND NOT pending_delete
      RETURNING id`;
    return (await this.database.prepared('note_sign_in', text, [userId])).length > 0;
  }
}
