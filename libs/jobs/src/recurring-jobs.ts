import { Database } from '#libs/database';
import { Injectable, Logger } from '@nestjs/common';
import { Jobs } from './jobs';
import type { Queue } from './queue';

const LOOK_EVERY_MS = 30_000;

/**
 * Takes a period for this node when no other has it yet; the row stays behind when the job is gone.
 * The database's clock counts, so nodes need not agree on the time.
 */
const TAKE_PERIOD = `
  INSERT INTO job_periods AS known (queue, period)
  VALUES ($1, floor(extract(epoch FROM now()) / ($2 * 60)))
  ON CONFLICT (queue) DO UPDATE SET period = excluded.period WHERE known.period < excluded.period
  RETURNING period`;

/** Queues the recurring jobs: one per queue and period of the clock on all nodes together. */
@Injectable()
export class RecurringJobs {
  private timer: NodeJS.Timeout | undefined;
  private look: Promise<void> = Promise.resolve();
  private readonly logger = new Logger('Jobs');

  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  start(queues: readonly Queue<object>[]): void {
    const recurring = queues.filter(({ options }) => options.everyMinutes !== null);
    if (recurring.length === 0) return;
    const lookAtAll = (): void => {
      this.look = this.look.then(() => this.queueDue(recurring));
    };
    this.timer = setInterval(lookAtAll, LOOK_EVERY_MS);
    this.timer.unref();
    lookAtAll();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.look;
  }

  /** Queues what is due now. A queue in trouble is logged and looked at again next time. */
  async queueDue(queues: readonly Queue<object>[]): Promise<void> {
    for (const queue of queues) {
      try {
        await this.database.transaction(() => this.queueIfDue(queue));
      } catch (error) {
        this.logger.error({ err: error, queue: queue.name }, 'a recurring job could not be queued');
      }
    }
  }

  private async queueIfDue(queue: Queue<object>): Promise<void> {
    const values = [queue.name, queue.options.everyMinutes];
    const taken = await this.database.prepared('take_job_period', TAKE_PERIOD, values);
    if (taken.length > 0) await this.jobs.enqueue(queue, {}, { key: 'recurring' });
  }
}
