import type { FeatureAccess, ProjectFacts, Visibility } from '#libs/access';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

export const MERGE_METHODS = ['merge', 'rebase_merge', 'ff'] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];

/** The namespace of a project as far as projects need to know it. */
export interface ProjectNamespace {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly kind: 'user' | 'group';
  readonly fullPath: string;
  readonly parentId: number | null;
  /** The user of a personal namespace. */
  readonly ownerId: number | null;
  /** Names from the top-level group down, for `name_with_namespace`. */
  readonly fullName: string;
  readonly avatar: string | null;
}

@Entity('projects')
export class Project implements ProjectFacts {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') namespaceId!: number;
  @Column('bigint') creatorId!: number;
  @Column('text') name!: string;
  @Column('text') path!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') visibility!: Visibility;
  /** Null until the repository has its first branch. */
  @Column('text', { nullable: true }) defaultBranch!: string | null;
  @Column('boolean') archived!: boolean;
  @Column('boolean') pendingDelete!: boolean;
  /** Name of the storage that holds the repository. */
  @Column('text') repositoryStorage!: string;
  /** Hashed path below the storage, without the `.git` suffix; never changes. */
  @Column('text') diskPath!: string;
  @Column('text') repositoryAccess!: FeatureAccess;
  @Column('text') issuesAccess!: FeatureAccess;
  @Column('text') mergeRequestsAccess!: FeatureAccess;
  @Column('text') jobsAccess!: FeatureAccess;
  @Column('text') wikiAccess!: FeatureAccess;
  @Column('text') snippetsAccess!: FeatureAccess;
  @Column('boolean') containerRegistryEnabled!: boolean;
  @Column('boolean') sharedRunnersEnabled!: boolean;
  @Column('boolean') lfsEnabled!: boolean;
  @Column('boolean') publicJobs!: boolean;
  @Column('boolean') requestAccessEnabled!: boolean;
  @Column('boolean') resolveOutdatedDiffDiscussions!: boolean;
  @Column('boolean') onlyAllowMergeIfPipelineSucceeds!: boolean;
  @Column('boolean') onlyAllowMergeIfAllDiscussionsAreResolved!: boolean;
  @Column('boolean') printingMergeRequestsLinkEnabled!: boolean;
  @Column('text') mergeMethod!: MergeMethod;
  @Column('integer') approvalsBeforeMerge!: number;
  @Column('text', { nullable: true }) ciConfigPath!: string | null;
  @Column('integer', { nullable: true }) ciDefaultGitDepth!: number | null;
  @Column('text', { array: true }) tagList!: string[];
  @Column('text', { nullable: true }) avatar!: string | null;
  /** Of the default branch's tip; kept by ProjectFigures, so it follows a push after a moment. */
  @Column('text', { nullable: true }) readmePath!: string | null;
  @Column('text') importStatus!: string;
  @Column('text', { nullable: true }) importError!: string | null;
  /** Kept up to date with another repository; `project_remotes` has its URL. */
  @Column('boolean') mirror!: boolean;
  /** On whose behalf; null where nobody is left to answer for it. */
  @Column('bigint', { nullable: true }) mirrorUserId!: number | null;
  @Column('boolean') mirrorTriggerBuilds!: boolean;
  @Column('boolean') onlyMirrorProtectedBranches!: boolean;
  @Column('boolean') mirrorOverwritesDivergedBranches!: boolean;
  @Column('bigint', { nullable: true }) forkedFromProjectId!: number | null;
  @Column('integer') forksCount!: number;
  @Column('integer') starCount!: number;
  @Column('integer') openIssuesCount!: number;
  @Column('timestamptz') lastActivityAt!: Date;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  /** Full path, from the routes table. */
  fullPath!: string;
  namespace!: ProjectNamespace;
}
