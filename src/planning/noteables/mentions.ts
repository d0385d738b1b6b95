import type { NoteableRef } from './noteable';

/** A text that may name issues, merge requests, commits. */
export interface WrittenText {
  /** Where it stands. */
  readonly in: NoteableRef;
  /** The project that short names ("#1") are looked up in; null where only full ones mean something. */
  readonly projectId: number | null;
  readonly authorId: number;
  readonly text: string;
}

/** What an issue, a merge request or an epic says: its title may name others too. */
export const wordsOf = ({ title, description }: Titled): string => `${title}\n\n${description ?? ''}`;

interface Titled {
  readonly title: string;
  readonly description: string | null;
}

/** Leaves a cross-reference on whatever a text names. Bound in the context that owns notes. */
export abstract class Mentions {
  /** Call it in the transaction that writes the text (a description, new or changed). Names each thing once. */
  abstract note(written: WrittenText): Promise<void>;
}
