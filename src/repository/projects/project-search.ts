import type { Visibility } from '#libs/access';
import type { AttributeFilter } from '../../identity/identity.api';

export const PROJECT_ORDERS = {
  id: 'id',
  name: 'name',
  path: 'path',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_activity_at: 'lastActivityAt',
} as const;

/** Who looks for projects. */
export interface Viewer {
  readonly id: number;
  readonly isAdmin: boolean;
  readonly isExternal: boolean;
}

/** Projects that a group has. */
export interface InGroup {
  readonly id: number;
  /** Those of the groups below count too. */
  readonly withSubgroups: boolean;
  /** Those of elsewhere that are shared with the group count too. */
  readonly withShared: boolean;
}

/** Which projects, and in which order. All conditions hold together; absent ones do not count. */
export interface ProjectSearch {
  /** Null for an anonymous caller. */
  readonly viewer: Viewer | null;
  readonly archived?: boolean | undefined;
  readonly visibility?: Visibility | undefined;
  readonly text?: string | undefined;
  /** The viewer owns them: in their own namespace or as owner of their group. */
  readonly owned?: boolean;
  /** The least level of the viewer in them. */
  readonly minLevel?: number | undefined;
  readonly withIssues?: boolean;
  readonly withMergeRequests?: boolean;
  /** Directly in this namespace. */
  readonly namespaceId?: number;
  /** Shared with this group. */
  readonly sharedWithGroupId?: number;
  readonly inGroup?: InGroup;
  /** Made as forks of this project. */
  readonly forkedFrom?: number;
  /** The viewer has starred them. */
  readonly starred?: boolean;
  /** This user has starred them. */
  readonly starredBy?: number;
  /** A language found in them, in whatever case. */
  readonly language?: string | undefined;
  /** The last check of their repository has failed. */
  readonly repositoryCheckFailed?: boolean;
  /** The same of their wiki. */
  readonly wikiCheckFailed?: boolean;
  /** Some job in them has reported on their security. */
  readonly withSecurityReports?: boolean;
  /** What administrators have noted upon them. */
  readonly customAttributes?: AttributeFilter | undefined;
  readonly idAfter?: number | undefined;
  readonly idBefore?: number | undefined;
  readonly orderBy: (typeof PROJECT_ORDERS)[keyof typeof PROJECT_ORDERS];
  readonly sort: 'asc' | 'desc';
}
