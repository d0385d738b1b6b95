import { isAdmin, type Actor } from '#libs/access';
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

  /**
   * Whether they may take back the rule of exactly this name, having got as far as its settings: administrators always,
   * and everybody where nobody is named any more.
   */
  mayUnprotect(actor: Actor, name: string): boolean {
    if (isAdmin(actor)) return true;
    const entries = this.rules
      .filter((rule) => rule.name === name)
      .flatMap((rule) => rule.accessFor('unprotect'));
    return entries.length === 0 || entries.some((entry) => entry.grants(actor, this.actorGroupIds));
  }

  /** Some rule that covers the branch lets developers do it. */
  allowsDevelopers(action: ProtectedAction, branch: string): boolean {
    const covering = this.rules.filter((rule) => rule.covers(branch));
    return covering.some((rule) => rule.accessFor(action).some((entry) => entry.accessLevel === 30));
  }
}
