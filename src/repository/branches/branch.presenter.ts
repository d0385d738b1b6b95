import { field, presenter } from '#libs/presenting';
import { presentCommit } from '../commits/commit.presenter';
import type { BranchDetails } from './branch';

const BranchRecord = field.object({
  name: field.string(),
  commit: presentCommit.record,
  merged: field.boolean(),
  protected: field.boolean(),
  developers_can_push: field.boolean(),
  developers_can_merge: field.boolean(),
  can_push: field.boolean(),
  default: field.boolean(),
});

export const presentBranch = presenter(BranchRecord, (branch: BranchDetails, view) => ({
  name: branch.name,
  commit: presentCommit(branch.commit, view),
  merged: branch.isMerged,
  protected: branch.isProtected,
  developers_can_push: branch.developersCanPush,
  developers_can_merge: branch.developersCanMerge,
  can_push: branch.canPush,
  default: branch.isDefault,
}));
