import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { JobHandler } from './job-handler';
import { JobQueue } from './job-queue';
import { JOBS_OPTIONS, type JobsOptions } from './jobs-options';
import { RecurringJobs } from './recurring-jobs';
import { Workers } from './workers';

/** Starts background work with the application and ends it with it. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly added: JobHandler[] = [];

  constructor(
    @Inject(JOBS_OPTIONS) private readonly options: Required<JobsOptions>,
    private readonly discovery: DiscoveryService,
    private readonly jobQueue: JobQueue,
    private readonly workers: Workers,
    private readonly recurring: RecurringJobs,
  ) {}

  /** For handlers that are no providers of their own; before the application has started. */
  add(handler: JobHandler): void {
    this.added.push(handler);
  }

  async onApplicationBootstrap(): Promise<void> {
    const handlers = [...this.discovered(), ...this.added];
    const queues = handlers.map(({ queue }) => queue);
    refuseDoubles(queues.map(({ name }) => name));
    await this.jobQueue.start(queues);
    if (!this.options.work) return;
    this.workers.start(handlers);
    this.recurring.start(queues);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.recurring.stop();
    await this.workers.stop();
    await this.jobQueue.stop();
  }

  private discovered(): JobHandler[] {
    const instances = this.discovery.getProviders().map((provider): unknown => provider.instance);
    return [
      ...new Set(instances.filter((instance): instance is JobHandler => instance instanceof JobHandler)),
    ];
  }
}

function refuseDoubles(names: readonly string[]): void {
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new Error(`queue ${double} has two handlers`);
}
