import type { UserSummary } from '../../identity/identity.api';
import type { MergeRequest } from './merge-request.entity';

/** How a merge request stands with those who are to approve it. */
export interface ApprovalState {
  readonly mergeRequest: MergeRequest;
  readonly required: number;
  readonly left: number;
  /** In the order of their approvals. */
  readonly approvedBy: readonly UserSummary[];
  readonly hasApproved: boolean;
  readonly mayApprove: boolean;
}

/** What a project asks of approvals beside their number. */
export interface ApprovalSettings {
  readonly resetOnPush: boolean;
  readonly disableOverriding: boolean;
  /** Authors may approve what they propose. */
  readonly authorApproval: boolean;
  readonly disableCommittersApproval: boolean;
}

/** What a project asks for before changes are merged. */
export interface ProjectApprovals {
  readonly required: number;
  readonly settings: ApprovalSettings;
}

/** What holds in a project where nobody has said anything else. */
export const DEFAULT_APPROVAL_SETTINGS: ApprovalSettings = {
  resetOnPush: true,
  disableOverriding: false,
  authorApproval: false,
  disableCommittersApproval: false,
};
