import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { jobFileRemovals } from './job-file-removals.queue';

/** So many places go into one background job. */
const BATCH = 500;

/** Has files removed once the transaction is committed in which their rows went, even if this process dies then. */
@Injectable()
export class JobFileRemovals {
  constructor(private readonly jobs: Jobs) {}

  async plan(places: readonly string[]): Promise<void> {
    for (let start = 0; start < places.length; start += BATCH) {
      await this.jobs.enqueue(jobFileRemovals, { places: places.slice(start, start + BATCH) });
    }
  }
}
