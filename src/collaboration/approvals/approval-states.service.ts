import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import type { ApprovalState } from './approval-state';
import { ApprovingRights } from './approving-rights.service';
import { NamedApprovers } from './named-approvers.service';
import { allOf } from './rule-names';
import { isApproved, isMet, leftInAll, requiredInAll, type RuleStanding } from './rule-standing';
import { RuleStandings } from './rule-standings.service';

/** Tells how merge requests stand with those who are to approve them. */
@Injectable()
export class ApprovalStates {
  constructor(
    private readonly standings: RuleStandings,
    private readonly rights: ApprovingRights,
    private readonly named: NamedApprovers,
    private readonly users: UserDirectory,
  ) {}

  async of(actor: Actor, project: Project, mergeRequest: MergeRequest): Promise<ApprovalState> {
    const facts = await this.standings.facts(project, mergeRequest);
    const { approverIds, barred, rules } = facts;
    const ruleIds = rules.map(({ rule }) => rule.id);
    const namesOf = await this.named.of(actor, ruleIds);
    // Who would be suggested there tells who is in the group that nobody is to know of.
    const open = rules.filter(({ rule }) => !namesOf(rule.id).hidesGroups);
    const suggested = suggestedIds(open).filter((id) => id !== actor.user?.id);
    const people = await this.users.byIds([...approverIds, ...suggested]);
    const hasApproved = actor.user !== null && approverIds.includes(actor.user.id);
    return {
      mergeRequest,
      required: requiredInAll(facts),
      left: leftInAll(facts),
      isApproved: isApproved(facts),
      approvedBy: approverIds.flatMap((id) => people.get(id) ?? []),
      suggested: suggested.flatMap((id) => people.get(id) ?? []),
      named: allOf(ruleIds.map(namesOf)),
      hasApproved,
      mayApprove: !hasApproved && this.rights.mayApprove(actor, project, barred),
      hasRules: rules.length > 0,
      rulesLeft: rules.filter((standing) => !isMet(standing)),
    };
  }
}

/** Those who could bring a rule further that is not met. */
function suggestedIds(rules: readonly RuleStanding[]): number[] {
  const waiting = rules.filter((standing) => !isMet(standing));
  const ids = waiting.flatMap(({ eligible, approvedBy }) =>
    eligible.filter((id) => !approvedBy.includes(id)),
  );
  return [...new Set(ids)].sort((one, other) => one - other);
}
