import type { CustomAttribute, UserSummary } from '../../identity/identity.api';
import type { Project } from './project.entity';

/** What the caller has to do with a project. */
export interface ProjectAccess {
  /** The level that counts, all ways to it considered; 0 outside. */
  readonly level: number;
  /** By a membership in the project itself. */
  readonly direct: number | null;
  /** By memberships in its group and the groups above. */
  readonly inherited: number | null;
}

export type ProjectOwner = UserSummary & { readonly createdAt: Date };

export interface ProjectShare {
  readonly groupId: number;
  readonly groupName: string;
  readonly groupFullPath: string;
  readonly groupAccess: number;
  /** A day, `YYYY-MM-DD`. */
  readonly expiresAt: string | null;
}

/** Sizes in bytes. */
export interface ProjectStatistics {
  readonly commitCount: number;
  readonly repositorySize: number;
  readonly wikiSize: number;
  readonly lfsObjectsSize: number;
  readonly jobArtifactsSize: number;
  readonly packagesSize: number;
}

export interface License {
  readonly key: string;
  readonly name: string;
  readonly nickname: string | null;
  readonly htmlUrl: string;
  readonly sourceUrl: string | null;
  /** Path of the licence's file in the default branch. */
  readonly path: string;
}

/** A project as one caller may see it: what is null or absent is not theirs to see. */
export interface ProjectDetails {
  readonly project: Project;
  readonly form: 'simple' | 'full' | 'single';
  readonly access: ProjectAccess;
  readonly canReadCode: boolean;
  /** What it was forked from, where the caller may know of that. */
  readonly forkedFrom: Pick<ProjectDetails, 'project' | 'canReadCode'> | null;
  readonly owner: ProjectOwner | null;
  readonly shares: readonly ProjectShare[];
  readonly statistics: ProjectStatistics | null;
  /** For those who administer the project. */
  readonly runnersToken: string | null;
  /** Where an administrator asked for it. */
  readonly customAttributes: readonly CustomAttribute[] | null;
  /** Where it was asked for; `found` is null where no licence was recognised. */
  readonly license?: { readonly found: License | null };
}
