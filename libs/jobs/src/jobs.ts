import { randomUUID } from 'node:crypto';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type PgBoss from 'pg-boss';
import { JobQueue } from './job-queue';
import type { Queue } from './queue';
import { Workers } from './workers';

export interface EnqueueOptions {
  /** Jobs of a queue with `onePerKey` that share it are queued once. */
  readonly key?: string;
  /** Not before this time. */
  readonly startAfter?: Date;
  /** A job with an id that was queued before is passed over. A UUID; made up when not given. */
  readonly id?: string;
}

export interface NewJob<Data extends object> extends EnqueueOptions {
  readonly queue: Queue<Data>;
  readonly data: Data;
}

/** Puts work off: to after the answer, to another node, to a later time. */
@Injectable()
export class Jobs {
  constructor(
    private readonly database: Database,
    private readonly jobQueue: JobQueue,
    private readonly workers: Workers,
  ) {}

  /**
   * Queues a job in the current transaction: it exists once that is committed, and never when it is rolled back.
   * This process starts on it at once when it works on the queue, others within the polling interval.
   */
  enqueue<Data extends object>(queue: Queue<Data>, data: Data, options: EnqueueOptions = {}): Promise<void> {
    return this.enqueueAll([{ ...options, queue, data }]);
  }

  /** Queues several, of several queues, in one statement; those of one age run in the order of their ids. */
  async enqueueAll(jobs: readonly NewJob<object>[]): Promise<void> {
    if (jobs.length === 0) return;
    const names = new Set(jobs.map(({ queue }) => queue.name));
    for (const name of names) this.jobQueue.requireQueue(name);
    await this.jobQueue.boss.insert(jobs.map(asInsert), {
      db: { executeSql: async (text, values) => ({ rows: await this.database.manager.query(text, values) }) },
    });
    await this.database.afterCommit(() => this.workers.wake(names));
  }
}

function asInsert({ queue, data, id, key, startAfter }: NewJob<object>): PgBoss.JobInsert {
  if (queue.options.onePerKey && key === undefined) throw new Error(`a job of ${queue.name} needs a key`);
  return {
    id: id ?? randomUUID(),
    name: queue.name,
    data,
    ...(key !== undefined && { singletonKey: key }),
    ...(startAfter && { startAfter: startAfter.toISOString() }),
  };
}
