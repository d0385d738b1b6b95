import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { PipelineProcessing } from '../pipelines/pipeline-processing';
import type { CiStatus } from '../pipelines/status';
import type { FailureReason } from './failure-reasons';
import { JobChanges } from './job-changes';
import { JobMoves } from './job-moves';
import type { Job } from './job.entity';
import { JobsRepository } from './jobs.repository';

/** How a job has ended. */
export type Outcome = { readonly is: 'success' } | { readonly is: 'failed'; readonly reason: FailureReason };

/**
 * What became of a job: nothing; something by which the turn of others may have come; or it has merely begun, so that
 * its pipeline need only be counted anew.
 */
export type Effect = boolean | 'begun';

/** Ends jobs that run, or that nobody will ever run, and has their pipelines go on. */
@Injectable()
export class JobEndings {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobsRepository,
    private readonly changes: JobChanges,
    private readonly moves: JobMoves,
    private readonly processing: PipelineProcessing,
  ) {}

  /**
   * Answers the job's status as it is then: another one than the outcome's where somebody was faster. A failure that
   * its configuration wants tried again is. `coverage` is what its log tells. Null where the job is gone.
   */
  async end(jobId: number, outcome: Outcome, coverage: number | null = null): Promise<CiStatus | null> {
    return this.change(jobId, async (job) => {
      if (!job.may(outcome.is === 'success' ? 'succeed' : 'fail')) return false;
      job.record.coverage = coverage ?? job.record.coverage;
      if (outcome.is === 'failed') await this.fail(job, outcome.reason);
      else {
        job.succeed(new Date());
        await this.changes.record([job]);
      }
      return true;
    });
  }

  /** In the caller's `change`. */
  async fail(job: Job, reason: FailureReason): Promise<void> {
    job.fail(reason, new Date());
    await this.changes.record([job]);
    if (job.wantsRetry()) await this.moves.repeat([job.id]);
  }

  /** Changes a job under the lock of its pipeline, which advances then unless `work` answers that nothing changed. */
  async change(jobId: number, work: (job: Job) => Promise<Effect>): Promise<CiStatus | null> {
    const pipelineId = await this.jobs.pipelineIdOf(jobId);
    return pipelineId === null ? null : this.changeIn(pipelineId, jobId, work);
  }

  /** The same for who knows the pipeline. */
  changeIn(pipelineId: number, jobId: number, work: (job: Job) => Promise<Effect>): Promise<CiStatus | null> {
    return this.database.transaction(async () => {
      const pipeline = await this.processing.lock(pipelineId);
      const job = pipeline && (await this.jobs.find(jobId, 'held'));
      if (!job) return null;
      const effect = await work(job);
      if (effect === 'begun') await this.processing.recount(pipeline);
      else if (effect) await this.processing.advance(pipelineId);
      return job.status;
    });
  }
}
