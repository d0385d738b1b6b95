import { setTimeout as after } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from './driver-access';

/** Whether the database answers. */
@Injectable()
export class DatabaseHealth {
  constructor(private readonly dataSource: DataSource) {}

  /** Resolves when the database answered within the time (milliseconds), else throws. */
  async ping(timeoutMs: number): Promise<void> {
    const stop = new AbortController();
    const late = after(timeoutMs, undefined, { signal: stop.signal }).then(() => {
      throw new Error(`the database did not answer within ${timeoutMs} ms`);
    });
    try {
      await Promise.race([poolOf(this.dataSource).query('SELECT 1'), late]);
    } finally {
      stop.abort();
      // Cancelled above, which rejects it; nobody else looks at it any more.
      late.catch(() => undefined);
    }
  }
}
