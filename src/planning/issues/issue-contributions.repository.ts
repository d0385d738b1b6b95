import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { AuthoredContributions } from '../../identity/identity.api';

const AT_ONCE = 1000;

/** Issues that somebody has written, and what they have done to those of others. */
@Injectable()
export class IssueContributions extends AuthoredContributions {
  constructor(database: Database) {
    const deeds = [
      ['issues', 'closed_by_id'],
      ['issues', 'updated_by_id'],
      ['state_events', 'user_id'],
    ] as const;
    super(database, { table: 'issues', deeds });
  }

  /** From where issues were sent is forgotten with who sent them. */
  override async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    return (await this.forgetOrigins(userId)) || super.handOverSome(userId, ghostId);
  }

  /** Those that are open count for their projects. */
  protected override async removeWritten(userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'remove_issues_of_author',
      `WITH gone AS (
         DELETE FROM issues WHERE id = ANY(ARRAY(SELECT id FROM issues WHERE author_id = $1 LIMIT $2))
         RETURNING project_id, state, confidential),
       counted AS (
         SELECT project_id, count(*) AS open FROM gone WHERE state = 'opened' AND NOT confidential GROUP BY project_id),
       kept AS (
         UPDATE projects SET open_issues_count = open_issues_count - counted.open
         FROM counted WHERE projects.id = counted.project_id)
       SELECT 1 FROM gone LIMIT 1`,
      [userId, AT_ONCE],
    );
    return rows.length > 0;
  }

  private async forgetOrigins(userId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'forget_origins_of_issues',
      `DELETE FROM issue_origins
       WHERE issue_id = ANY(ARRAY(SELECT issue_id FROM issue_origins WHERE author_id = $1 LIMIT $2))
       RETURNING issue_id`,
      [userId, AT_ONCE],
    );
    return rows.length > 0;
  }
}
