import { PROJECT_POLICY, type Actor, type ActorUser } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { ActingUsers } from '../callers/acting-users';
import type { Project } from '../projects/project.entity';
import { ProjectsRepository } from '../projects/projects.repository';
import { ProtectedBranchesRepository } from '../protected-branches/protected-branches.repository';
import { LentBranches, type LentBranch } from './lent-branches';

const NONE: ReadonlySet<string> = new Set();

/** Which branches of a project they may push to who are none of its developers. */
@Injectable()
export class BranchLending {
  constructor(
    private readonly lent: LentBranches,
    private readonly users: ActingUsers,
    private readonly projects: ProjectsRepository,
    private readonly protectedBranches: ProtectedBranchesRepository,
  ) {}

  /**
   * Names of branches, protected ones among them. What is lent to somebody in the target gives them no right to merge
   * there that they would lend on, so that nothing goes round in circles.
   */
  async to(actor: Actor, project: Project): Promise<ReadonlySet<string>> {
    const { user } = actor;
    const mayBorrow = user !== null && PROJECT_POLICY.borrow_branches(actor, project);
    if (!mayBorrow || project.defaultBranch === null) return NONE;
    const byTarget = new Map<number, LentBranch[]>();
    for (const branch of await this.lent.of(project, user)) {
      const others = byTarget.get(branch.targetProjectId) ?? [];
      byTarget.set(branch.targetProjectId, [...others, branch]);
    }
    const names = new Set<string>();
    for (const [targetId, branches] of byTarget)
      for (const name of await this.mergeable(user, targetId, branches)) names.add(name);
    return names;
  }

  /** Of branches whose changes go to that project, those that the user may merge into it. */
  private async mergeable(
    user: ActorUser,
    targetId: number,
    branches: readonly LentBranch[],
  ): Promise<string[]> {
    const target = await this.projects.find(targetId);
    const actor = target && (await this.users.find(user.id, target));
    const mayMerge =
      actor && PROJECT_POLICY.push_code(actor, target) && PROJECT_POLICY.read_merge_requests(actor, target);
    if (!mayMerge) return [];
    const rules = await this.protectedBranches.rulesFor(target.id, actor);
    return branches
      .filter(({ targetBranch }) =>
        (['push', 'merge'] as const).some((action) => rules.allows(actor, action, targetBranch)),
      )
      .map(({ branch }) => branch);
  }
}
