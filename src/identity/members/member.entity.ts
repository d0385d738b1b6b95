import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { UserSummary } from '../users/user-summary';

/** Somebody's direct membership in a project or group. */
@Entity('members')
export class Member {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('text') sourceKind!: 'project' | 'namespace';
  @Column('bigint') sourceId!: number;
  @Column('bigint') userId!: number;
  @Column('smallint') accessLevel!: number;
  /** First day (YYYY-MM-DD) on which the membership no longer counts. */
  @Column('date', { nullable: true }) expiresAt!: string | null;
  /** Set while this is only a request for access. */
  @Column('timestamptz', { nullable: true }) requestedAt!: Date | null;
  @Column('bigint', { nullable: true }) createdById!: number | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

/** A user with the level they have in a project or group, directly or by inheritance. */
export interface Membership {
  readonly user: UserSummary;
  readonly accessLevel: number;
  readonly expiresAt: string | null;
}
