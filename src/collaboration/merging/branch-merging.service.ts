import { signedIn, type Actor } from '#libs/access';
import { conflict, DomainError, unauthenticated } from '#libs/errors';
import { MergeConflictError, RefConflictError } from '#libs/git';
import { Injectable } from '@nestjs/common';
import {
  branchRef,
  personOf,
  PushRights,
  RefMoves,
  type Project,
  type PushCheck,
} from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { JoinedCommits, type MadeMerge } from './joined-commits.service';
import { MergeCompletion } from './merge-completion.service';
import { MergeLocks } from './merge-locks.service';
import type { MergeOrder } from './merge-order';
import { cannotBeMerged } from './merge-refusals';
import { ReadyMergeRequests, type ReadyMergeRequest } from './ready-merge-requests.service';

/**
 * Moves target branches. Under the lock of the target's repository everything is asked once more, so that two merges, or
 * a merge and a push, come one after the other. The merge request is locked, and what is to become of it noted, before
 * its branch moves: whatever crashes in between is found again (MergeRecovery).
 */
@Injectable()
export class BranchMerging {
  constructor(
    private readonly moves: RefMoves,
    private readonly rights: PushRights,
    private readonly ready: ReadyMergeRequests,
    private readonly commits: JoinedCommits,
    private readonly locks: MergeLocks,
    private readonly completion: MergeCompletion,
  ) {}

  /**
   * The merged record. Throws 401 for who may not merge into the branch, what ReadyMergeRequests throws, and 400 with the
   * sentence of a push rule that is against it.
   */
  merge(
    actor: Actor,
    project: Project,
    { id, targetBranch }: Pick<MergeRequest, 'id' | 'targetBranch'>,
    order: MergeOrder,
  ): Promise<MergeRequest> {
    const check: PushCheck = async (current, rules) => {
      const rights = await this.rights.branches(actor, current, rules);
      if (!rights.mayMerge(targetBranch)) throw unauthenticated();
    };
    return this.moves.lockedAnew(project, check, async (current, rule) => {
      const seen = await this.ready.require(current, id, { head: order.head, targetBranch });
      const user = signedIn(actor);
      const made = await this.make(current, seen, order, user);
      await this.locks.begin(
        { targetBranch, ...order },
        { ...made, ...order, mergeRequestId: id, userId: user.id },
      );
      const updates = [{ ref: branchRef(targetBranch), oldSha: seen.target, newSha: made.tipSha }];
      const ownCommit = made.mergeCommitSha ?? made.squashCommitSha;
      await this.moves
        .push({ project: current, user, updates, rule, made: ownCommit })
        .catch((error: unknown) => this.failed(current, seen, error));
      const outcome = { userId: user.id, at: new Date(), ...made };
      const merged = await this.completion.complete(current, id, outcome);
      if (!merged) throw new Error(`merge request ${id} was unlocked while it was being merged`);
      return merged;
    });
  }

  private make(
    project: Project,
    { mergeRequest, head, target }: ReadyMergeRequest,
    order: MergeOrder,
    user: { readonly name: string; readonly email: string },
  ): Promise<MadeMerge> {
    const wanted = { ...order, project, mergeRequest, head, target, committer: personOf(user) };
    return this.commits.make(wanted).catch((error: unknown) => {
      throw error instanceof MergeConflictError ? cannotBeMerged() : error;
    });
  }

  /** Where the branch has moved all the same the lock stays, and recovery ends the merge. */
  private async failed(project: Project, seen: ReadyMergeRequest, error: unknown): Promise<never> {
    if (await this.ready.isUnmoved(project, seen))
      await this.locks.giveUp(seen.mergeRequest.id, reasonOf(error));
    if (!(error instanceof RefConflictError)) throw error;
    throw conflict('The target branch was updated by another change. Please try again');
  }
}

/** What people are told of a merge that came to nothing. */
function reasonOf(error: unknown): string {
  const isRefusal = error instanceof DomainError && error.detail.kind === 'bad_request';
  return isRefusal
    ? `Something went wrong during merge pre-receive hook. ${error.detail.message}`
    : 'Something went wrong during merge';
}
