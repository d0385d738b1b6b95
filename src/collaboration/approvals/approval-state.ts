import type { UserSummary } from '../../identity/identity.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import type { RuleNames } from './rule-names';
import type { RuleStanding } from './rule-standing';

/** How a merge request stands with those who are to approve it. */
export interface ApprovalState {
  readonly mergeRequest: MergeRequest;
  readonly required: number;
  readonly left: number;
  readonly isApproved: boolean;
  /** In the order of their approvals. */
  readonly approvedBy: readonly UserSummary[];
  /** Who else may approve it by the rules that wait for somebody. */
  readonly suggested: readonly UserSummary[];
  readonly named: NamedPeople;
  readonly hasApproved: boolean;
  readonly mayApprove: boolean;
  readonly hasRules: boolean;
  /** The rules that wait for somebody. */
  readonly rulesLeft: readonly RuleStanding[];
}

/** Whom rules name, as far as who looks may know. */
export type NamedPeople = Pick<RuleNames, 'users' | 'groups'>;

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
  readonly named: NamedPeople;
  readonly settings: ApprovalSettings;
}

/** What holds in a project where nobody has said anything else. */
export const DEFAULT_APPROVAL_SETTINGS: ApprovalSettings = {
  resetOnPush: true,
  disableOverriding: false,
  authorApproval: false,
  disableCommittersApproval: false,
};
