import type { ProtectedBranch } from './protected-branch.entity';

/** A rule with the names of the users and groups that it names, by their ids. */
export interface ProtectedBranchDetails {
  readonly branch: ProtectedBranch;
  readonly users: ReadonlyMap<number, string>;
  readonly groups: ReadonlyMap<number, string>;
}
