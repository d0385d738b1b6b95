import type { NoteableKind } from './noteable';

export interface Votes {
  readonly upvotes: number;
  readonly downvotes: number;
}

export const NO_VOTES: Votes = { upvotes: 0, downvotes: 0 };

/** How often things got a thumb. Bound in the context that owns award emoji. */
export abstract class Awards {
  /** In one query; what has no thumbs is left out. */
  abstract votesOf(kind: NoteableKind, ids: readonly number[]): Promise<ReadonlyMap<number, Votes>>;
}
