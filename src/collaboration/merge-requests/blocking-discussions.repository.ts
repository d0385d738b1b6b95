import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** Discussions that keep merge requests from being merged, where their projects want them settled first. */
@Injectable()
export class BlockingDiscussions {
  constructor(private readonly database: Database) {}

  /** Which of the merge requests wait for one; in one query. */
  async blocked(mergeRequestIds: readonly number[]): Promise<ReadonlySet<number>> {
    if (mergeRequestIds.length === 0) return new Set();
    const rows = await this.database.prepared<{ id: number }>(
      'merge_requests_with_open_discussions',
      `SELECT mr.id FROM merge_requests mr
       JOIN projects p ON p.id = mr.project_id AND p.only_allow_merge_if_all_discussions_are_resolved
       WHERE mr.id = ANY($1::bigint[]) AND EXISTS (
         SELECT 1 FROM notes n WHERE n.merge_request_id = mr.id
           AND n.type IS NOT NULL AND NOT n.system AND n.resolved_at IS NULL)`,
      [mergeRequestIds],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
