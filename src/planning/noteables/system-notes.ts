import type { NoteableRef } from './noteable';

/** Something besides its noteable that a note tells of. */
export type NoteSource =
  NoteableRef | { readonly kind: 'Commit'; readonly projectId: number; readonly sha: string };

/** One change of a noteable, told in its discussion. */
export interface SystemNote {
  readonly on: NoteableRef;
  /** Null where the system itself did it. */
  readonly authorId: number | null;
  /** What was done, for whoever reads the table: "closed", "assignee", "title". */
  readonly action: string;
  /** The reference's sentence: "closed via commit 1234abcd". */
  readonly body: string;
  /** The other thing that the sentence names, if it does: the note shows only to those who may see that too. */
  readonly about?: NoteSource;
}

/** Writes what has been changed into the discussion of what was changed. Bound in the context that owns notes. */
export abstract class SystemNotes {
  /** Call it in the transaction of the change: both are there or neither. In the order given. */
  abstract record(notes: readonly SystemNote[]): Promise<void>;
}
