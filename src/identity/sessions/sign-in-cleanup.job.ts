import { clearInBatches, defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { SignInFailures } from '../passwords/sign-in-failures.repository';
import { SessionsRepository } from './sessions.repository';

const HOURLY = defineQueue('identity.clean_up_sign_ins', {
  expireInSeconds: 300,
  onePerKey: true,
  everyMinutes: 60,
});
const BATCH = 1_000;

/** Removes sessions that are over and failures that no longer count. */
@Injectable()
export class SignInCleanup extends JobHandler {
  readonly queue = HOURLY;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly failures: SignInFailures,
  ) {
    super();
  }

  async run(_data: object, { signal }: JobRun): Promise<void> {
    await clearInBatches(BATCH, signal, (limit) => this.sessions.removeExpired(limit));
    await clearInBatches(BATCH, signal, (limit) => this.failures.removeForgotten(limit));
  }
}
