import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { readableIssue, type Bind, type IssueViewer } from '../issues/readable-issues';
import type { BurndownEvent } from './burndown-event';

/** What became of the issues of milestones, as far as the viewer may see them. */
@Injectable()
export class MilestoneIssuesRepository {
  constructor(private readonly database: Database) {}

  /**
   * When the issues were made, closed and reopened, up to the end of a day (UTC), the oldest first; `limit` of them at
   * most. An issue that is closed, and of which nobody knows since when, counts as closed when the milestone started.
   */
  burndown(
    viewer: IssueViewer | null,
    { id, startDate, lastDay }: { id: number; startDate: string; lastDay: string },
    limit: number,
  ): Promise<BurndownEvent[]> {
    const values: unknown[] = [id, lastDay, startDate, limit];
    const readable = readableIssue(viewer, binder(values));
    return this.database.manager.query<BurndownEvent[]>(
      `WITH counted AS MATERIALIZED (
         SELECT issue.id, issue.created_at, issue.weight, issue.state FROM issues issue
         WHERE issue.milestone_id = $1 AND issue.created_at < ${END_OF_DAY} AND ${readable}),
       moves AS (
         SELECT e.issue_id, e.id, e.created_at, c.weight, e.action
         FROM counted c JOIN state_events e ON e.issue_id = c.id WHERE e.action IN ('closed', 'reopened'))
       SELECT "createdAt", weight, action FROM (
         SELECT c.created_at AS "createdAt", c.weight, 'created' AS action, c.id AS issue_id, 0 AS event_id FROM counted c
         UNION ALL
         SELECT m.created_at, m.weight, m.action, m.issue_id, m.id FROM moves m WHERE m.created_at < ${END_OF_DAY}
         UNION ALL
         SELECT $3::date::timestamp AT TIME ZONE 'UTC', c.weight, 'closed', c.id, 0 FROM counted c
         WHERE c.state = 'closed' AND NOT EXISTS (SELECT 1 FROM moves m WHERE m.issue_id = c.id)) AS events
       ORDER BY "createdAt", event_id, issue_id LIMIT $4`,
      values,
    );
  }
}

/** Of the day $2. */
const END_OF_DAY = `(($2::date + 1)::timestamp AT TIME ZONE 'UTC')`;

const binder =
  (values: unknown[]): Bind =>
  (value) => {
    values.push(value);
    return `$${values.length}`;
  };
