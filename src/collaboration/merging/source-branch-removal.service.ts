import { signedIn } from '#libs/access';
import { DomainError, forbidden } from '#libs/errors';
import { RefConflictError, ZERO_SHA } from '#libs/git';
import { Injectable, Logger } from '@nestjs/common';
import {
  ActingUsers,
  branchRef,
  PushRights,
  RefMoves,
  Repositories,
  type Project,
  type PushCheck,
} from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { SourceVersions } from '../merge-request-versions/source-versions.service';
import { MergeAttemptsRepository } from './merge-attempts.repository';

/** Takes away branches that have done their work. */
@Injectable()
export class SourceBranchRemoval {
  private readonly logger = new Logger(SourceBranchRemoval.name);

  constructor(
    private readonly sources: SourceVersions,
    private readonly users: ActingUsers,
    private readonly rights: PushRights,
    private readonly moves: RefMoves,
    private readonly repositories: Repositories,
    private readonly attempts: MergeAttemptsRepository,
  ) {}

  /**
   * Removes the source branch of what has been merged, if it stands where it was merged and is neither protected nor the
   * default branch. Where the author wanted it gone that is done in their name, else in that of whoever merged it. What
   * is refused stays, and harms nobody. The merge is noted until then: where a process dies, or a repository is busy,
   * recovery tries again.
   */
  async remove(target: Project, mergeRequest: MergeRequest): Promise<void> {
    try {
      await this.tryRemoving(target, mergeRequest);
      await this.attempts.removedSourceBranch(mergeRequest.id);
    } catch (error) {
      this.logger.error(
        { err: error, mergeRequestId: mergeRequest.id },
        'a merged branch is not removed yet',
      );
    }
  }

  private async tryRemoving(target: Project, mergeRequest: MergeRequest): Promise<void> {
    const { forceRemoveSourceBranch, authorId, mergedById } = mergeRequest;
    const source = await this.sources.projectOf(target, mergeRequest);
    const userId = forceRemoveSourceBranch ? authorId : mergedById;
    if (!source || userId === null) return;
    try {
      await this.removeAs(userId, source, mergeRequest);
    } catch (error) {
      const isRefusal = error instanceof DomainError && error.detail.kind !== 'unavailable';
      if (!isRefusal && !(error instanceof RefConflictError)) throw error;
      this.logger.warn({ err: error, mergeRequestId: mergeRequest.id }, 'a merged branch was not removed');
    }
  }

  private async removeAs(userId: number, source: Project, mergeRequest: MergeRequest): Promise<void> {
    const { sourceBranch, headSha } = mergeRequest;
    const actor = await this.users.find(userId, source);
    if (!actor || headSha === null) return;
    const user = signedIn(actor);
    const check: PushCheck = async (project, rules) => {
      const rights = await this.rights.branches(actor, project, rules);
      const isKept = sourceBranch === project.defaultBranch || rights.isProtected(sourceBranch);
      if (isKept || !rights.mayManageRefs || !rights.mayPush(sourceBranch)) throw forbidden();
    };
    await this.moves.lockedAnew(source, check, async (project, rule) => {
      const ref = branchRef(sourceBranch);
      if ((await this.repositories.open(project).ref(ref)) !== headSha) return;
      const updates = [{ ref, oldSha: headSha, newSha: ZERO_SHA }];
      await this.moves.push({ project, user, updates, rule });
    });
  }
}
