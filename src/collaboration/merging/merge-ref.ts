import type { Sha } from '#libs/git';

/** What the target would be after a merge. */
export interface MergeRefHead {
  readonly commitId: Sha;
}
