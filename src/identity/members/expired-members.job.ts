import { clearInBatches, defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { MembersRepository } from './members.repository';

const BATCH = 1_000;

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

  run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    return clearInBatches(BATCH, signal, (limit) => this.members.removeExpired(limit));
  }
}
