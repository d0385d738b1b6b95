import type { NoteableRef } from './noteable';

/** Takes a discussion along when what it is about is moved. Bound in the context that owns notes. */
export abstract class DiscussionMoves {
  /** Copies notes and award emoji, with their authors and times. Call it in the transaction of the move. */
  abstract copy(from: NoteableRef, to: NoteableRef): Promise<void>;

  /** Reads what people wrote in a discussion, a note at a time. */
  abstract read(on: NoteableRef, visit: (text: string) => Promise<void>): Promise<void>;

  /**
   * Changes what people wrote in a discussion that was just copied, a note at a time: names and links of the former place
   * mean something else in the new one. A note that stays as it is, is not written. In the same transaction.
   */
  abstract rewrite(on: NoteableRef, change: (text: string) => string): Promise<void>;
}
