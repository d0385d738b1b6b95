import type { GroupFacts, Visibility } from '#libs/access';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** What owns projects: a user's personal namespace, or a group at any depth. */
@Entity('namespaces')
export class Namespace implements GroupFacts {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('text') kind!: 'user' | 'group';
  @Column('bigint', { nullable: true }) parentId!: number | null;
  /** The user of a personal namespace; null for a group. */
  @Column('bigint', { nullable: true }) ownerId!: number | null;
  @Column('text') name!: string;
  @Column('text') path!: string;
  @Column('text') description!: string;
  @Column('text') visibility!: Visibility;
  /** Ids from the top-level group down to this namespace, itself included: what membership is inherited along. */
  @Column('bigint', { array: true }) traversalIds!: number[];
  @Column('text', { nullable: true }) avatar!: string | null;
  @Column('boolean') lfsEnabled!: boolean;
  @Column('boolean') requestAccessEnabled!: boolean;
  @Column('boolean') shareWithGroupLock!: boolean;
  @Column('boolean') membershipLock!: boolean;
  @Column('bigint', { nullable: true }) fileTemplateProjectId!: number | null;
  @Column('integer', { nullable: true }) sharedRunnersMinutesLimit!: number | null;
  @Column('integer', { nullable: true }) extraSharedRunnersMinutesLimit!: number | null;
  @Column('boolean') pendingDelete!: boolean;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  /** Full path, from the routes table. */
  fullPath!: string;
  /** Names from the top-level group down, "Parent / Child"; told by NamespacesRepository. */
  fullName!: string;
  /** The caller sees a project inside; told by whoever resolves the caller's access, for groups they are outside of. */
  hasVisibleProject!: boolean;

  /** Whether projects of this namespace may be shared with groups; a group's lock holds for all groups inside. */
  get allowsSharing(): boolean {
    return !this.shareWithGroupLock;
  }
}
