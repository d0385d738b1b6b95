import { Injectable } from '@nestjs/common';
import { branchRef, ProjectsRepository, Repositories, type Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { MergeAttemptsRepository, type BegunAttempt } from './merge-attempts.repository';
import { MergeCompletion } from './merge-completion.service';
import { MergeLocks } from './merge-locks.service';

/** Whoever began it has the lock, and has lost it only when its connection broke: it may still be at work. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/** A merge that its own process did not end. */
export interface RecoveredMerge {
  readonly project: Project;
  readonly merged: MergeRequest;
}

/** Ends merges whose process died between the move of the branch and the record of it. */
@Injectable()
export class MergeRecovery {
  constructor(
    private readonly attempts: MergeAttemptsRepository,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly completion: MergeCompletion,
    private readonly locks: MergeLocks,
  ) {}

  /**
   * The caller holds the lock of the target's repository. Writes down that it was merged, if it was, else opens it
   * again. Answers what has been merged and is to lose its source branch.
   */
  async settle(mergeRequestId: number): Promise<RecoveredMerge | null> {
    const attempt = await this.attempts.find(mergeRequestId);
    const mergeRequest = attempt && (await this.mergeRequests.findById(mergeRequestId));
    const project = mergeRequest && (await this.projects.find(mergeRequest.projectId));
    if (!project) return null;
    const merged = await this.merged(project, mergeRequest, attempt);
    return merged && attempt.removesSourceBranch ? { project, merged } : null;
  }

  private async merged(
    project: Project,
    mergeRequest: MergeRequest,
    attempt: BegunAttempt,
  ): Promise<MergeRequest | null> {
    const { id, state } = mergeRequest;
    if (state === 'merged') {
      // People may have opened them again since.
      if (!attempt.closedIssues) await this.completion.follow(project, mergeRequest);
      return mergeRequest;
    }
    if (await this.tookEffect(project, mergeRequest, attempt))
      return this.completion.complete(project, id, { ...attempt, at: attempt.begunAt });
    const isAbandoned = Date.now() - attempt.begunAt.getTime() > ABANDONED_AFTER_MS;
    if (isAbandoned) await this.locks.giveUp(id, 'Something went wrong during merge');
    return null;
  }

  private async tookEffect(
    project: Project,
    { targetBranch }: MergeRequest,
    { tipSha }: BegunAttempt,
  ): Promise<boolean> {
    const repository = this.repositories.open(project);
    const tip = await repository.ref(branchRef(targetBranch));
    if (tip === null || (await repository.commit(tipSha)) === null) return false;
    return repository.isAncestor(tipSha, tip);
  }
}
