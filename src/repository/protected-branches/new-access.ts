import { Level } from '#libs/access';
import { DomainError, invalidParameter } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { License } from '#libs/tiers';
import { isLicensed } from './access-levels';
import type { ProtectedAction, ProtectedBranchAccess } from './protected-branch.entity';
import type { CreateProtectedBranch } from './protected-branch.params';

export type NewAccess = Pick<ProtectedBranchAccess, 'action' | 'accessLevel' | 'userId' | 'groupId'>;

const ACTIONS = ['push', 'merge', 'unprotect'] as const;

type Params = ParamsOf<typeof CreateProtectedBranch>;

/**
 * Who may do what by the parameters of a new rule: maintainers, where neither a level nor anybody is named.
 * Throws 400 for a level that the licence lacks; who is named without a licence for it is passed over.
 */
export function newAccessOf(params: Params, license: License): NewAccess[] {
  return ACTIONS.flatMap((action) => {
    const level = params[`${action}_access_level`];
    if (level !== undefined) requireLevel(`${action}_access_level`, level, license);
    const named = license.has('protected_refs_for_users') ? namedIn(params, action) : [];
    const ofLevel = level ?? (named.length === 0 ? Level.maintainer : null);
    return withoutRepeats([
      ...(ofLevel === null ? [] : [accessOf(action, { accessLevel: ofLevel })]),
      ...named,
    ]);
  });
}

function namedIn(params: Params, action: ProtectedAction): NewAccess[] {
  return (params[`allowed_to_${action}`] ?? []).map(({ user_id, group_id, access_level }) =>
    accessOf(action, {
      userId: user_id ?? null,
      groupId: group_id ?? null,
      accessLevel: access_level ?? null,
    }),
  );
}

const accessOf = (action: ProtectedAction, who: Partial<NewAccess>): NewAccess => ({
  action,
  accessLevel: null,
  userId: null,
  groupId: null,
  ...who,
});

function requireLevel(attribute: string, level: number, license: License): void {
  if (isLicensed(level) && !license.has('protected_refs_for_users'))
    throw invalidParameter(`${attribute} does not have a valid value`);
}

function withoutRepeats(access: readonly NewAccess[]): NewAccess[] {
  const byKey = new Map(
    access.map((entry) => [`${entry.accessLevel} ${entry.userId} ${entry.groupId}`, entry]),
  );
  return [...byKey.values()];
}

const SUBJECTS: Readonly<Record<ProtectedAction, string>> = {
  push: 'Push access levels',
  merge: 'Merge access levels',
  unprotect: 'Unprotect access levels',
};

/** Throws 422 with a sentence for each of those named who have nothing to do with the project. */
export function requireKnown(
  access: readonly NewAccess[],
  known: { readonly users: ReadonlySet<number>; readonly groups: ReadonlySet<number> },
): void {
  const messages = access.flatMap(({ action, userId, groupId }) => [
    ...(userId === null || known.users.has(userId)
      ? []
      : [`${SUBJECTS[action]} user is not a member of the project`]),
    ...(groupId === null || known.groups.has(groupId)
      ? []
      : [`${SUBJECTS[action]} group does not have access to the project`]),
  ]);
  if (messages.length > 0) throw new DomainError({ kind: 'unprocessable', messages: [...new Set(messages)] });
}
