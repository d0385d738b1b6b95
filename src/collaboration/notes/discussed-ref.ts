import { NOTEABLE_COLUMN, NOTEABLE_KINDS, type NoteableRef } from '../../planning/planning.api';

/** What notes are on: whatever people may discuss, and commits. */
export const DISCUSSED_KINDS = [...NOTEABLE_KINDS, 'Commit'] as const;
export type DiscussedKind = (typeof DISCUSSED_KINDS)[number];

/** Of a commit, `id` is that of the row that stands for it: see DiscussedCommits. */
export interface DiscussedRef {
  readonly kind: DiscussedKind;
  readonly id: number;
}

/** The column by which notes name each kind. */
export const DISCUSSED_COLUMN = { ...NOTEABLE_COLUMN, Commit: 'commit_id' } as const satisfies Record<
  DiscussedKind,
  string
>;

/** The thing as emoji and references know it; null for a commit, which they do not. */
export const noteableOf = ({ kind, id }: DiscussedRef): NoteableRef | null =>
  kind === 'Commit' ? null : { kind, id };
