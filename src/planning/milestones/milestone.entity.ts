import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

export const MILESTONE_STATES = ['active', 'closed'] as const;
export type MilestoneState = (typeof MILESTONE_STATES)[number];

/** A date that issues and merge requests are to be done by: of one project, or of a group and all inside it. */
@Entity('milestones')
export class Milestone {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  /** Its number within the project or group. */
  @Column('integer') iid!: number;
  /** Null for a group's milestone. */
  @Column('bigint', { nullable: true }) projectId!: number | null;
  /** Null for a project's milestone. */
  @Column('bigint', { nullable: true }) groupId!: number | null;
  @Column('text') title!: string;
  @Column('text', { nullable: true }) description!: string | null;
  /** `YYYY-MM-DD`, as the day it starts. */
  @Column('date', { nullable: true }) dueDate!: string | null;
  @Column('date', { nullable: true }) startDate!: string | null;
  @Column('text') state!: MilestoneState;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  /** Full path of its project or group; told by MilestonesRepository. */
  fullPath!: string;

  close(): void {
    this.state = 'closed';
  }

  activate(): void {
    this.state = 'active';
  }
}
