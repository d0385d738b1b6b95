import type { Sha } from '#libs/git';

/** How somebody wants a merge request merged. */
export interface MergeOrder {
  /** The head that they have seen: another one is not merged. */
  readonly head: Sha;
  readonly squash: boolean;
  /** Null for the usual messages. */
  readonly mergeCommitMessage: string | null;
  readonly squashCommitMessage: string | null;
  readonly removesSourceBranch: boolean;
}
