import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Share } from './share.entity';

export type NewShare = Pick<Share, 'projectId' | 'groupId' | 'groupAccess' | 'expiresAt'>;

@Injectable()
export class SharesRepository {
  constructor(private readonly database: Database) {}

  /** Keeps the project where it is until the transaction ends. Answers its namespace's id, null once it is deleted. */
  async holdProject(id: number): Promise<number | null> {
    const text =
      'SELECT namespace_id AS "namespaceId" FROM projects WHERE id = $1 AND NOT pending_delete FOR SHARE';
    const [row] = await this.database.prepared<{ namespaceId: number }>('hold_shared_project', text, [id]);
    return row?.namespaceId ?? null;
  }

  /** Null where the project is shared with the group already; a share that has ended makes room. */
  async insert({ projectId, groupId, groupAccess, expiresAt }: NewShare): Promise<Share | null> {
    const [row] = await this.database.prepared(
      'new_share',
      `INSERT INTO project_shares AS share (project_id, group_id, group_access, expires_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (project_id, group_id) DO UPDATE
         SET group_access = excluded.group_access, expires_at = excluded.expires_at, created_at = now(), updated_at = now()
         WHERE share.expires_at <= current_date
       RETURNING *`,
      [projectId, groupId, groupAccess, expiresAt],
    );
    return row ? hydrate(Share, row) : null;
  }

  /** Locked until the transaction ends. */
  async findForChange(projectId: number, groupId: number): Promise<Share | null> {
    const text = 'SELECT * FROM project_shares WHERE project_id = $1 AND group_id = $2 FOR UPDATE';
    const [row] = await this.database.prepared('share_for_change', text, [projectId, groupId]);
    return row ? hydrate(Share, row) : null;
  }

  async remove(id: number): Promise<void> {
    await this.database.prepared('remove_share', 'DELETE FROM project_shares WHERE id = $1', [id]);
  }

  /** Removes at most so many of the shares that have ended; answers how many. */
  async removeExpired(most: number): Promise<number> {
    const rows = await this.database.prepared(
      'remove_expired_shares',
      `DELETE FROM project_shares WHERE id = ANY (ARRAY(
         SELECT share.id FROM project_shares share WHERE share.expires_at <= current_date
         ORDER BY share.expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING id`,
      [most],
    );
    return rows.length;
  }
}
