import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { JobEndings } from './job-endings.service';
import { StuckJobsRepository, type StuckJob } from './stuck-jobs.repository';

const BATCH = 100;
/** What is left waits for the next run. */
const MOST_BATCHES = 100;

const sweep = defineQueue('ci.fail_stuck_jobs', { expireInSeconds: 3_600, everyMinutes: 5 });

/** Fails jobs that nobody will ever end: no runner takes them, or the runner is dead. */
@Injectable()
export class FailStuckJobs extends JobHandler {
  readonly queue = sweep;
  private readonly logger = new Logger(FailStuckJobs.name);

  constructor(
    private readonly stuck: StuckJobsRepository,
    private readonly endings: JobEndings,
  ) {
    super();
  }

  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    await this.failAll((after, most) => this.stuck.running(after, most), signal);
    await this.failAll((after, most) => this.stuck.waiting(after, most), signal);
    await this.failAll((after, most) => this.stuck.stale(after, most), signal);
  }

  private async failAll(
    find: (afterId: number, most: number) => Promise<StuckJob[]>,
    signal: AbortSignal,
  ): Promise<void> {
    let last = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      const found = await find(last, BATCH);
      for (const { jobId, reason } of found) {
        signal.throwIfAborted();
        await this.endings.end(jobId, { is: 'failed', reason });
        this.logger.log({ job: jobId, reason }, 'a stuck job was failed');
        last = jobId;
      }
      if (found.length < BATCH) return;
    }
  }
}
