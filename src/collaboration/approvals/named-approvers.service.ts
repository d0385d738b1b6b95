import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { Namespaces, UserDirectory, type Namespace } from '../../identity/identity.api';
import { GroupReach } from '../../repository/repository.api';
import { ApprovalRulesRepository } from './approval-rules.repository';
import type { RuleNames } from './rule-names';

const NOBODY: RuleNames = { users: [], groups: [], hidesGroups: false };

/** Whom rules name. */
@Injectable()
export class NamedApprovers {
  constructor(
    private readonly rules: ApprovalRulesRepository,
    private readonly users: UserDirectory,
    private readonly reach: GroupReach,
    private readonly namespaces: Namespaces,
  ) {}

  /** By the ids of the rules; a fixed number of queries. */
  async of(actor: Actor, ruleIds: readonly number[]): Promise<(ruleId: number) => RuleNames> {
    const userIds = await this.rules.usersOf(ruleIds);
    const groupIds = await this.rules.groupsOf(ruleIds);
    const users = await this.users.byIds([...userIds.values()].flat());
    const groups = await this.seen(actor, [...new Set([...groupIds.values()].flat())]);
    const names = ruleIds.map((id): [number, RuleNames] => {
      const named = groupIds.get(id) ?? [];
      const shown = named.flatMap((groupId) => groups.get(groupId) ?? []);
      return [
        id,
        {
          users: (userIds.get(id) ?? []).flatMap((userId) => users.get(userId) ?? []),
          groups: shown,
          hidesGroups: shown.length < named.length,
        },
      ];
    });
    const byRule = new Map(names);
    return (ruleId) => byRule.get(ruleId) ?? NOBODY;
  }

  private async seen(actor: Actor, ids: readonly number[]): Promise<ReadonlyMap<number, Namespace>> {
    if (ids.length === 0) return new Map();
    const seen = await this.reach.among(actor, ids);
    const groups = await this.namespaces.byIds(seen.map(({ id }) => id));
    return new Map(groups.map((group) => [group.id, group]));
  }
}
