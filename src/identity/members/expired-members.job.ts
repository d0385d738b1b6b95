import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { MembersRepository } from './members.repository';

const BATCH = 1_000;
/** What is left waits for the next hour. */
const MOST_BATCHES = 1_000;

export const memberExpiry = defineQueue('identity.expire_members', {
  expireInSeconds: 15 * 60,
  everyMinutes: 60,
});

/** Clears memberships away whose time is over. They count no longer since then: this only keeps the table small. */
@Injectable()
export class ExpiredMembers extends JobHandler {
  readonly queue = memberExpiry;

  constructor(private readonly members: MembersRepository) {
    super();
  }

  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      signal.throwIfAborted();
      if ((await this.members.removeExpired(BATCH)) < BATCH) return;
    }
  }
}
