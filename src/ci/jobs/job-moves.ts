import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { JobArtifactsRepository } from '../artifacts/job-artifacts.repository';
import { JobFileRemovals } from '../artifacts/job-file-removals';
import { JobFiles } from '../artifacts/job-files';
import { delayedJobs } from './delayed-jobs.queue';
import { JobChanges } from './job-changes';
import type { Job, JobMove } from './job.entity';
import { JobsRepository } from './jobs.repository';

/** Of different times; jobs of later ones wait for the minute in which theirs is over. */
const MOST_TIMES = 20;

const soonest = (times: readonly Date[]): Date[] =>
  [...new Set(times.map((time) => time.getTime()))]
    .sort((one, other) => one - other)
    .slice(0, MOST_TIMES)
    .map((time) => new Date(time));

/**
 * Moves of jobs for whoever decides about their order. All of it in the caller's transaction, under the pipeline's
 * lock, in a constant number of statements; the pipeline itself is the caller's business.
 */
@Injectable()
export class JobMoves {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly changes: JobChanges,
    private readonly files: JobFiles,
    private readonly removals: JobFileRemovals,
    private readonly artifacts: JobArtifactsRepository,
    private readonly background: Jobs,
  ) {}

  /** They wait for a runner from now on. With a `userId` they act for that user, who has started them by hand. */
  enqueue(jobIds: readonly number[], userId: number | null = null): Promise<void> {
    const now = new Date();
    return this.move(jobIds, 'enqueue', (job) => job.enqueue(now, userId));
  }

  /** They wait for somebody to start them. */
  offer(jobIds: readonly number[]): Promise<void> {
    return this.move(jobIds, 'offer', (job) => job.offer());
  }

  /** They wait for their time, when they are looked after. */
  async schedule(jobs: readonly { readonly id: number; readonly startAfter: Date }[]): Promise<void> {
    const times = new Map(jobs.map(({ id, startAfter }) => [id, startAfter]));
    await this.move([...times.keys()], 'schedule', (job) => job.schedule(times.get(job.id) ?? new Date()));
    await this.background.enqueueAll(
      soonest([...times.values()]).map((startAfter) => ({ queue: delayedJobs, data: {}, startAfter })),
    );
  }

  skip(jobIds: readonly number[]): Promise<void> {
    const now = new Date();
    return this.move(jobIds, 'skip', (job) => job.skip(now));
  }

  /** What was skipped has another chance. */
  reopen(jobIds: readonly number[]): Promise<void> {
    return this.move(jobIds, 'reopen', (job) => job.reopen());
  }

  /** Those that have not ended. */
  cancel(jobIds: readonly number[]): Promise<void> {
    const now = new Date();
    return this.move(jobIds, 'cancel', (job) => job.cancel(now));
  }

  /**
   * Copies that wait for their turn, in the order given; the originals count as retried. With a `userId` they act for
   * that user, else for whom the originals did.
   */
  async retry(jobIds: readonly number[], userId: number | null = null): Promise<number[]> {
    const held = await this.jobs.hold(jobIds);
    const retryable = new Set(held.filter(({ isRetryable }) => isRetryable).map(({ id }) => id));
    const copies = await this.jobs.copy(
      jobIds.filter((id) => retryable.has(id)),
      userId,
    );
    await this.changes.record(await this.jobs.hold(copies));
    return copies;
  }

  /** The same for jobs that are wanted again by themselves: they wait for a runner at once, whatever starts them else. */
  async repeat(jobIds: readonly number[], userId: number | null = null): Promise<number[]> {
    const copies = await this.retry(jobIds, userId);
    await this.enqueue(copies, userId);
    return copies;
  }

  /** Before a pipeline is deleted: logs and artifacts of its jobs go with it. */
  async removeFiles(pipelineId: number): Promise<void> {
    const jobs = await this.jobs.holdAllOf(pipelineId);
    await this.artifacts.removeOfPipeline(pipelineId);
    await this.removals.plan(jobs.map((job) => this.files.folderOf(job)));
  }

  /** Those that may no longer be moved so have been moved by somebody else before: they stay as they are. */
  private async move(jobIds: readonly number[], move: JobMove, act: (job: Job) => void): Promise<void> {
    const jobs = (await this.jobs.hold(jobIds)).filter((job) => job.may(move));
    jobs.forEach(act);
    await this.changes.record(jobs);
  }
}
