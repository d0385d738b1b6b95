import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { ISSUABLE_TABLES, type IssuableRef } from './issuable-tables';
import type { TimeStats } from './time-stats';

interface TimedRow {
  time_estimate: number;
  total_time_spent: number;
}

@Injectable()
export class TimeTrackingRepository {
  constructor(private readonly database: Database) {}

  /** Keeps the issuable as it is until the transaction ends. Null where it is gone. */
  async hold({ kind, id }: IssuableRef): Promise<TimeStats | null> {
    const { table } = ISSUABLE_TABLES[kind];
    const [row] = await this.database.prepared<TimedRow>(
      `hold_times_of_${table}`,
      `SELECT time_estimate, total_time_spent FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`,
      [id],
    );
    return row ? { timeEstimate: row.time_estimate, totalTimeSpent: row.total_time_spent } : null;
  }

  async set({ kind, id }: IssuableRef, { timeEstimate, totalTimeSpent }: TimeStats): Promise<void> {
    const { table } = ISSUABLE_TABLES[kind];
    await this.database.prepared(
      `set_times_of_${table}`,
      `UPDATE ${table} SET time_estimate = $2, total_time_spent = $3, updated_at = now() WHERE id = $1`,
      [id, timeEstimate, totalTimeSpent],
    );
  }
}
