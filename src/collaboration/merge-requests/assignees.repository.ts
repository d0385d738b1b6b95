import { Level } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { projectLevel } from '../../repository/repository.api';
import { readableMergeRequest, type MergeRequestViewer } from './readable-merge-requests';

const LEVEL = projectLevel({
  user: 'u.id',
  project: 'p.id',
  owner: 'n.owner_id',
  traversal: 'n.traversal_ids',
});
const OPEN = `(p.visibility = 'public' OR p.visibility = 'internal' AND NOT u.is_external)`;

/** Who is to look after which merge request. */
@Injectable()
export class AssigneesRepository {
  constructor(private readonly database: Database) {}

  /** Ids of users by those of merge requests, in their order; what is assigned to nobody is left out. */
  async ofMany(mergeRequestIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    if (mergeRequestIds.length === 0) return new Map();
    const rows = await this.database.prepared<{ id: number; user_ids: number[] }>(
      'assignees_of_merge_requests',
      `SELECT merge_request_id AS id, array_agg(user_id ORDER BY user_id) AS user_ids
       FROM merge_request_assignees WHERE merge_request_id = ANY($1::bigint[]) GROUP BY merge_request_id`,
      [mergeRequestIds],
    );
    return new Map(rows.map(({ id, user_ids: userIds }) => [id, userIds]));
  }

  async of(mergeRequestId: number): Promise<readonly number[]> {
    return (await this.ofMany([mergeRequestId])).get(mergeRequestId) ?? [];
  }

  async isAssignee(mergeRequestId: number, userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'is_assignee_of_merge_request',
      'SELECT 1 FROM merge_request_assignees WHERE merge_request_id = $1 AND user_id = $2',
      [mergeRequestId, userId],
    );
    return rows.length > 0;
  }

  /** Those of the users, in the order of the ids, who may read the merge requests of the project. */
  async assignable(projectId: number, userIds: readonly number[]): Promise<number[]> {
    if (userIds.length === 0) return [];
    const rows = await this.database.prepared<{ id: number }>(
      'assignable_to_merge_requests',
      `SELECT u.id FROM users u, projects p JOIN namespaces n ON n.id = p.namespace_id
       WHERE p.id = $2 AND u.id = ANY($1::bigint[]) AND u.kind = 'human' AND NOT u.pending_delete
         AND p.merge_requests_access <> 'disabled' AND p.repository_access <> 'disabled' AND (
           u.is_admin OR ${OPEN} AND p.merge_requests_access = 'enabled' AND p.repository_access = 'enabled'
           OR ${LEVEL} >= CASE WHEN ${OPEN} THEN ${Level.guest} ELSE ${Level.reporter} END)
       ORDER BY array_position($1::bigint[], u.id)`,
      [userIds, projectId],
    );
    return rows.map(({ id }) => id);
  }

  /** These users and no others; call it in the transaction that holds the merge request. */
  async set(mergeRequestId: number, userIds: readonly number[]): Promise<void> {
    await this.database.prepared(
      'unassign_merge_request',
      'DELETE FROM merge_request_assignees WHERE merge_request_id = $1 AND user_id <> ALL($2::bigint[])',
      [mergeRequestId, userIds],
    );
    // Whoever is being deleted meanwhile is passed over.
    await this.database.prepared(
      'assign_merge_request',
      `INSERT INTO merge_request_assignees (merge_request_id, user_id)
       SELECT $1, held.id FROM (SELECT id FROM users WHERE id = ANY($2::bigint[]) FOR KEY SHARE) AS held
       ON CONFLICT DO NOTHING`,
      [mergeRequestId, userIds],
    );
  }

  /** How many open merge requests are assigned to the user, who sees them still; those of archived projects rest. */
  async countOpen(user: MergeRequestViewer): Promise<number> {
    const values: unknown[] = [user.id];
    const readable = readableMergeRequest(user, (value) => `$${values.push(value)}`);
    const [row]: { count: number }[] = await this.database.manager.query(
      `SELECT count(*)::int AS count FROM merge_request_assignees a
       JOIN merge_requests mr ON mr.id = a.merge_request_id
       JOIN projects p ON p.id = mr.project_id AND NOT p.archived
       WHERE a.user_id = $1 AND mr.state = 'opened' AND ${readable}`,
      values,
    );
    return row?.count ?? 0;
  }
}
