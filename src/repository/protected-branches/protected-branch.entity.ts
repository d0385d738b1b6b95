import { isAdmin, Level, type Actor } from '#libs/access';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import { matchesWildcard } from './wildcard';

export type ProtectedAction = 'push' | 'merge' | 'unprotect';

/** Who may do one thing on a protected branch: a level, one user, or the members of one group. */
@Entity('protected_branch_access')
export class ProtectedBranchAccess {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') protectedBranchId!: number;
  @Column('text') action!: ProtectedAction;
  @Column('smallint', { nullable: true }) accessLevel!: number | null;
  @Column('bigint', { nullable: true }) userId!: number | null;
  @Column('bigint', { nullable: true }) groupId!: number | null;

  /** Level 0 lets nobody in, administrators included; `groupIds` are the groups that the actor belongs to. */
  grants(actor: Actor, groupIds: ReadonlySet<number>): boolean {
    if (!actor.user) return false;
    if (this.userId !== null) return this.userId === actor.user.id;
    if (this.groupId !== null) return groupIds.has(this.groupId);
    if (this.accessLevel === null || this.accessLevel === Level.none) return false;
    return isAdmin(actor) || actor.level >= this.accessLevel;
  }
}

/** A branch name or wildcard that not everybody with push rights may write. */
@Entity('protected_branches')
export class ProtectedBranch {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') projectId!: number;
  @Column('text') name!: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  /** Loaded with the branch by its repository. */
  access!: ProtectedBranchAccess[];

  covers(branch: string): boolean {
    return matchesWildcard(this.name, branch);
  }

  accessFor(action: ProtectedAction): ProtectedBranchAccess[] {
    return this.access.filter((entry) => entry.action === action);
  }
}
