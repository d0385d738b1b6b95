import { clearInBatches, defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { SharesRepository } from './shares.repository';

const BATCH = 1_000;

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

  run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    return clearInBatches(BATCH, signal, (limit) => this.shares.removeExpired(limit));
  }
}
