import { Database } from '#libs/database';
import { notFound, requireUnmodified } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { headsToForget } from '../merge-request-versions/forget-heads.job';
import { MergeRequestsRepository } from './merge-requests.repository';

/** Ends merge requests for good. */
@Injectable()
export class MergeRequestRemoval {
  constructor(
    private readonly database: Database,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly jobs: Jobs,
  ) {}

  /** All that hangs on it goes with it. Throws "404 Not found", also the second time. */
  remove({ id: projectId }: Project, iid: number, unmodifiedSince: Date | null): Promise<void> {
    return this.database.transaction(async () => {
      const mergeRequest = await this.mergeRequests.findForRemoval(projectId, iid);
      if (!mergeRequest) throw notFound();
      requireUnmodified(mergeRequest.updatedAt, unmodifiedSince);
      await this.mergeRequests.remove(mergeRequest.id);
      await this.jobs.enqueue(headsToForget, { projectId, iid });
    });
  }
}
