import { defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { OAuthRemainsRepository } from './oauth-remains.repository';

const oauthCleanup = defineQueue('oauth.clean_up', {
  expireInSeconds: 300,
  onePerKey: true,
  everyMinutes: 60,
});

/** Rows of one statement: small enough to hold no lock for long. */
const BATCH = 1000;
/** What is left then, the next hour takes. */
const MOST_BATCHES = 100;

/** Removes what has ended: codes, tokens and grants that nobody can use any more. */
@Injectable()
export class OAuthCleanup extends JobHandler {
  readonly queue = oauthCleanup;

  constructor(private readonly remains: OAuthRemainsRepository) {
    super();
  }

  async run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    // Grants last, since they take with them what hangs on them.
    for (const kind of ['codes', 'refreshTokens', 'accessTokens', 'grants'] as const) {
      for (let batch = 0; batch < MOST_BATCHES && !signal.aborted; batch += 1) {
        if ((await this.remains.remove(kind, BATCH)) < BATCH) break;
      }
    }
  }
}
