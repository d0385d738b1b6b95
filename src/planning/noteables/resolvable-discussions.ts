import type { Actor } from '#libs/access';
import type { Project } from '../../repository/repository.api';

/** Discussions of a merge request that an issue takes over: all that are open, or one of them. */
export interface TakenOver {
  /** Of the project that the issue is in. */
  readonly mergeRequestIid: number;
  readonly discussionId: string | null;
}

/** Ends discussions that go on in an issue. Bound in the context that owns notes. */
export abstract class ResolvableDiscussions {
  /**
   * Resolves them, as far as they can be and the actor may, and says in the merge request which issue goes on. What is
   * not there is passed over. Call it in the transaction that opens the issue.
   */
  abstract resolve(
    actor: Actor,
    project: Project,
    taken: TakenOver,
    issue: { readonly id: number; readonly iid: number },
  ): Promise<void>;
}
