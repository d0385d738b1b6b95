import { JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { delayedJobs } from './delayed-jobs.queue';
import { JobEndings } from './job-endings.service';
import { JobMoves } from './job-moves';
import { StuckJobsRepository } from './stuck-jobs.repository';

const BATCH = 100;
/** What is left waits for the next run. */
const MOST_BATCHES = 100;

/** Starts jobs whose delay is over. */
@Injectable()
export class StartDelayedJobs extends JobHandler {
  readonly queue = delayedJobs;

  constructor(
    private readonly delayed: StuckJobsRepository,
    private readonly endings: JobEndings,
    private readonly moves: JobMoves,
  ) {
    super();
  }

  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    let last = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      const due = await this.delayed.due(last, BATCH);
      for (const id of due) {
        signal.throwIfAborted();
        await this.start(id);
        last = id;
      }
      if (due.length < BATCH) return;
    }
  }

  private start(id: number) {
    return this.endings.change(id, async (job) => {
      if (job.status !== 'scheduled') return false;
      await this.moves.enqueue([job.id]);
      return true;
    });
  }
}
