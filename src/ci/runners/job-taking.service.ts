import { Injectable, Logger } from '@nestjs/common';
import { JobCredentials } from '../../identity/identity.api';
import type { FailureReason } from '../jobs/failure-reasons';
import { JobChanges } from '../jobs/job-changes';
import { JobEndings } from '../jobs/job-endings.service';
import type { Job } from '../jobs/job.entity';
import { JobQueueRepository, type OfferedJob } from '../jobs/job-queue.repository';
import { TakenJobs } from './taken-jobs.service';
import type { TakenJob } from './job-payload';
import { timeoutOf } from './job-payload';
import type { Runner } from './runner.entity';
import { RunnersRepository } from './runners.repository';

/** What a runner says that it is able to do. */
export type RunnerFeatures = Readonly<Record<string, unknown>>;

interface BegunJob {
  readonly job: Job;
  readonly token: string;
}

/** So many jobs that turn out not to be for a runner are looked at before it is told that there is none. */
const MOST_ATTEMPTS = 20;
/** What a job's token outlives the job's time by, for the last uploads. */
const GRACE_SECONDS = 60 * 60;
const MILLISECONDS = 1000;

/** Hands jobs out to runners, each job to one. */
@Injectable()
export class JobTaking {
  private readonly logger = new Logger(JobTaking.name);

  constructor(
    private readonly queue: JobQueueRepository,
    private readonly endings: JobEndings,
    private readonly changes: JobChanges,
    private readonly credentials: JobCredentials,
    private readonly runners: RunnersRepository,
    private readonly takenJobs: TakenJobs,
  ) {}

  /** The next job for the runner, which runs from now on; null where there is none. */
  async next(runner: Runner, features: RunnerFeatures): Promise<TakenJob | null> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const offered = await this.queue.offer(runner.id);
      if (!offered) return null;
      const taken = await this.take(offered, runner, features);
      if (taken) return taken;
    }
    return null;
  }

  /**
   * Takes back a job whose runner went away before it was told of it, so that another one need not wait until this one
   * counts as dead. Nothing where the job has been canceled meanwhile.
   */
  async giveBack({ job: { id }, runner }: TakenJob): Promise<void> {
    await this.endings.change(id, async (job) => {
      if (!job.may('release') || job.runnerId !== runner.id) return false;
      if (job.jobTokenDigest) await this.credentials.revoke([job.jobTokenDigest]);
      job.release(new Date());
      await this.changes.record([job]);
      return true;
    });
    this.logger.warn({ job: id, runner: runner.id }, 'a runner went away while it was given a job');
  }

  private async take(
    { jobId, pipelineId }: OfferedJob,
    runner: Runner,
    features: RunnerFeatures,
  ): Promise<TakenJob | null> {
    const begun: BegunJob[] = [];
    await this.endings.changeIn(pipelineId, jobId, async (job) => {
      if (!job.may('run')) {
        // Canceled between offer and now: only its place in the queue is left.
        await this.queue.remove([jobId]);
        return false;
      }
      if (!(await this.runners.stays(runner.id))) return false;
      const obstacle = await this.obstacleTo(job, features);
      if (obstacle) {
        await this.endings.fail(job, obstacle);
        return true;
      }
      begun.push({ job, token: await this.begin(job, runner) });
      return 'begun';
    });
    const [only] = begun;
    return only ? this.describe(only, runner) : null;
  }

  private async begin(job: Job, runner: Runner): Promise<string> {
    const now = new Date();
    const seconds = timeoutOf(job, runner) + GRACE_SECONDS;
    const expiresAt = new Date(now.getTime() + seconds * MILLISECONDS);
    const { secret, digest } = await this.credentials.issue(job.id, job.record.authorId, expiresAt);
    job.run(runner.id, digest, now);
    await this.changes.record([job]);
    return secret;
  }

  /** Why no runner of this kind can run it, or none at all. */
  private async obstacleTo(job: Job, features: RunnerFeatures): Promise<FailureReason | null> {
    const { reports = {} } = job.definition.artifacts ?? {};
    const needsUploads = Object.keys(reports).length > 0;
    if (needsUploads && features['upload_multiple_artifacts'] !== true) return 'runner_unsupported';
    if (job.record.ref.startsWith('refs/') && features['refspecs'] !== true) return 'runner_unsupported';
    return (await this.takenJobs.areDependenciesThere(job)) ? null : 'missing_dependency_failure';
  }

  /** A job that nobody can be told of has failed, and the runner gets another one. */
  private async describe({ job, token }: BegunJob, runner: Runner): Promise<TakenJob | null> {
    try {
      return await this.takenJobs.describe(job, runner, token);
    } catch (error) {
      this.logger.error({ err: error, job: job.id }, 'a job could not be described to its runner');
      await this.endings.end(job.id, { is: 'failed', reason: 'data_integrity_failure' });
      return null;
    }
  }
}
