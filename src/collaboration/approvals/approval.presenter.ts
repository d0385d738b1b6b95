import { field, presenter, type View } from '#libs/presenting';
import {
  GroupRecord,
  presentGroupRecord,
  presentUserSummary,
  UserSummaryRecord,
} from '../../identity/identity.api';
import { shortRule, ShortRuleRecord } from './approval-rule.presenter';
import type { ApprovalState, NamedPeople, ProjectApprovals } from './approval-state';
import { coreFields, MergeRequestRecord } from '../merge-requests/merge-request.presenter';

const { shape } = MergeRequestRecord;

/** Whom rules name, in the form that is older than rules. */
const ApproverFields = {
  approvers: field.array(field.object({ user: UserSummaryRecord })),
  approver_groups: field.array(field.object({ group: GroupRecord })),
};

const approverFields = ({ users, groups }: NamedPeople, view: View) => ({
  approvers: users.map((user) => ({ user: presentUserSummary(user, view) })),
  approver_groups: groups.map((group) => ({ group: presentGroupRecord(group, view) })),
});

/** Approvals of a merge request. */
export const presentApprovalState = presenter(
  field.object({
    id: shape.id,
    iid: shape.iid,
    project_id: shape.project_id,
    title: shape.title,
    description: shape.description,
    state: shape.state,
    created_at: shape.created_at,
    updated_at: shape.updated_at,
    merge_status: shape.merge_status,
    approved: field.boolean(),
    approvals_required: field.int(),
    approvals_left: field.int(),
    require_password_to_approve: field.boolean(),
    approved_by: field.array(field.object({ user: UserSummaryRecord })),
    suggested_approvers: field.array(UserSummaryRecord),
    ...ApproverFields,
    user_has_approved: field.boolean(),
    user_can_approve: field.boolean(),
    approval_rules_left: field.array(ShortRuleRecord),
    has_approval_rules: field.boolean(),
    multiple_approval_rules_available: field.boolean(),
  }),
  (approvals: ApprovalState, view) => ({
    ...coreFields(approvals.mergeRequest),
    merge_status: approvals.mergeRequest.mergeStatus,
    approved: approvals.isApproved,
    approvals_required: approvals.required,
    approvals_left: approvals.left,
    require_password_to_approve: false,
    approved_by: approvals.approvedBy.map((user) => ({ user: presentUserSummary(user, view) })),
    suggested_approvers: approvals.suggested.map((user) => presentUserSummary(user, view)),
    ...approverFields(approvals.named, view),
    user_has_approved: approvals.hasApproved,
    user_can_approve: approvals.mayApprove,
    approval_rules_left: approvals.rulesLeft.map(shortRule),
    has_approval_rules: approvals.hasRules,
    multiple_approval_rules_available: view.license.has('multiple_approval_rules'),
  }),
);

/** What a project asks for. */
export const presentProjectApprovals = presenter(
  field.object({
    ...ApproverFields,
    approvals_before_merge: field.int(),
    reset_approvals_on_push: field.boolean(),
    disable_overriding_approvers_per_merge_request: field.boolean(),
    merge_requests_author_approval: field.boolean(),
    merge_requests_disable_committers_approval: field.boolean(),
  }),
  ({ required, named, settings }: ProjectApprovals, view) => ({
    ...approverFields(named, view),
    approvals_before_merge: required,
    reset_approvals_on_push: settings.resetOnPush,
    disable_overriding_approvers_per_merge_request: settings.disableOverriding,
    merge_requests_author_approval: settings.authorApproval,
    merge_requests_disable_committers_approval: settings.disableCommittersApproval,
  }),
);
