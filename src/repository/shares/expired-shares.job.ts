import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { SharesRepository } from './shares.repository';

const BATCH = 1_000;
/** What is left waits for the next hour. */
const MOST_BATCHES = 1_000;

export const shareExpiry = defineQueue('repository.expire_shares', {
  expireInSeconds: 15 * 60,
  everyMinutes: 60,
});

/** Clears shares away whose time is over. They count no longer since then: this only keeps the table small. */
@Injectable()
export class ExpiredShares extends JobHandler {
  readonly queue = shareExpiry;

  constructor(private readonly shares: SharesRepository) {
    super();
  }

  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      signal.throwIfAborted();
      if ((await this.shares.removeExpired(BATCH)) < BATCH) return;
    }
  }
}
