import type { Namespace, UserSummary } from '../../identity/identity.api';

/** Whom a rule names, as far as who looks may know. */
export interface RuleNames {
  readonly users: readonly UserSummary[];
  readonly groups: readonly Namespace[];
  /** It names groups that they do not see. */
  readonly hidesGroups: boolean;
}

/** Everybody whom some of the rules name, each once. */
export function allOf(names: readonly RuleNames[]): Pick<RuleNames, 'users' | 'groups'> {
  const users = new Map(names.flatMap((one) => one.users).map((user) => [user.id, user]));
  const groups = new Map(names.flatMap((one) => one.groups).map((group) => [group.id, group]));
  return { users: [...users.values()], groups: [...groups.values()] };
}
