import { clearInBatches, defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { OAuthRemainsRepository } from './oauth-remains.repository';

const oauthCleanup = defineQueue('oauth.clean_up', {
  expireInSeconds: 300,
  onePerKey: true,
  everyMinutes: 60,
});

/** Rows of one statement: small enough to hold no lock for long. */
const BATCH = 1000;

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
      await clearInBatches(BATCH, signal, (limit) => this.remains.remove(kind, limit));
    }
  }
}
