import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DiffPosition } from './diff-position';
import type { DiscussedKind, DiscussedRef } from './discussed-ref';

/** Null is a remark of its own; a DiscussionNote can be answered, a DiffNote also stands at a line of a diff. */
export const NOTE_TYPES = ['DiffNote', 'DiscussionNote'] as const;
export type NoteType = (typeof NOTE_TYPES)[number];

/** What somebody wrote on a noteable, or what the system tells of it. */
@Entity('notes')
export class Note {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  /** Exactly one of these five is set. */
  @Column('bigint', { nullable: true }) issueId!: number | null;
  @Column('bigint', { nullable: true }) mergeRequestId!: number | null;
  @Column('bigint', { nullable: true }) snippetId!: number | null;
  @Column('bigint', { nullable: true }) epicId!: number | null;
  /** The row that stands for the commit. */
  @Column('bigint', { nullable: true }) commitId!: number | null;
  @Column('bigint', { nullable: true }) authorId!: number | null;
  @Column('text') body!: string;
  @Column('text', { nullable: true }) type!: NoteType | null;
  @Column('boolean') system!: boolean;
  @Column('text', { nullable: true }) systemAction!: string | null;
  /** Forty hexadecimal digits that the notes of one discussion share. */
  @Column('text') discussionId!: string;
  @Column('jsonb', { nullable: true }) position!: DiffPosition | null;
  @Column('text', { nullable: true }) attachment!: string | null;
  @Column('timestamptz', { nullable: true }) resolvedAt!: Date | null;
  @Column('bigint', { nullable: true }) resolvedById!: number | null;
  @Column('bigint', { nullable: true }) updatedById!: number | null;
  @Column('timestamptz', { nullable: true }) lastEditedAt!: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  /** Set by hand: resolving a note is no change of it, and a chosen time of writing is the time of both. */
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;

  /** What it is on. */
  get on(): DiscussedRef {
    const on: [DiscussedKind, number | null][] = [
      ['Issue', this.issueId],
      ['MergeRequest', this.mergeRequestId],
      ['Snippet', this.snippetId],
      ['Epic', this.epicId],
      ['Commit', this.commitId],
    ];
    const [kind, id] = on.find(([, value]) => value !== null) ?? [];
    if (kind === undefined || typeof id !== 'number') throw new Error('a note is on something');
    return { kind, id };
  }

  /** Only what was said about a merge request can be settled: discussions and remarks on its diff. */
  get isResolvable(): boolean {
    return this.mergeRequestId !== null && this.type !== null && !this.system;
  }
}

/** The property of Note for each kind, as `DISCUSSED_COLUMN` has the column. */
export const NOTEABLE_PROPERTY = {
  Issue: 'issueId',
  MergeRequest: 'mergeRequestId',
  Snippet: 'snippetId',
  Epic: 'epicId',
  Commit: 'commitId',
} as const satisfies Record<DiscussedKind, keyof Note>;
