import { NOTEABLE_COLUMN, type NoteableRef } from '../../planning/planning.api';

/** What takes emoji: whatever can be discussed, and what is said about it. */
export type AwardTarget = NoteableRef | { readonly kind: 'Note'; readonly id: number };

export type AwardTargetKind = AwardTarget['kind'];

/** The column by which awards name each kind. */
export const TARGET_COLUMN = { ...NOTEABLE_COLUMN, Note: 'note_id' } as const satisfies Record<
  AwardTargetKind,
  string
>;

/** The table of each kind. */
export const TARGET_TABLE = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Snippet: 'snippets',
  Epic: 'epics',
  Note: 'notes',
} as const satisfies Record<AwardTargetKind, string>;

/** Something that the caller sees, as far as its emoji are concerned. */
export interface Awardable {
  readonly target: AwardTarget;
  /** Whether the caller may add one. */
  readonly takesAwards: boolean;
}
