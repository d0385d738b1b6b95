import type { Commit } from '#libs/git';

/** A branch with what its rules mean for the caller. */
export interface BranchDetails {
  readonly name: string;
  readonly commit: Commit;
  /** Everything on it is in the default branch, and the two do not stand at the same commit. */
  readonly isMerged: boolean;
  readonly isProtected: boolean;
  readonly developersCanPush: boolean;
  readonly developersCanMerge: boolean;
  /** The caller may push to it. */
  readonly canPush: boolean;
  readonly isDefault: boolean;
}
