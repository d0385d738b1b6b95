import type { Actor } from '#libs/access';

/** Which merge requests close issues. Bound in the context that owns merge requests. */
export abstract class ClosingMergeRequests {
  /** How many that the actor may see close each issue; in one query, and what none closes is left out. */
  abstract countsOf(actor: Actor, issueIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}
