import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { ApprovalPeople } from './approval-people.repository';
import type { ApprovalRule } from './approval-rule.entity';
import { ApprovalRulesRepository } from './approval-rules.repository';
import { ApprovalsRepository } from './approvals.repository';
import { ApprovingRights } from './approving-rights.service';
import { countingApprovers, type ApprovalFacts, type RuleStanding } from './rule-standing';

/** Works out how rules stand in merge requests. */
@Injectable()
export class RuleStandings {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly rules: ApprovalRulesRepository,
    private readonly people: ApprovalPeople,
    private readonly rights: ApprovingRights,
    private readonly license: License,
  ) {}

  /** Nothing is asked for where approvals are not licensed. */
  async facts(project: Project, mergeRequest: MergeRequest): Promise<ApprovalFacts> {
    const approverIds = await this.approvals.approversOf(mergeRequest.id);
    const number = this.rights.required(project, mergeRequest);
    if (!this.license.has('merge_request_approvers')) return { number, approverIds, barred: [], rules: [] };
    const facts = { number, approverIds, barred: await this.rights.barred(project, mergeRequest) };
    const rules = await this.rules.effective(mergeRequest.id);
    return { ...facts, rules: await this.standings(project, mergeRequest, rules, facts) };
  }

  /** Of some rules of the merge request, in their order. */
  async of(
    project: Project,
    mergeRequest: MergeRequest,
    rules: readonly ApprovalRule[],
  ): Promise<RuleStanding[]> {
    const approverIds = await this.approvals.approversOf(mergeRequest.id);
    const barred = await this.rights.barred(project, mergeRequest);
    return this.standings(project, mergeRequest, rules, { approverIds, barred });
  }

  private async standings(
    project: Project,
    mergeRequest: MergeRequest,
    rules: readonly ApprovalRule[],
    { approverIds, barred }: Pick<ApprovalFacts, 'approverIds' | 'barred'>,
  ): Promise<RuleStanding[]> {
    if (rules.length === 0) return [];
    const sources = await this.rules.byIds(rules.flatMap(({ sourceRuleId }) => sourceRuleId ?? []));
    const ruleIds = rules.map(({ id }) => id);
    const asked = { projectId: project.id, without: barred };
    const named = { ...asked, ruleIds: [...new Set([...ruleIds, ...sources.keys()])], among: null };
    const eligible = await this.people.eligible(named);
    const approved = await this.people.eligible({ ...asked, ruleIds, among: approverIds });
    const number = this.rights.required(project, mergeRequest);
    return rules.map((rule) => {
      const source = sources.get(rule.sourceRuleId ?? 0);
      const sourceRequired = source?.requires(project.approvalsBeforeMerge) ?? null;
      const counting = rule.forAnyone ? countingApprovers({ approverIds, barred }) : approved.get(rule.id);
      const ofSource = source?.forAnyone ? Infinity : (eligible.get(source?.id ?? 0)?.length ?? 0);
      return {
        rule,
        // What the project asks for later counts here, too.
        required: Math.max(rule.requires(number), sourceRequired ?? 0),
        least: Math.min(sourceRequired ?? 0, ofSource),
        sourceRequired,
        eligible: eligible.get(rule.id) ?? [],
        approvedBy: approverIds.filter((id) => counting?.includes(id)),
      };
    });
  }
}
