import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import { matchesWildcard } from '../protected-branches/wildcard';
import { HOOK_KINDS, type HookFlag, type HookKindName } from './hook-kinds';

/** A URL that is called when something happens in a project. */
@Entity('project_hooks')
export class ProjectHook implements Record<HookFlag, boolean> {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') projectId!: number;
  /** It may hold a password, and in the services of others it often is the secret itself. */
  @Column('bytea') sealedUrl!: Buffer;
  @Column('bytea', { nullable: true }) sealedToken!: Buffer | null;
  @Column('boolean') pushEvents!: boolean;
  /** A branch name or wildcard; null for all branches. */
  @Column('text', { nullable: true }) pushEventsBranchFilter!: string | null;
  @Column('boolean') issuesEvents!: boolean;
  @Column('boolean') confidentialIssuesEvents!: boolean;
  @Column('boolean') mergeRequestsEvents!: boolean;
  @Column('boolean') tagPushEvents!: boolean;
  @Column('boolean') noteEvents!: boolean;
  @Column('boolean') jobEvents!: boolean;
  @Column('boolean') pipelineEvents!: boolean;
  @Column('boolean') wikiPageEvents!: boolean;
  @Column('boolean') enableSslVerification!: boolean;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  /** Opened by the repository. */
  url!: string;

  /** `branch` is that of a push; null for whatever is about no branch. */
  wants(kind: HookKindName, branch: string | null): boolean {
    if (!HOOK_KINDS[kind].flags.every((flag) => this[flag])) return false;
    const filter = kind === 'push' ? this.pushEventsBranchFilter : null;
    return filter === null || (branch !== null && matchesWildcard(filter, branch));
  }
}
