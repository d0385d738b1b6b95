import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

export const EPIC_STATES = ['opened', 'closed'] as const;
export type EpicState = (typeof EPIC_STATES)[number];

/** What several issues of a group's projects are about. */
@Entity('epics')
export class Epic {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('integer') iid!: number;
  @Column('bigint') groupId!: number;
  @Column('bigint', { nullable: true }) authorId!: number | null;
  @Column('text') title!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') state!: EpicState;
  /** The day that was set counts, not the first one of the milestones of its issues. */
  @Column('boolean') startDateIsFixed!: boolean;
  @Column('date', { nullable: true }) startDateFixed!: string | null;
  /** The day that was set counts, not the last one of the milestones of its issues. */
  @Column('boolean') dueDateIsFixed!: boolean;
  @Column('date', { nullable: true }) dueDateFixed!: string | null;
  @Column('integer') userNotesCount!: number;
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
  @Column('bigint', { nullable: true }) closedById!: number | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}
