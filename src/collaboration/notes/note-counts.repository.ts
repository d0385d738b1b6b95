import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { NoteTally } from '../../planning/planning.api';
import type { DiscussedRef } from './discussed-ref';

const TABLES = {
  MergeRequest: 'merge_requests',
  Snippet: 'snippets',
  Commit: 'discussed_commits',
} as const;

/** How many notes people wrote on each noteable; system notes do not count. */
@Injectable()
export class NoteCounts {
  constructor(
    private readonly database: Database,
    private readonly planning: NoteTally,
  ) {}

  /**
   * Counts notes that are written or deleted (negative) in the same transaction, and tells that the noteable has changed.
   * It keeps the row until the end of the transaction. False where the noteable is gone.
   */
  async add({ kind, id }: DiscussedRef, change: number): Promise<boolean> {
    if (kind === 'Issue' || kind === 'Epic') return this.planning.add(kind, id, change);
    const table = TABLES[kind];
    const rows = await this.database.prepared(
      `tally_notes_of_${table}`,
      `UPDATE ${table} SET user_notes_count = user_notes_count + $2, updated_at = greatest(updated_at, now())
       WHERE id = $1 RETURNING id`,
      [id, change],
    );
    return rows.length > 0;
  }
}
