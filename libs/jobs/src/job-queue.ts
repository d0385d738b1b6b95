import { withMigrationLock } from '#libs/database';
import { Inject, Injectable, Logger } from '@nestjs/common';
import PgBoss from 'pg-boss';
import { JOBS_OPTIONS, type JobsOptions } from './jobs-options';
import type { Queue } from './queue';

const KEEP_COMPLETED_SECONDS = 24 * 60 * 60;
const KEEP_ARCHIVED_DAYS = 3;

/** The queue itself: pg-boss with its tables (schema `pgboss`). Nothing else of the project sees pg-boss. */
@Injectable()
export class JobQueue {
  readonly boss: PgBoss;
  private readonly queueNames = new Set<string>();
  private isStopping = false;
  private readonly logger = new Logger(JobQueue.name);

  constructor(@Inject(JOBS_OPTIONS) private readonly options: Required<JobsOptions>) {
    this.boss = new PgBoss({
      connectionString: options.url,
      max: options.poolSize,
      application_name: 'jobs',
      // Looks for jobs whose time is up: how the work of dead nodes goes on.
      supervise: options.work,
      maintenanceIntervalSeconds: options.recoverySeconds,
      archiveCompletedAfterSeconds: KEEP_COMPLETED_SECONDS,
      deleteAfterDays: KEEP_ARCHIVED_DAYS,
      // Recurring jobs are ours: see RecurringJobs.
      schedule: false,
    });
    this.boss.on('error', (error) => {
      // Connections that are being closed may break: that is nobody's trouble.
      if (!this.isStopping) this.logger.error({ err: error }, 'the job queue has trouble');
    });
  }

  /** Makes the tables and queues that are missing, under the migration lock, as several nodes start at once. */
  async start(queues: readonly Queue<object>[]): Promise<void> {
    await withMigrationLock(this.options.url, async () => {
      await this.boss.start();
      const known = new Map((await this.boss.getQueues()).map((queue) => [queue.name, queue]));
      for (const queue of queues) {
        const settings = settingsOf(queue);
        const found = known.get(queue.name);
        if (!found) await this.boss.createQueue(queue.name, settings);
        else if (!isSame(found, settings)) await this.boss.updateQueue(queue.name, settings);
        this.queueNames.add(queue.name);
      }
    });
  }

  /** Throws for a queue that nobody handles: pg-boss would drop its jobs without a word. */
  requireQueue(name: string): void {
    if (!this.queueNames.has(name))
      throw new Error(`queue ${name} has no handler, or jobs have not started yet`);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.boss.stop({ graceful: false });
  }
}

const COMPARED = ['policy', 'expireInSeconds', 'retryLimit', 'retryDelay', 'retryBackoff'] as const;

/** Most starts change no queue. */
const isSame = (found: PgBoss.Queue, wanted: PgBoss.Queue): boolean =>
  COMPARED.every((setting) => found[setting] === wanted[setting]);

const settingsOf = ({ name, options }: Queue<object>): PgBoss.Queue => ({
  name,
  policy: options.onePerKey ? 'short' : 'standard',
  expireInSeconds: options.expireInSeconds,
  retryLimit: options.retryLimit,
  retryDelay: options.retryDelaySeconds,
  retryBackoff: true,
});
