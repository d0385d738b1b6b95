import type { Commit, FileDiff } from '#libs/git';

/** What lies between two commits. */
export interface Comparison {
  /** Oldest first. */
  readonly commits: readonly Commit[];
  readonly diffs: readonly FileDiff[];
  /** Commits or differences beyond the limits were left out. */
  readonly isCut: boolean;
  readonly isSameCommit: boolean;
}
