import { atLeast, authorize, PROJECT_POLICY, type Actor } from '#libs/access';
import type { DomainError } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import type { BranchRules } from '../protected-branches/branch-rules';
import type { ProtectedBranch } from '../protected-branches/protected-branch.entity';
import { ProtectedBranchesRepository } from '../protected-branches/protected-branches.repository';
import { BranchLending } from './branch-lending.service';
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
  /** False for whoever has nothing but branches lent to them: those can be pushed to, but not be removed. */
  readonly mayManageRefs: boolean;
}

/** Who may move which branch. Asked by every way in which a branch can move: files, commits, branches, git push. */
@Injectable()
export class PushRights {
  constructor(
    private readonly protectedBranches: ProtectedBranchesRepository,
    private readonly lending: BranchLending,
  ) {}

  async mayPush(
    actor: Actor,
    project: Project,
    branch: string,
    rules?: readonly ProtectedBranch[],
  ): Promise<boolean> {
    const rights = await this.branches(actor, project, rules);
    return rights.mayPush(branch);
  }

  /** Whether there may be a branch that they may push to, lent ones aside; costs nothing. */
  mayPushSomewhere(actor: Actor, project: Project): boolean {
    if (!PROJECT_POLICY.push_code(actor, project)) return false;
    return project.defaultBranch !== null || atLeast('maintainer')(actor, project);
  }

  /** The same with lent branches, of which those who may push anyway need none. */
  async mayPushAnything(actor: Actor, project: Project): Promise<boolean> {
    if (PROJECT_POLICY.push_code(actor, project)) return true;
    return (await this.lending.to(actor, project)).size > 0;
  }

  /**
   * For before there is a lock, cheap for whoever pushes anyway; the rules of the branch are still to be asked. Whoever
   * may not push to the project at all and has not been lent the branch is refused as the guard does it, with 401 or
   * 403, and members to whom an empty repository is closed with `refusal`.
   */
  async requireEntry(
    actor: Actor,
    project: Project,
    branch: string,
    refusal: () => DomainError,
  ): Promise<void> {
    if (this.mayPushSomewhere(actor, project)) return;
    if (PROJECT_POLICY.push_code(actor, project)) throw refusal();
    await this.requireLent(actor, project, branch);
  }

  /** Refuses as the guard does it, with 401 or 403, who may not push to the project and has not been lent the branch. */
  async requireLent(actor: Actor, project: Project, branch: string): Promise<void> {
    if (PROJECT_POLICY.push_code(actor, project)) return;
    if ((await this.lending.to(actor, project)).has(branch)) return;
    authorize('project:push_code', actor, { kind: 'project', facts: project });
  }

  /**
   * The rights over all branches at the cost of one look at the rules. The first branch of an empty repository
   * becomes the protected default branch, so only maintainers may make it. `known` are the rules if they are at hand.
   */
  async branches(actor: Actor, project: Project, known?: readonly ProtectedBranch[]): Promise<BranchRights> {
    const mayManageRefs = PROJECT_POLICY.push_code(actor, project);
    const mayPushAtAll = this.mayPushSomewhere(actor, project);
    if (project.defaultBranch === null) {
      const answer = () => mayPushAtAll;
      return { mayPush: answer, mayMerge: answer, isProtected: () => false, mayManageRefs };
    }
    const rules = await this.protectedBranches.rulesFor(project.id, actor, known);
    if (!mayManageRefs) return borrowed(await this.lending.to(actor, project), rules);
    return {
      mayPush: (branch) => mayPushAtAll && rules.allows(actor, 'push', branch),
      mayMerge: (branch) =>
        mayPushAtAll && (rules.allows(actor, 'push', branch) || rules.allows(actor, 'merge', branch)),
      isProtected: (branch) => rules.isProtected(branch),
      mayManageRefs,
    };
  }
}

/** A protected branch is lent to nobody. */
function borrowed(lent: ReadonlySet<string>, rules: BranchRules): BranchRights {
  const may = (branch: string): boolean => lent.has(branch) && !rules.isProtected(branch);
  return {
    mayPush: may,
    mayMerge: may,
    isProtected: (branch) => rules.isProtected(branch),
    mayManageRefs: false,
  };
}
