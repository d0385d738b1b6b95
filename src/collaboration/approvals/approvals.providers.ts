import { ApprovalPeople } from './approval-people.repository';
import { ApprovalRule } from './approval-rule.entity';
import { ApprovalRulesRepository } from './approval-rules.repository';
import { ApprovalStates } from './approval-states.service';
import { ApprovalsController } from './approvals.controller';
import { ApprovalsOnRequest } from './approvals-on-request.service';
import { ApprovalsRepository } from './approvals.repository';
import { ApproverFilter } from './approver-filter.repository';
import { ApproverNaming } from './approver-naming.service';
import { ApproverRights } from './approver-rights.service';
import { Approvers } from './approvers.service';
import { ApprovingRights } from './approving-rights.service';
import { MergeRequestApprovalRulesController } from './merge-request-approval-rules.controller';
import { MergeRequestApprovalRules } from './merge-request-approval-rules.service';
import { MergeRequestApprovals } from './merge-request-approvals.service';
import { MergeRequestRuleStates } from './merge-request-rule-states.service';
import { NamedApprovers } from './named-approvers.service';
import { ProjectApprovalRulesController } from './project-approval-rules.controller';
import { ProjectApprovalRules } from './project-approval-rules.service';
import { ProjectApprovalSettings } from './project-approvals.service';
import { RuleDescriptions } from './rule-descriptions.service';
import { RuleStandings } from './rule-standings.service';
import { RuleWriting } from './rule-writing.service';
import { WantedApprovals } from './wanted-approvals.service';

/** Approvals, as the collaboration module takes them up. */
export const APPROVALS = {
  entities: [ApprovalRule],
  controllers: [ApprovalsController, MergeRequestApprovalRulesController, ProjectApprovalRulesController],
  providers: [
    ApprovalPeople,
    ApprovalRulesRepository,
    ApprovalStates,
    ApprovalsOnRequest,
    ApprovalsRepository,
    ApproverFilter,
    ApproverNaming,
    ApproverRights,
    Approvers,
    ApprovingRights,
    MergeRequestApprovalRules,
    MergeRequestApprovals,
    MergeRequestRuleStates,
    NamedApprovers,
    ProjectApprovalRules,
    ProjectApprovalSettings,
    RuleDescriptions,
    RuleStandings,
    RuleWriting,
    WantedApprovals,
  ],
} as const;
