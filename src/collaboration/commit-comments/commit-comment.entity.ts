import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** Which side of a diff a line number counts on. */
export const LINE_TYPES = ['new', 'old'] as const;
export type LineType = (typeof LINE_TYPES)[number];

/** A remark on a commit: on one line of its diff, or on the whole of it. */
@Entity('commit_comments')
export class CommitComment {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') projectId!: number;
  @Column('text') sha!: string;
  @Column('bigint', { nullable: true }) authorId!: number | null;
  @Column('text') note!: string;
  /** Path, line and side are all set or all null. */
  @Column('text', { nullable: true }) path!: string | null;
  @Column('integer', { nullable: true }) line!: number | null;
  @Column('text', { nullable: true }) lineType!: LineType | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}
