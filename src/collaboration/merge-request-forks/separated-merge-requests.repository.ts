import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** Open merge requests between projects that have nothing to do with each other any more. */
@Injectable()
export class SeparatedMergeRequestsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Ids of those that come from the project or what was forked from it, or go there, in their order, beyond `after`.
   * What goes to a deleted project is left out: it goes with that.
   */
  async between(projectId: number, after: number, limit: number): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'separated_merge_requests',
      `WITH RECURSIVE inside AS (
         SELECT $1::bigint AS id
         UNION SELECT fork.id FROM inside JOIN projects fork ON fork.forked_from_project_id = inside.id),
       crossing AS (
         SELECT mr.id, mr.project_id, mr.source_project_id
         FROM inside JOIN merge_requests mr ON mr.source_project_id = inside.id AND mr.state = 'opened'
         UNION ALL
         SELECT mr.id, mr.project_id, mr.source_project_id
         FROM inside JOIN merge_requests mr ON mr.project_id = inside.id AND mr.state = 'opened'
         WHERE NOT EXISTS (SELECT 1 FROM inside other WHERE other.id = mr.source_project_id))
       SELECT crossing.id FROM crossing
       JOIN projects source ON source.id = crossing.source_project_id
       JOIN projects target ON target.id = crossing.project_id AND NOT target.pending_delete
       WHERE crossing.project_id <> crossing.source_project_id AND crossing.id > $2
         AND (source.pending_delete OR NOT EXISTS (
           SELECT 1 FROM fork_network_members a JOIN fork_network_members b ON b.network_id = a.network_id
           WHERE a.project_id = crossing.project_id AND b.project_id = crossing.source_project_id))
       ORDER BY crossing.id LIMIT $3`,
      [projectId, after, limit],
    );
    return rows.map(({ id }) => id);
  }
}
