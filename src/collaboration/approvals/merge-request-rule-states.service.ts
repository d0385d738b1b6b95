import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import type { ApprovalRule } from './approval-rule.entity';
import { ApprovalRulesRepository } from './approval-rules.repository';
import { RuleDescriptions } from './rule-descriptions.service';
import type { DescribedStanding, RuleStates } from './rule-standing';
import { RuleStandings } from './rule-standings.service';

/** Tells how rules stand in merge requests. */
@Injectable()
export class MergeRequestRuleStates {
  constructor(
    private readonly found: MergeRequests,
    private readonly rules: ApprovalRulesRepository,
    private readonly standings: RuleStandings,
    private readonly descriptions: RuleDescriptions,
  ) {}

  /** Throws "404 Not found". */
  async state(actor: Actor, project: Project, iid: number): Promise<RuleStates> {
    const { rules } = await this.standings.facts(project, await this.found.require(actor, project, iid));
    return {
      isOverwritten: rules.some(({ rule }) => rule.mergeRequestId !== null),
      rules: await this.descriptions.ofMergeRequest(actor, rules),
    };
  }

  /** Those of its own. Throws "404 Not found". */
  async own(actor: Actor, project: Project, iid: number): Promise<DescribedStanding[]> {
    const mergeRequest = await this.found.require(actor, project, iid);
    const rules = await this.rules.list({ mergeRequestId: mergeRequest.id });
    const standings = await this.standings.of(project, mergeRequest, rules);
    return this.descriptions.ofMergeRequest(actor, standings);
  }

  async one(
    actor: Actor,
    project: Project,
    mergeRequest: MergeRequest,
    rule: ApprovalRule,
  ): Promise<DescribedStanding> {
    const standings = await this.standings.of(project, mergeRequest, [rule]);
    const [described] = await this.descriptions.ofMergeRequest(actor, standings);
    if (!described) throw new Error('every rule is described');
    return described;
  }
}
