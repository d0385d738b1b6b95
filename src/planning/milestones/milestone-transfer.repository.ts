import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** What issues of a project have of the milestones of groups that it is not in any more. */
@Injectable()
export class MilestoneTransferRepository {
  constructor(private readonly database: Database) {}

  async usedByIssues(projectId: number): Promise<number[]> {
    const rows = await this.database.prepared<{ milestone_id: number }>(
      'milestones_of_issues_in_project',
      'SELECT DISTINCT milestone_id FROM issues WHERE project_id = $1 AND milestone_id IS NOT NULL',
      [projectId],
    );
    return rows.map((row) => row.milestone_id);
  }

  /** Those among the milestones of groups that lend theirs to nothing in the namespace; nobody removes them until the end. */
  async lostAmong(ids: readonly number[], namespaceId: number): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'lost_milestones',
      `SELECT m.id FROM milestones m WHERE m.id = ANY($1::bigint[]) AND m.group_id IS NOT NULL
         AND NOT m.group_id = ANY((SELECT above.traversal_ids FROM namespaces above WHERE above.id = $2)::bigint[])
       ORDER BY m.id FOR KEY SHARE OF m`,
      [[...ids], namespaceId],
    );
    return rows.map(({ id }) => id);
  }

  async repointIssues(projectId: number, fromId: number, toId: number): Promise<void> {
    await this.database.prepared(
      'repoint_issues_in_project',
      'UPDATE issues SET milestone_id = $3 WHERE project_id = $1 AND milestone_id = $2',
      [projectId, fromId, toId],
    );
  }
}
