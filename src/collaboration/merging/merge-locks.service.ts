import { Database } from '#libs/database';
import { notAllowed } from '#libs/errors';
import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { MergeAttemptsRepository, type MergeAttempt } from './merge-attempts.repository';

/** A merge request as whoever merges it has seen it. */
export interface SeenMergeRequest extends Pick<MergeRequest, 'targetBranch'> {
  readonly head: Sha;
  readonly squash: boolean;
}

/** Keeps everybody else from a merge request while its target branch moves. */
@Injectable()
export class MergeLocks {
  constructor(
    private readonly database: Database,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly attempts: MergeAttemptsRepository,
  ) {}

  /** Throws 405 where it is not open, or not the same, any more. */
  begin(seen: SeenMergeRequest, attempt: MergeAttempt): Promise<void> {
    return this.database.transaction(async () => {
      const mergeRequest = await this.mergeRequests.findByIdForChange(attempt.mergeRequestId);
      const isAsSeen = mergeRequest?.headSha === seen.head && mergeRequest.targetBranch === seen.targetBranch;
      if (!isAsSeen || mergeRequest.isWorkInProgress || !mergeRequest.lock()) throw notAllowed();
      mergeRequest.squash = seen.squash;
      mergeRequest.mergeError = null;
      await this.mergeRequests.save(mergeRequest);
      await this.attempts.begin(attempt);
    });
  }

  /** Opens it again after a merge that did not come about; `error` tells people why. */
  giveUp(mergeRequestId: number, error: string): Promise<void> {
    return this.database.transaction(async () => {
      const mergeRequest = await this.mergeRequests.findByIdForChange(mergeRequestId);
      await this.attempts.end(mergeRequestId);
      if (!mergeRequest?.unlock()) return;
      mergeRequest.mergeError = error;
      await this.mergeRequests.save(mergeRequest);
    });
  }

  /** Notes why a merge that nobody waited for did not come about. */
  fail(mergeRequestId: number, error: string): Promise<void> {
    return this.database.transaction(async () => {
      const mergeRequest = await this.mergeRequests.findByIdForChange(mergeRequestId);
      if (!mergeRequest?.isOpen) return;
      mergeRequest.mergeError = error;
      await this.mergeRequests.save(mergeRequest);
    });
  }
}
