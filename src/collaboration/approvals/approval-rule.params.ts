import { atLeastOneOf, params, wire } from '#libs/http';
import type { WantedApprovers } from './wanted-approvers';

/** The reference's bound. */
const MOST_APPROVALS = 100;
const MOST_NAMES = 100;
const LONGEST_NAME = 255;

const name = wire.text({ blank: false, max: LONGEST_NAME });
const approvalsRequired = wire.integer({ min: 0, max: MOST_APPROVALS });
const names = wire.integers({ max: MOST_NAMES }).nullable();

const NAMES = {
  user_ids: names.optional().describe('Those without access to the project are passed over'),
  group_ids: names.optional().describe('Those that the caller does not see are passed over'),
};

const CHANGES = {
  name: name.optional(),
  approvals_required: approvalsRequired.optional(),
  ...NAMES,
  remove_hidden_groups: wire.boolean().optional().describe('Also the groups that the caller does not see'),
};

const someChange = atLeastOneOf(
  'name',
  'approvals_required',
  'user_ids',
  'group_ids',
  'remove_hidden_groups',
);

export const CreateProjectRule = params({ name, approvals_required: approvalsRequired, ...NAMES });
export const ProjectRulePath = params({ approval_rule_id: wire.integer() });
export const ChangeProjectRule = params({ approval_rule_id: wire.integer(), ...CHANGES }, someChange);

const MergeRequestPath = params({ merge_request_iid: wire.integer() });

export const CreateMergeRequestRule = MergeRequestPath.extend({
  name,
  approvals_required: approvalsRequired,
  approval_project_rule_id: wire
    .integer()
    .optional()
    .describe('The rule of the project that it stands for; its name and names are copied'),
  ...NAMES,
});
export const MergeRequestRulePath = MergeRequestPath.extend({ approval_rule_id: wire.integer() });
export const ChangeMergeRequestRule = params(
  { merge_request_iid: wire.integer(), approval_rule_id: wire.integer(), ...CHANGES },
  someChange,
);

const APPROVERS = {
  approver_ids: names.describe('All who are to be asked'),
  approver_group_ids: names.describe('All groups whose members are to be asked'),
};
export const SetProjectApprovers = params(APPROVERS);
export const SetMergeRequestApprovers = MergeRequestPath.extend(APPROVERS);

interface GivenNames {
  readonly user_ids?: readonly number[] | null | undefined;
  readonly group_ids?: readonly number[] | null | undefined;
  readonly remove_hidden_groups?: boolean | undefined;
}

/** What was sent empty takes the names away. */
export const wantedApprovers = (given: GivenNames): WantedApprovers => ({
  userIds: listed(given.user_ids),
  groupIds: listed(given.group_ids),
  removeHiddenGroups: given.remove_hidden_groups,
});

const listed = (ids: readonly number[] | null | undefined): readonly number[] | undefined =>
  ids === null ? [] : ids && [...new Set(ids)];
