import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { LIVE_MEMBER } from '../members/live-member';

export interface WaitingUser {
  /** What the user has written goes too, instead of to the ghost. */
  readonly takesContributions: boolean;
}

@Injectable()
export class UserDeletionRepository {
  constructor(private readonly database: Database) {}

  /** A user who is deleted and waits for the rest to be removed; null for any other. */
  async waiting(userId: number): Promise<WaitingUser | null> {
    const [row] = await this.database.prepared<WaitingUser>(
      'deleted_user',
      `SELECT contributions_pending_delete AS "takesContributions" FROM users WHERE id = $1 AND pending_delete`,
      [userId],
    );
    return row ?? null;
  }

  /** Users who wait since before the moment. */
  async forgotten(before: Date, limit: number): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'forgotten_users',
      'SELECT id FROM users WHERE pending_delete AND updated_at < $1 ORDER BY updated_at, id LIMIT $2',
      [before, limit],
    );
    return rows.map(({ id }) => id);
  }

  async personalNamespace(userId: number): Promise<number | null> {
    const text = 'SELECT id FROM namespaces WHERE owner_id = $1';
    const [row] = await this.database.prepared<{ id: number }>('personal_namespace', text, [userId]);
    return row?.id ?? null;
  }

  /**
   * Groups that would be left without a living owner, in themselves and above. All groups that the user owns stay
   * locked until the transaction ends, so that no other owner leaves meanwhile.
   */
  async solelyOwnedGroups(userId: number): Promise<number[]> {
    const owned = await this.database.prepared<{ id: number }>(
      'owned_groups_for_change',
      `SELECT n.id FROM namespaces n WHERE NOT n.pending_delete AND n.kind = 'group' AND n.id IN (
         SELECT m.source_id FROM members m
         WHERE m.user_id = $1 AND m.source_kind = 'namespace' AND m.access_level = 50 AND ${LIVE_MEMBER})
       ORDER BY n.id FOR NO KEY UPDATE`,
      [userId],
    );
    const sole = await this.database.prepared<{ id: number }>(
      'solely_owned_groups',
      `SELECT n.id FROM namespaces n WHERE n.id = ANY($2::bigint[]) AND NOT EXISTS (
         SELECT 1 FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.source_kind = 'namespace' AND m.source_id = ANY(n.traversal_ids) AND m.access_level = 50
           AND m.user_id <> $1 AND ${LIVE_MEMBER} AND NOT u.pending_delete) ORDER BY n.id`,
      [userId, owned.map(({ id }) => id)],
    );
    return sole.map(({ id }) => id);
  }

  /**
   * Nobody finds the user any more, by whatever name, and no secret of theirs opens anything; call it in a transaction.
   * The names that stay cannot be anybody's: a username does not begin with a dash, an e-mail has an @.
   */
  async hide(userId: number, takesContributions: boolean): Promise<void> {
    const { manager } = this.database;
    await manager.query(
      `UPDATE users SET pending_delete = true, contributions_pending_delete = $2, username = '-deleted-' || id, email = '-deleted-' || id,
         unconfirmed_email = NULL, public_email = '', password_digest = NULL, confirmation_digest = NULL,
         reset_password_digest = NULL, is_admin = false, updated_at = now()
       WHERE id = $1`,
      [userId, takesContributions],
    );
    await manager.query('DELETE FROM access_tokens WHERE user_id = $1', [userId]);
    await manager.query('DELETE FROM identities WHERE user_id = $1', [userId]);
    await manager.query('DELETE FROM members WHERE user_id = $1', [userId]);
  }

  /** The row, and all that hangs on it. */
  async remove(userId: number): Promise<void> {
    await this.database.manager.query('DELETE FROM users WHERE id = $1 AND pending_delete', [userId]);
  }
}
