import { Database } from '#libs/database';
import { defineQueue, JobHandler, Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { UserDeletionRepository } from './user-deletion.repository';
import { userRemovals } from './user-removal.job';

/** Longer than all attempts of a removal take. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;
const MOST_AT_ONCE = 100;

/** Begins again with users whose removal was given up, say while a storage was away; their groups have a job of their own. */
@Injectable()
export class ResumeUserRemovals extends JobHandler {
  readonly queue = defineQueue('identity.resume_user_removals', {
    expireInSeconds: 60,
    everyMinutes: 24 * 60,
  });

  constructor(
    private readonly database: Database,
    private readonly users: UserDeletionRepository,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async run(): Promise<void> {
    const ids = await this.users.forgotten(new Date(Date.now() - PATIENCE_MS), MOST_AT_ONCE);
    await this.database.transaction(() =>
      this.jobs.enqueueAll(ids.map((userId) => ({ queue: userRemovals, data: { userId, groupIds: [] } }))),
    );
  }
}
