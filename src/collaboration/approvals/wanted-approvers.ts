/** Whom somebody wants to be asked; what is undefined stays. */
export interface WantedApprovers {
  readonly userIds?: readonly number[] | undefined;
  readonly groupIds?: readonly number[] | undefined;
  /** Also the groups that who writes does not see; they stay otherwise. */
  readonly removeHiddenGroups?: boolean | undefined;
}
