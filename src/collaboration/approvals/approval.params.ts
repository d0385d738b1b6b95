import { atLeastOneOf, params, wire } from '#libs/http';

const MOST_APPROVALS = 10_000;

export const ApprovalPath = params({ merge_request_iid: wire.integer() });

export const Approve = ApprovalPath.extend({
  sha: wire.text().optional().describe('The head that was looked at'),
});

export const RequireApprovals = ApprovalPath.extend({
  approvals_required: wire.integer({ min: 0, max: MOST_APPROVALS }),
});

export const ChangeProjectApprovals = params(
  {
    approvals_before_merge: wire.integer({ min: 0, max: MOST_APPROVALS }).optional(),
    reset_approvals_on_push: wire.boolean().optional(),
    disable_overriding_approvers_per_merge_request: wire.boolean().optional(),
    merge_requests_author_approval: wire.boolean().optional(),
    merge_requests_disable_committers_approval: wire.boolean().optional(),
  },
  atLeastOneOf(
    'approvals_before_merge',
    'reset_approvals_on_push',
    'disable_overriding_approvers_per_merge_request',
    'merge_requests_author_approval',
    'merge_requests_disable_committers_approval',
  ),
);
