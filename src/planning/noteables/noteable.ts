/** What people may discuss. */
export const NOTEABLE_KINDS = ['Issue', 'MergeRequest', 'Snippet', 'Epic'] as const;
export type NoteableKind = (typeof NOTEABLE_KINDS)[number];

export interface NoteableRef {
  readonly kind: NoteableKind;
  readonly id: number;
}

/** The column by which tables of what hangs on noteables (notes, award emoji, label links) name each kind. */
export const NOTEABLE_COLUMN = {
  Issue: 'issue_id',
  MergeRequest: 'merge_request_id',
  Snippet: 'snippet_id',
  Epic: 'epic_id',
} as const satisfies Record<NoteableKind, string>;
