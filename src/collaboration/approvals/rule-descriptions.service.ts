import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import type { Project } from '../../repository/repository.api';
import { ApprovalPeople } from './approval-people.repository';
import type { ApprovalRule } from './approval-rule.entity';
import { NamedApprovers } from './named-approvers.service';
import type { RuleNames } from './rule-names';
import { isMet, type DescribedRule, type DescribedStanding, type RuleStanding } from './rule-standing';

/** Rules with the people in them, for who looks: a fixed number of queries, however many they are. */
@Injectable()
export class RuleDescriptions {
  constructor(
    private readonly people: ApprovalPeople,
    private readonly named: NamedApprovers,
    private readonly users: UserDirectory,
  ) {}

  async ofProject(actor: Actor, project: Project, rules: readonly ApprovalRule[]): Promise<DescribedRule[]> {
    const ruleIds = rules.map(({ id }) => id);
    const asked = { projectId: project.id, ruleIds, without: [], among: null };
    const eligible = await this.people.eligible(asked);
    const people = await this.users.byIds([...eligible.values()].flat());
    const namesOf = await this.named.of(actor, ruleIds);
    return rules.map((rule) => {
      const names = namesOf(rule.id);
      const ids = shownOf(names, eligible.get(rule.id) ?? []);
      return {
        rule,
        required: rule.requires(project.approvalsBeforeMerge),
        eligible: ids.flatMap((id) => people.get(id) ?? []),
        names,
      };
    });
  }

  async ofMergeRequest(actor: Actor, standings: readonly RuleStanding[]): Promise<DescribedStanding[]> {
    const people = await this.users.byIds(
      standings.flatMap(({ eligible, approvedBy }) => [...eligible, ...approvedBy]),
    );
    const known = (ids: readonly number[]) => ids.flatMap((id) => people.get(id) ?? []);
    const namesOf = await this.named.of(
      actor,
      standings.map(({ rule }) => rule.id),
    );
    return standings.map((standing) => {
      const names = namesOf(standing.rule.id);
      return {
        rule: standing.rule,
        required: standing.required,
        eligible: known(shownOf(names, standing.eligible)),
        names,
        sourceRequired: standing.sourceRequired,
        approvedBy: known(standing.approvedBy),
        isMet: isMet(standing),
      };
    });
  }
}

/** Nobody is shown where some of them may be in a group that is hidden: they would tell who is in it. As in the reference. */
const shownOf = ({ hidesGroups }: RuleNames, ids: readonly number[]): readonly number[] =>
  hidesGroups ? [] : ids;
