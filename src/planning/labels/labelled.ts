import type { NoteableKind } from '../noteables/noteable';

/** What can have labels: snippets cannot. */
export type LabelledKind = Exclude<NoteableKind, 'Snippet'>;

export interface LabelledRef {
  readonly kind: LabelledKind;
  readonly id: number;
}
