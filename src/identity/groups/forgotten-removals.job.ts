import { Database } from '#libs/database';
import { defineQueue, JobHandler, Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { NamespaceRemovalRepository } from '../namespaces/namespace-removal.repository';
import { groupRemovals } from './group-removal.job';

/** Longer than all attempts of a removal take. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;
const MOST_AT_ONCE = 100;

/** Begins again with groups whose removal was given up, say while a storage was away. */
@Injectable()
export class ResumeGroupRemovals extends JobHandler {
  readonly queue = defineQueue('identity.resume_group_removals', {
    expireInSeconds: 60,
    everyMinutes: 24 * 60,
  });

  constructor(
    private readonly database: Database,
    private readonly rows: NamespaceRemovalRepository,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async run(): Promise<void> {
    const ids = await this.rows.forgotten(new Date(Date.now() - PATIENCE_MS), MOST_AT_ONCE);
    await this.database.transaction(() =>
      this.jobs.enqueueAll(ids.map((groupId) => ({ queue: groupRemovals, data: { groupId } }))),
    );
  }
}
