import { field, presenter } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import type { ApprovalState, ProjectApprovals } from './approval-state';
import { coreFields, MergeRequestRecord } from './merge-request.presenter';

const { shape } = MergeRequestRecord;
const nobody = field.array(field.never());

/** Approvals of a merge request. Approvers by name are none: it is their number that counts. */
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
    suggested_approvers: nobody,
    approvers: nobody,
    approver_groups: nobody,
    user_has_approved: field.boolean(),
    user_can_approve: field.boolean(),
  }),
  (approvals: ApprovalState, view) => ({
    ...coreFields(approvals.mergeRequest),
    merge_status: approvals.mergeRequest.mergeStatus,
    approved: approvals.left === 0,
    approvals_required: approvals.required,
    approvals_left: approvals.left,
    require_password_to_approve: false,
    approved_by: approvals.approvedBy.map((user) => ({ user: presentUserSummary(user, view) })),
    suggested_approvers: [],
    approvers: [],
    approver_groups: [],
    user_has_approved: approvals.hasApproved,
    user_can_approve: approvals.mayApprove,
  }),
);

/** What a project asks for. */
export const presentProjectApprovals = presenter(
  field.object({
    approvers: nobody,
    approver_groups: nobody,
    approvals_before_merge: field.int(),
    reset_approvals_on_push: field.boolean(),
    disable_overriding_approvers_per_merge_request: field.boolean(),
    merge_requests_author_approval: field.boolean(),
    merge_requests_disable_committers_approval: field.boolean(),
  }),
  ({ required, settings }: ProjectApprovals) => ({
    approvers: [],
    approver_groups: [],
    approvals_before_merge: required,
    reset_approvals_on_push: settings.resetOnPush,
    disable_overriding_approvers_per_merge_request: settings.disableOverriding,
    merge_requests_author_approval: settings.authorApproval,
    merge_requests_disable_committers_approval: settings.disableCommittersApproval,
  }),
);
