import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

const TABLES = { Issue: 'issues', Epic: 'epics' } as const;

/** How many notes people wrote on issues and epics. */
@Injectable()
export class NoteTally {
  constructor(private readonly database: Database) {}

  /**
   * Counts notes that are written or deleted (negative) in the same transaction, and tells that the thing has changed. It
   * keeps the row until the end of the transaction. False where the thing is gone.
   */
  async add(kind: keyof typeof TABLES, id: number, change: number): Promise<boolean> {
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
