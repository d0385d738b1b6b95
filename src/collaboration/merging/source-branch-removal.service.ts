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
import { SourceVersions } from '../merge-requests/source-versions.service';

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
  ) {}

  /**
   * Removes the source branch of what has been merged, if it stands where it was merged and is neither protected nor the
   * default branch. Where the author wanted it gone that is done in their name, else in that of whoever merged it. What
   * is refused stays, and harms nobody.
   */
  async remove(target: Project, mergeRequest: MergeRequest): Promise<void> {
    const { forceRemoveSourceBranch, authorId, mergedById } = mergeRequest;
    const source = await this.sources.projectOf(target, mergeRequest);
    const userId = forceRemoveSourceBranch ? authorId : mergedById;
    if (!source || userId === null) return;
    try {
      await this.removeAs(userId, source, mergeRequest);
    } catch (error) {
      if (!(error instanceof DomainError) && !(error instanceof RefConflictError)) throw error;
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
      if (isKept || !rights.mayPush(sourceBranch)) throw forbidden();
    };
    await this.moves.lockedAnew(source, check, async (project, rule) => {
      const ref = branchRef(sourceBranch);
      if ((await this.repositories.open(project).ref(ref)) !== headSha) return;
      const updates = [{ ref, oldSha: headSha, newSha: ZERO_SHA }];
      await this.moves.push({ project, user, updates, rule });
    });
  }
}
