import { conflict } from '#libs/errors';
import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import {
  branchRef,
  personOf,
  RefMoves,
  Repositories,
  requireKeptHistory,
  type Project,
} from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { RebaseRights, type Rebaser } from './rebase-rights.service';

/** Writes source branches anew on top of their targets. */
@Injectable()
export class SourceRebasing {
  constructor(
    private readonly rights: RebaseRights,
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
  ) {}

  /**
   * The commits are written while the branch is open to everybody; it moves only if nobody else has moved it meanwhile.
   * Throws 403 and 400 as for a push (a protected branch is not written anew), 409 where the branch has moved, and MergeConflictError.
   */
  async rebase(project: Project, mergeRequest: MergeRequest, userId: number): Promise<void> {
    const rebaser = await this.rights.require(userId, project, mergeRequest);
    const ref = branchRef(mergeRequest.sourceBranch);
    const repository = this.repositories.open(rebaser.source);
    const branch = await repository.ref(ref);
    const onto = await this.target(project, rebaser.source, mergeRequest.targetBranch);
    if (branch === null || onto === null) throw conflict('A branch of the merge request is gone');
    const tip = await repository.rebase({ branch, onto, committer: personOf(rebaser.user) });
    if (tip !== branch)
      await this.move(rebaser, mergeRequest.sourceBranch, { ref, oldSha: branch, newSha: tip });
  }

  /** The target's tip, brought to the source's repository. */
  private async target(project: Project, source: Project, branch: string): Promise<Sha | null> {
    const tip = await this.repositories.open(project).ref(branchRef(branch));
    if (tip === null || source.id === project.id) return tip;
    await this.repositories.open(source).fetchObjects(this.repositories.locate(project), [tip]);
    return tip;
  }

  private move(
    { source, user, check }: Rebaser,
    branch: string,
    update: { ref: string; oldSha: Sha; newSha: Sha },
  ) {
    return this.moves.lockedAnew(source, check, async (current, rule, rules) => {
      const repository = this.repositories.open(current);
      if ((await repository.ref(update.ref)) !== update.oldSha)
        throw conflict('The source branch has been updated since the rebase was requested');
      await requireKeptHistory(repository, rules, branch, update);
      await this.moves.push({ project: current, user, updates: [update], rule });
    });
  }
}
