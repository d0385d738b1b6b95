import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { JobHolders } from '../job-tokens/job-holders.service';
import { failureReasonOf } from '../jobs/failure-reasons';
import { JobEndings, type Outcome } from '../jobs/job-endings.service';
import type { Job } from '../jobs/job.entity';
import { JobsRepository } from '../jobs/jobs.repository';
import type { CiStatus } from '../pipelines/status';
import { coverageIn } from '../traces/coverage';
import { Traces, type Appended, type TracePiece } from '../traces/traces.service';

/** What a runner says of the job it works on. */
export interface JobReport {
  readonly token: string;
  readonly state?: string | undefined;
  readonly failureReason?: string | undefined;
  /** The whole log, from runners that do not send it in pieces. */
  readonly trace?: string | undefined;
}

export interface Reported {
  /** The job's status after the report. */
  readonly status: CiStatus;
  /** False where the job no longer ran, so that nothing was taken of it. */
  readonly isTaken: boolean;
}

/** Reports of runners on the jobs that they run. All throws as JobHolders does. */
@Injectable()
export class RunnerReports {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly holders: JobHolders,
    private readonly traces: Traces,
    private readonly endings: JobEndings,
  ) {}

  async report(jobId: number, { token, state, failureReason, trace }: JobReport): Promise<Reported> {
    const job = await this.holders.require(jobId, token);
    if (!job.isRunning) return { status: job.status, isTaken: false };
    if (trace !== undefined) await this.traces.replace(jobId, token, trace);
    if (state === 'success') return this.end(job, { is: 'success' });
    if (state === 'failed') return this.end(job, { is: 'failed', reason: failureReasonOf(failureReason) });
    await this.jobs.noteContact(jobId);
    return { status: job.status, isTaken: true };
  }

  /** Before so much of a body is read that strangers could fill the memory with it. */
  async requireHolder(jobId: number, token: string): Promise<void> {
    await this.holders.require(jobId, token);
  }

  /** A piece of the log. A job that writes too much of it has failed. */
  async append(jobId: number, piece: TracePiece): Promise<Appended> {
    const appended = await this.traces.append(jobId, piece);
    if (appended.kind !== 'full') return appended;
    const status = await this.endings.end(jobId, { is: 'failed', reason: 'trace_size_exceeded' });
    return { kind: 'not_running', status: status ?? 'failed' };
  }

  private async end(job: Job, outcome: Outcome): Promise<Reported> {
    const status = await this.endings.end(job.id, outcome, await this.coverageOf(job));
    if (status === null) throw notFound();
    return { status, isTaken: status === outcome.is };
  }

  private async coverageOf({ id, coverageRegex }: Job): Promise<number | null> {
    if (coverageRegex === null) return null;
    // Read anew: the report may have brought the whole log.
    const job = await this.jobs.find(id);
    return job && coverageIn(await this.traces.tail(job), coverageRegex);
  }
}
