import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import type PgBoss from 'pg-boss';
import type { JobHandler } from './job-handler';

const OUTCOME_ATTEMPTS = 5;
const OUTCOME_RETRY_MS = 500;
const MAX_MESSAGE = 2_000;

type FetchedJob = PgBoss.JobWithMetadata<object>;

/**
 * Fetches the jobs of one queue and runs them, `concurrency` at a time. Not pg-boss's own worker: that one drops
 * the promise which records a job's end, so a database that is away for a moment would end the process.
 */
export class QueueWorker {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private pause = new AbortController();
  private isWoken = false;
  private isStopped = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly boss: PgBoss,
    private readonly handler: JobHandler,
    private readonly pollMs: number,
    private readonly logger: LoggerService,
  ) {}

  start(): void {
    this.loop = this.work();
  }

  /** There is something to do: no need to wait for the next look. */
  wake(): void {
    this.isWoken = true;
    this.pause.abort();
  }

  /** Takes no more jobs and waits for those that run; after the limit they are told to stop, and run again later. */
  async stop(limitMs: number): Promise<void> {
    this.isStopped = true;
    this.pause.abort();
    await this.loop;
    const ended = new AbortController();
    const limit = sleep(limitMs, undefined, { signal: ended.signal }).then(
      () => this.stopping.abort(new Error('the process stops')),
      () => undefined,
    );
    await Promise.allSettled(this.running);
    ended.abort();
    await limit;
  }

  private async work(): Promise<void> {
    while (!this.isStopped) {
      this.isWoken = false;
      const free = this.handler.queue.options.concurrency - this.running.size;
      const jobs = free > 0 ? await this.fetch(free) : [];
      for (const job of jobs) this.begin(job);
      // After a full fetch there may be more; with all places taken the next end wakes us.
      if (free === 0 || jobs.length < free) await this.rest();
    }
  }

  private async rest(): Promise<void> {
    if (this.isWoken || this.isStopped) return;
    this.pause = new AbortController();
    await sleep(this.pollMs, undefined, { signal: this.pause.signal }).catch(() => undefined);
  }

  /** pg-boss answers an empty list when the database is away; the next look follows after the poll interval. */
  private async fetch(batchSize: number): Promise<FetchedJob[]> {
    return this.boss.fetch<object>(this.handler.queue.name, { includeMetadata: true, batchSize });
  }

  private begin(job: FetchedJob): void {
    const run = this.run(job).finally(() => {
      this.running.delete(run);
      this.wake();
    });
    this.running.add(run);
  }

  private async run(job: FetchedJob): Promise<void> {
    const { name } = this.handler.queue;
    try {
      await this.runInTime(job);
      await this.record(job, () => this.boss.complete(name, job.id));
    } catch (error) {
      const left = job.retryLimit - job.retryCount;
      this.logger.error({ err: error, job: job.id, queue: name, attemptsLeft: left }, 'a job failed');
      await this.record(job, () =>
        this.boss.fail(name, job.id, { message: String(error).slice(0, MAX_MESSAGE) }),
      );
    }
  }

  private async runInTime(job: FetchedJob): Promise<void> {
    const done = new AbortController();
    const late = new AbortController();
    const signal = AbortSignal.any([late.signal, this.stopping.signal]);
    const limitMs = this.handler.queue.options.expireInSeconds * 1_000;
    const overdue = sleep(limitMs, undefined, { signal: done.signal }).then(() => {
      late.abort(new Error(`the job took longer than ${limitMs} ms`));
    });
    overdue.catch(() => undefined);
    const run = this.handler.run(job.data, {
      id: job.id,
      attempt: job.retryCount + 1,
      isLastAttempt: job.retryCount >= job.retryLimit,
      signal,
    });
    try {
      await Promise.race([run, aborted(signal)]);
    } finally {
      done.abort();
    }
  }

  /** When the end of a job cannot be recorded, it expires and runs again. */
  private async record(job: FetchedJob, write: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await write();
        return;
      } catch (error) {
        if (attempt < OUTCOME_ATTEMPTS && !this.stopping.signal.aborted) {
          await sleep(OUTCOME_RETRY_MS * attempt);
          continue;
        }
        this.logger.error(
          { err: error, job: job.id },
          'the end of a job could not be recorded; it will run again',
        );
        return;
      }
    }
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
