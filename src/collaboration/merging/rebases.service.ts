import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { conflict, notFound } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import { RebaseRights } from './rebase-rights.service';
import { rebases } from './rebase.queue';

/** Rebases that people ask for. */
@Injectable()
export class Rebases {
  constructor(
    private readonly database: Database,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly readable: MergeRequests,
    private readonly rights: RebaseRights,
    private readonly jobs: Jobs,
  ) {}

  /** Has it rebased after the answer; one that is under way is not begun again. Throws 403, 404, and 409 for what is not open. */
  async begin(actor: Actor, project: Project, iid: number): Promise<MergeRequest> {
    const seen = await this.readable.require(actor, project, iid);
    const userId = signedIn(actor).id;
    await this.rights.require(userId, project, seen);
    return this.database.transaction(async () => {
      const mergeRequest = await this.mergeRequests.findByIdForChange(seen.id);
      if (!mergeRequest) throw notFound();
      if (!mergeRequest.isOpen) throw conflict('The merge request is not open');
      if (mergeRequest.rebaseInProgressSince !== null) return mergeRequest;
      mergeRequest.rebaseInProgressSince = new Date();
      mergeRequest.mergeError = null;
      await this.mergeRequests.save(mergeRequest);
      await this.jobs.enqueue(rebases, { mergeRequestId: mergeRequest.id, userId });
      return mergeRequest;
    });
  }

  /** Under way no more; `error` tells people why it came to nothing. */
  end(mergeRequestId: number, error: string | null): Promise<void> {
    return this.database.transaction(async () => {
      const mergeRequest = await this.mergeRequests.findByIdForChange(mergeRequestId);
      if (!mergeRequest || mergeRequest.rebaseInProgressSince === null) return;
      mergeRequest.rebaseInProgressSince = null;
      if (error !== null) mergeRequest.mergeError = error;
      await this.mergeRequests.save(mergeRequest);
    });
  }
}
