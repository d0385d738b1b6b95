import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../issuables/request-origin';
import type { Issue } from './issue.entity';

/** From where issues were sent. */
@Injectable()
export class IssueOriginsRepository {
  constructor(private readonly database: Database) {}

  /** Call it in the transaction that opens the issue. */
  async record(
    { id, authorId }: Pick<Issue, 'id' | 'authorId'>,
    { userAgent, ipAddress }: RequestOrigin,
  ): Promise<void> {
    await this.database.prepared(
      'record_issue_origin',
      'INSERT INTO issue_origins (issue_id, author_id, user_agent, ip_address) VALUES ($1, $2, $3, $4)',
      [id, authorId, userAgent, ipAddress],
    );
  }

  /** Null where it is not known: of copies, and of what people left who are gone. */
  async find(issueId: number): Promise<RequestOrigin | null> {
    const [origin] = await this.database.prepared<{ userAgent: string; ipAddress: string }>(
      'origin_of_issue',
      `SELECT user_agent AS "userAgent", ip_address AS "ipAddress" FROM issue_origins WHERE issue_id = $1`,
      [issueId],
    );
    return origin ?? null;
  }
}
