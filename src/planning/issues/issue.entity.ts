import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

export const ISSUE_STATES = ['opened', 'closed'] as const;
export type IssueState = (typeof ISSUE_STATES)[number];

/** Something to be done in a project, or wrong with it. */
@Entity('issues')
export class Issue {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  /** Its number within the project. */
  @Column('integer') iid!: number;
  @Column('bigint') projectId!: number;
  /** Null once the account is gone. */
  @Column('bigint', { nullable: true }) authorId!: number | null;
  @Column('text') title!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') state!: IssueState;
  /** For its author, its assignees, and reporters of the project alone. */
  @Column('boolean') confidential!: boolean;
  /** Null until somebody has locked or unlocked it. */
  @Column('boolean', { nullable: true }) discussionLocked!: boolean | null;
  @Column('bigint', { nullable: true }) milestoneId!: number | null;
  @Column('date', { nullable: true }) dueDate!: string | null;
  @Column('integer', { nullable: true }) weight!: number | null;
  /** In seconds, as is the time spent. */
  @Column('integer') timeEstimate!: number;
  @Column('integer') totalTimeSpent!: number;
  /** What people have said; notes of the system do not count. */
  @Column('integer') userNotesCount!: number;
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
  @Column('bigint', { nullable: true }) closedById!: number | null;
  /** The issue of another project that goes on in its stead. */
  @Column('bigint', { nullable: true }) movedToId!: number | null;
  @Column('bigint', { nullable: true }) updatedById!: number | null;
  /** When somebody last changed the title or the description. */
  @Column('timestamptz', { nullable: true }) lastEditedAt!: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  get isOpen(): boolean {
    return this.state === 'opened';
  }

  close(byId: number, at: Date): void {
    this.state = 'closed';
    this.closedAt = at;
    this.closedById = byId;
  }

  reopen(): void {
    this.state = 'opened';
    this.closedAt = null;
    this.closedById = null;
  }
}
