import { Inject, Injectable, Logger } from '@nestjs/common';
import type { JobHandler } from './job-handler';
import { JobQueue } from './job-queue';
import { JOBS_OPTIONS, type JobsOptions } from './jobs-options';
import { QueueWorker } from './queue-worker';

/** The workers of this process, one per queue. */
@Injectable()
export class Workers {
  private readonly workers = new Map<string, QueueWorker>();
  private readonly logger = new Logger('Jobs');

  constructor(
    @Inject(JOBS_OPTIONS) private readonly options: Required<JobsOptions>,
    private readonly jobQueue: JobQueue,
  ) {}

  start(handlers: readonly JobHandler[]): void {
    for (const handler of handlers) {
      const worker = new QueueWorker(this.jobQueue.boss, handler, this.options.pollMs, this.logger);
      this.workers.set(handler.queue.name, worker);
      worker.start();
    }
  }

  /** New jobs lie in these queues; those that this process does not work on are passed over. */
  wake(queueNames: Iterable<string>): void {
    for (const name of queueNames) this.workers.get(name)?.wake();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.workers.values()].map((worker) => worker.stop(this.options.stopLimitMs)));
    this.workers.clear();
  }
}
