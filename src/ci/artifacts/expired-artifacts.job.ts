import { Database } from '#libs/database';
import { clearInBatches, defineQueue, JobHandler, type JobRun } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { JobArtifactsRepository } from './job-artifacts.repository';
import { JobFileRemovals } from './job-file-removals';

const BATCH = 500;

const expiry = defineQueue('ci.expire_artifacts', { expireInSeconds: 3_600, everyMinutes: 10 });

/** Removes artifacts whose time is up; until then nobody gets them any more anyway. */
@Injectable()
export class ExpireArtifacts extends JobHandler {
  readonly queue = expiry;

  constructor(
    private readonly database: Database,
    private readonly artifacts: JobArtifactsRepository,
    private readonly removals: JobFileRemovals,
  ) {
    super();
  }

  run(_data: object, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    return clearInBatches(BATCH, signal, (most) => this.database.transaction(() => this.removeSome(most)));
  }

  private async removeSome(most: number): Promise<number> {
    const places = await this.artifacts.removeExpired(most);
    await this.removals.plan(places);
    return places.length;
  }
}
