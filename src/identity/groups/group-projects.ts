import type { Actor } from '#libs/access';
import type { View } from '#libs/presenting';

/** A project that knows how to show itself; its record belongs to a higher context. */
export interface PresentableProject {
  present(view: View): unknown;
}

export interface ContentsOfGroup {
  /** Projects directly in the group. */
  readonly projects: readonly PresentableProject[];
  /** Projects of elsewhere that are shared with the group. */
  readonly sharedProjects: readonly PresentableProject[];
}

/** What groups need to know of projects. Bound in the context that owns projects. */
export abstract class GroupProjects {
  /** Both lists hold what the actor may see, newest first, at most `limit` each. */
  abstract contents(actor: Actor, groupId: number, limit: number): Promise<ContentsOfGroup>;
}
