import { atLeast, authorize, PROJECT_POLICY, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import type { ProtectedBranch } from '../protected-branches/protected-branch.entity';
import { ProtectedBranchesRepository } from '../protected-branches/protected-branches.repository';
import type { PushCheck } from './ref-moves.service';

/** Refuses, as the endpoint did at the request's start, who may no longer push to the project at all. */
export const pushCheck =
  (actor: Actor): PushCheck =>
  (current) =>
    authorize('project:push_code', actor, { kind: 'project', facts: current });

/** What one caller may do with the branches of one project. */
export interface BranchRights {
  mayPush(branch: string): boolean;
  /** Whether a merge request of theirs may go there: they push to it, or its rule lets them merge. */
  mayMerge(branch: string): boolean;
  isProtected(branch: string): boolean;
}

/** Who may move which branch. Asked by every way in which a branch can move: files, commits, branches, git push. */
@Injectable()
export class PushRights {
  constructor(private readonly protectedBranches: ProtectedBranchesRepository) {}

  async mayPush(
    actor: Actor,
    project: Project,
    branch: string,
    rules?: readonly ProtectedBranch[],
  ): Promise<boolean> {
    const rights = await this.branches(actor, project, rules);
    return rights.mayPush(branch);
  }

  /** Whether there may be a branch that they may push to; costs nothing. */
  mayPushSomewhere(actor: Actor, project: Project): boolean {
    if (!PROJECT_POLICY.push_code(actor, project)) return false;
    return project.defaultBranch !== null || atLeast('maintainer')(actor, project);
  }

  /**
   * The rights over all branches at the cost of one look at the rules. The first branch of an empty repository
   * becomes the protected default branch, so only maintainers may make it. `known` are the rules if they are at hand.
   */
  async branches(actor: Actor, project: Project, known?: readonly ProtectedBranch[]): Promise<BranchRights> {
    const mayPushAtAll = this.mayPushSomewhere(actor, project);
    if (project.defaultBranch === null)
      return { mayPush: () => mayPushAtAll, mayMerge: () => mayPushAtAll, isProtected: () => false };
    const rules = await this.protectedBranches.rulesFor(project.id, actor, known);
    return {
      mayPush: (branch) => mayPushAtAll && rules.allows(actor, 'push', branch),
      mayMerge: (branch) =>
        mayPushAtAll && (rules.allows(actor, 'push', branch) || rules.allows(actor, 'merge', branch)),
      isProtected: (branch) => rules.isProtected(branch),
    };
  }
}
