import { atLeast, PROJECT_POLICY, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { ProtectedBranchesRepository } from '../protected-branches/protected-branches.repository';

/** Who may move which branch. Asked by every way in which a branch can move: files, commits, branches, git push. */
@Injectable()
export class PushRights {
  constructor(private readonly protectedBranches: ProtectedBranchesRepository) {}

  /**
   * Whether the actor may push to the branch. The first branch of an empty repository becomes the protected default
   * branch, so only maintainers may make it.
   */
  async mayPush(actor: Actor, project: Project, branch: string): Promise<boolean> {
    const mayPushTo = await this.pushable(actor, project);
    return mayPushTo(branch);
  }

  /** The same question for many branches of one project, at the cost of one look at its rules. */
  async pushable(actor: Actor, project: Project): Promise<(branch: string) => boolean> {
    if (!PROJECT_POLICY.push_code(actor, project)) return () => false;
    if (project.defaultBranch === null) {
      const allowed = atLeast('maintainer')(actor, project);
      return () => allowed;
    }
    const rules = await this.protectedBranches.rulesFor(project.id, actor);
    return (branch) => rules.allows(actor, 'push', branch);
  }
}
