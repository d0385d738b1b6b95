import { field, presenter, type View } from '#libs/presenting';
import { describeLevel } from './access-levels';
import type { ProtectedBranchDetails } from './protected-branch';
import type { ProtectedAction, ProtectedBranchAccess } from './protected-branch.entity';

const AccessRecord = field.object({
  access_level: field.int().nullable(),
  access_level_description: field.string(),
  user_id: field.int().nullable().optional(),
  group_id: field.int().nullable().optional(),
});

const ProtectedBranchRecord = field.object({
  name: field.string(),
  push_access_levels: field.array(AccessRecord),
  merge_access_levels: field.array(AccessRecord),
});

const NewProtectedBranchRecord = ProtectedBranchRecord.extend({
  unprotect_access_levels: field.array(AccessRecord),
});

export const presentProtectedBranch = presenter(
  ProtectedBranchRecord,
  (details: ProtectedBranchDetails, view) => ({
    name: details.branch.name,
    push_access_levels: accessRecords(details, 'push', view),
    merge_access_levels: accessRecords(details, 'merge', view),
  }),
);

/** The specification shows who may unprotect in the answer of the creation alone. */
export const presentNewProtectedBranch = presenter(
  NewProtectedBranchRecord,
  (details: ProtectedBranchDetails, view) => ({
    ...presentProtectedBranch(details, view),
    unprotect_access_levels: accessRecords(details, 'unprotect', view),
  }),
);

function accessRecords(details: ProtectedBranchDetails, action: ProtectedAction, { license }: View) {
  const hasNames = license.has('protected_refs_for_users');
  return details.branch.accessFor(action).map((access) => ({
    access_level: access.accessLevel,
    access_level_description: describe(details, access),
    ...(hasNames && { user_id: access.userId, group_id: access.groupId }),
  }));
}

function describe({ users, groups }: ProtectedBranchDetails, access: ProtectedBranchAccess): string {
  if (access.userId !== null) return users.get(access.userId) ?? '';
  if (access.groupId !== null) return groups.get(access.groupId) ?? '';
  return describeLevel(access.accessLevel);
}
