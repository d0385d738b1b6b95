import type { Actor } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { ClosingMergeRequests } from '../../planning/planning.api';
import { readableMergeRequest } from '../merge-requests/readable-merge-requests';

@Injectable()
export class ClosingMergeRequestCounts extends ClosingMergeRequests {
  constructor(private readonly database: Database) {
    super();
  }

  async countsOf({ user }: Actor, issueIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (issueIds.length === 0) return new Map();
    const values: unknown[] = [issueIds];
    const readable = readableMergeRequest(user, (value) => `$${values.push(value)}`);
    const rows: { issue_id: number; count: number }[] = await this.database.manager.query(
      `SELECT closing.issue_id, count(*)::int AS count
       FROM merge_request_closing_issues closing JOIN merge_requests mr ON mr.id = closing.merge_request_id
       WHERE closing.issue_id = ANY($1::bigint[]) AND ${readable} GROUP BY closing.issue_id`,
      values,
    );
    return new Map(rows.map(({ issue_id: id, count }) => [id, count]));
  }
}
