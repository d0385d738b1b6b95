import type { Actor } from '#libs/access';
import type { ProtectedAction, ProtectedBranch } from './protected-branch.entity';

/** The rules on one project's branches, and the groups through which the actor may pass them. */
export class BranchRules {
  constructor(
    private readonly rules: readonly ProtectedBranch[],
    private readonly actorGroupIds: ReadonlySet<number> = new Set(),
  ) {}

  isProtected(branch: string): boolean {
    return this.rules.some((rule) => rule.covers(branch));
  }

  /** The most permissive rule that covers the branch decides; an unprotected branch is open to whoever may push. */
  allows(actor: Actor, action: ProtectedAction, branch: string): boolean {
    const covering = this.rules.filter((rule) => rule.covers(branch));
    if (covering.length === 0) return true;
    return covering.some((rule) =>
      rule.accessFor(action).some((entry) => entry.grants(actor, this.actorGroupIds)),
    );
  }

  /** Some rule that covers the branch lets developers do it. */
  allowsDevelopers(action: ProtectedAction, branch: string): boolean {
    const covering = this.rules.filter((rule) => rule.covers(branch));
    return covering.some((rule) => rule.accessFor(action).some((entry) => entry.accessLevel === 30));
  }
}
