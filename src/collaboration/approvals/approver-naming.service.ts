import type { Actor } from '#libs/access';
import { invalid } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { GroupReach, type Project } from '../../repository/repository.api';
import { ApprovalPeople } from './approval-people.repository';
import type { ApprovalRule } from './approval-rule.entity';
import { ApprovalRulesRepository } from './approval-rules.repository';
import type { WantedApprovers } from './wanted-approvers';

const isNobody = 'names nobody who can be named here';
/** With those that stay because the caller does not see them; otherwise several people could add to them without end. */
const MOST_GROUPS = 100;

/** Writes the names into rules. */
@Injectable()
export class ApproverNaming {
  constructor(
    private readonly rules: ApprovalRulesRepository,
    private readonly people: ApprovalPeople,
    private readonly reach: GroupReach,
  ) {}

  /**
   * Whoever has no access to the project is passed over, and so are groups that the caller does not see. Throws
   * `validation` where nobody is left of those who were wanted. In the transaction that holds the rule; saves it.
   */
  async name(actor: Actor, project: Project, rule: ApprovalRule, wanted: WantedApprovers): Promise<void> {
    const { userIds, groupIds, removeHiddenGroups } = wanted;
    const users = userIds && (await this.people.withAccess(project.id, userIds));
    const groups = groupIds && (await this.seen(actor, groupIds));
    const given = (userIds?.length ?? 0) + (groupIds?.length ?? 0);
    if (given > 0 && (users?.length ?? 0) + (groups?.length ?? 0) === 0)
      throw invalid({ approvers: [isNobody] });
    const before = (await this.rules.groupsOf([rule.id])).get(rule.id) ?? [];
    const shown = await this.seen(actor, before);
    const hidden = before.filter((id) => !shown.includes(id));
    if (users) await this.rules.setUsers(rule.id, users);
    if (groups || removeHiddenGroups) {
      const named = new Set([...(groups ?? shown), ...(removeHiddenGroups ? [] : hidden)]);
      if (named.size > MOST_GROUPS) throw invalid({ groups: [`can be ${MOST_GROUPS} at most`] });
      await this.rules.setGroups(rule.id, [...named]);
    }
    if (users || groups) rule.forAnyone = await this.namesNobody(rule.id);
    await this.rules.save(rule);
  }

  /** Those of a rule become those of another. */
  async copy(from: ApprovalRule, to: ApprovalRule): Promise<void> {
    await this.rules.setUsers(to.id, (await this.rules.usersOf([from.id])).get(from.id) ?? []);
    await this.rules.setGroups(to.id, (await this.rules.groupsOf([from.id])).get(from.id) ?? []);
    to.forAnyone = from.forAnyone;
    await this.rules.save(to);
  }

  private async namesNobody(ruleId: number): Promise<boolean> {
    const users = await this.rules.usersOf([ruleId]);
    const groups = await this.rules.groupsOf([ruleId]);
    return users.size === 0 && groups.size === 0;
  }

  private async seen(actor: Actor, ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    return (await this.reach.among(actor, ids)).map(({ id }) => id);
  }
}
