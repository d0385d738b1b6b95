import { Database, paginateStatement } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { UserActivity } from './user-activity';

@Injectable()
export class UserActivitiesRepository {
  constructor(private readonly database: Database) {}

  /** From the day (YYYY-MM-DD; null: since half a year ago) on, the longest absent first. */
  page(from: string | null, request: PageRequest): Promise<Page<UserActivity>> {
    const text = `SELECT username, last_activity_on AS "lastActivityOn" FROM users
      WHERE last_activity_on >= coalesce($1::date, current_date - interval '6 months') AND NOT pending_delete
      ORDER BY last_activity_on, id`;
    return paginateStatement<UserActivity>(this.database, text, [from], request);
  }
}
