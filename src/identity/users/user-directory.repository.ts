import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { UserSummary } from './user-summary';

/** Looks people up for the records they appear in: one query, however many they are. */
@Injectable()
export class UserDirectory {
  constructor(private readonly database: Database) {}

  async byIds(ids: readonly (number | null)[]): Promise<ReadonlyMap<number, UserSummary>> {
    const wanted = [...new Set(ids)].filter((id) => id !== null);
    if (wanted.length === 0) return new Map();
    const rows = await this.database.prepared<UserSummary>(
      'user_summaries',
      'SELECT id, username, name, state, avatar FROM users WHERE id = ANY($1::bigint[]) AND NOT pending_delete',
      [wanted],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}
