import type { Actor, Visibility } from '#libs/access';
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

/** What the projects in a group and below it take, in bytes. */
export interface GroupStatistics {
  readonly storageSize: number;
  readonly repositorySize: number;
  readonly wikiSize: number;
  readonly lfsObjectsSize: number;
  readonly jobArtifactsSize: number;
  readonly packagesSize: number;
}

/** What groups need to know of projects. Bound in the context that owns projects. */
export abstract class GroupProjects {
  /** Both lists hold what the actor may see, newest first, at most `limit` each. */
  abstract contents(actor: Actor, groupId: number, limit: number): Promise<ContentsOfGroup>;

  /** By group, in one query; a group without projects has zeros. */
  abstract statistics(groupIds: readonly number[]): Promise<ReadonlyMap<number, GroupStatistics>>;

  /** The greatest visibility of a project directly in the group; null where there is none. */
  abstract mostVisible(groupId: number): Promise<Visibility | null>;

  /** Whether the project is directly in the group. */
  abstract isIn(groupId: number, projectId: number): Promise<boolean>;
}
