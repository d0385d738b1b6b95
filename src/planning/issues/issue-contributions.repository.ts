import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Contributions } from '../../identity/identity.api';

const AT_ONCE = 1000;

/** What somebody has done that is told of issues, besides having written them. */
const DEEDS = [
  ['issues', 'closed_by_id'],
  ['issues', 'updated_by_id'],
  ['state_events', 'user_id'],
] as const;

/** Issues that somebody has written, and what they have done to those of others: the latter stays in any case. */
@Injectable()
export class IssueContributions extends Contributions {
  constructor(private readonly database: Database) {
    super();
  }

  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    const written = await this.handOver('issues', 'author_id', userId, ghostId);
    return written || this.handOverDeeds(userId, ghostId);
  }

  async removeSome(userId: number, ghostId: number): Promise<boolean> {
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
    return rows.length > 0 || this.handOverDeeds(userId, ghostId);
  }

  private async handOverDeeds(userId: number, ghostId: number): Promise<boolean> {
    for (const [table, column] of DEEDS) if (await this.handOver(table, column, userId, ghostId)) return true;
    return false;
  }

  private async handOver(table: string, column: string, userId: number, ghostId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      `hand_over_${column}_of_${table}`,
      `UPDATE ${table} SET ${column} = $2
       WHERE id = ANY(ARRAY(SELECT id FROM ${table} WHERE ${column} = $1 LIMIT $3)) RETURNING id`,
      [userId, ghostId, AT_ONCE],
    );
    return rows.length > 0;
  }
}
