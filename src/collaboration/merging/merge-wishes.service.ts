import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { notAcceptable, notAllowed, notFound, unauthenticated } from '#libs/errors';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { MergeRequestJournal } from '../merge-requests/merge-request-journal.service';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { MergeRights } from '../merge-requests/merging-ports';
import { awaitedMerges } from './awaited-merge.queue';
import type { MergeOrder } from './merge-order';
import { staleHead } from './merge-refusals';

/** Wishes to have something merged once its pipeline has succeeded. */
@Injectable()
export class MergeWishes {
  constructor(
    private readonly database: Database,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly journal: MergeRequestJournal,
    private readonly rights: MergeRights,
    private readonly jobs: Jobs,
  ) {}

  /** Another wish replaces the one before. Throws 404, 405 and 409 where it is not what the caller has seen any more. */
  wish(
    actor: Actor,
    id: number,
    order: MergeOrder,
    shouldRemoveSourceBranch: boolean | null,
  ): Promise<MergeRequest> {
    const userId = signedIn(actor).id;
    return this.database.transaction(async () => {
      const mergeRequest = await this.forChange(id);
      if (!mergeRequest.isOpen || mergeRequest.isWorkInProgress) throw notAllowed();
      if (mergeRequest.headSha !== order.head) throw staleHead();
      const isFirst = !mergeRequest.mergeWhenPipelineSucceeds;
      mergeRequest.mergeWhenPipelineSucceedsFor({ ...order, userId, shouldRemoveSourceBranch }, new Date());
      await this.mergeRequests.save(mergeRequest);
      const sentence = `enabled an automatic merge when the pipeline for ${order.head} succeeds`;
      if (isFirst) await this.journal.note(mergeRequest, userId, 'merge', sentence);
      // The pipeline may have succeeded since it was looked at.
      await this.jobs.enqueue(awaitedMerges, { mergeRequestId: id }, { key: String(id) });
      return mergeRequest;
    });
  }

  /** Throws 401 for all but its author and those who may merge it, 405 for what is not open, 406 where nobody waits. */
  async cancel(actor: Actor, project: Project, seen: MergeRequest): Promise<MergeRequest> {
    const userId = signedIn(actor).id;
    const mayCancel =
      seen.authorId === userId || (await this.rights.mayMerge(actor, project, seen.targetBranch));
    if (!mayCancel) throw unauthenticated();
    return this.database.transaction(async () => {
      const mergeRequest = await this.forChange(seen.id);
      if (!mergeRequest.isOpen) throw notAllowed();
      if (!mergeRequest.cancelMergeWish(new Date())) throw notAcceptable("Can't cancel the automatic merge");
      await this.mergeRequests.save(mergeRequest);
      await this.journal.note(mergeRequest, userId, 'merge', 'canceled the automatic merge');
      return mergeRequest;
    });
  }

  private async forChange(id: number): Promise<MergeRequest> {
    const mergeRequest = await this.mergeRequests.findByIdForChange(id);
    if (!mergeRequest) throw notFound();
    return mergeRequest;
  }
}
