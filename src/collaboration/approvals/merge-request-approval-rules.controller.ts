import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ApprovalPath } from './approval.params';
import { ChangeMergeRequestRule, CreateMergeRequestRule, MergeRequestRulePath } from './approval-rule.params';
import { presentMergeRequestRule, presentRuleStates } from './approval-rule.presenter';
import { MergeRequestApprovalRules } from './merge-request-approval-rules.service';
import { MergeRequestRuleStates } from './merge-request-rule-states.service';

const ITEM = { feature: 'merge_request_approvers', loginFirst: true, access: 'project:reader' } as const;

/** Who is to approve a merge request. */
@Controller()
export class MergeRequestApprovalRulesController {
  constructor(
    private readonly rules: MergeRequestApprovalRules,
    private readonly states: MergeRequestRuleStates,
  ) {}

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/approval_state', {
    ...ITEM,
    params: ApprovalPath,
    presents: presentRuleStates,
  })
  state({ actor, subject: project, params }: ProjectCall<typeof ApprovalPath>) {
    return this.states.state(actor, project, params.merge_request_iid);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/approval_rules', {
    ...ITEM,
    params: ApprovalPath,
    presents: presentMergeRequestRule,
  })
  list({ actor, subject: project, params }: ProjectCall<typeof ApprovalPath>) {
    return this.states.own(actor, project, params.merge_request_iid);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/approval_rules', {
    ...ITEM,
    params: CreateMergeRequestRule,
    presents: presentMergeRequestRule,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateMergeRequestRule>) {
    return this.rules.create(actor, project, params);
  }

  @Endpoint('PUT /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id', {
    ...ITEM,
    params: ChangeMergeRequestRule,
    presents: presentMergeRequestRule,
  })
  update({ actor, subject: project, params }: ProjectCall<typeof ChangeMergeRequestRule>) {
    return this.rules.update(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id', {
    ...ITEM,
    params: MergeRequestRulePath,
  })
  remove({ actor, subject: project, params }: ProjectCall<typeof MergeRequestRulePath>) {
    return this.rules.remove(actor, project, params.merge_request_iid, params.approval_rule_id);
  }
}
