import { Database } from '#libs/database';
import { Events } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { JobCredentials } from '../../identity/identity.api';
import { WaitingRunners } from '../runners/waiting-runners';
import { jobChanged } from './job-changed.event';
import type { Job } from './job.entity';
import { JobQueueRepository } from './job-queue.repository';
import { JobsRepository } from './jobs.repository';

/** Records what moves have made of jobs, with all that follows from their status. */
@Injectable()
export class JobChanges {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobsRepository,
    private readonly queue: JobQueueRepository,
    private readonly credentials: JobCredentials,
    private readonly events: Events,
    private readonly runners: WaitingRunners,
  ) {}

  /**
   * In the transaction of the moves, under the lock of the pipeline. Who waits for a runner stands in the queue, who
   * has ended has no token, and hooks are told. A constant number of statements.
   */
  async record(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.jobs.save(jobs);
    const pending = jobs.filter(({ status }) => status === 'pending');
    const others = jobs.filter(({ status }) => status !== 'pending');
    if (pending.length > 0) {
      await this.queue.add(pending);
      await this.database.afterCommit(() => this.runners.tell());
    }
    if (others.length > 0) await this.queue.remove(others.map(({ id }) => id));
    const ended = others.filter(({ isFinished }) => isFinished);
    await this.credentials.revoke(ended.flatMap(({ jobTokenDigest }) => jobTokenDigest ?? []));
    await this.tell(jobs);
  }

  private async tell(jobs: readonly Job[]): Promise<void> {
    await this.events.emitAll(
      jobs.map(({ id, projectId, pipelineId, status }) => ({
        name: jobChanged.name,
        payload: { projectId, pipelineId, jobId: id, status },
      })),
    );
  }
}
