import { isAdmin, Level, type Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import type { ListGroups } from './group.params';
import type { GroupScope } from './groups.repository';

/**
 * Which groups the caller's list is made from. `owned` and `min_access_level` go before `all_available`, which
 * holds by default for administrators only.
 */
export function groupScope(actor: Actor, params: ParamsOf<typeof ListGroups>): GroupScope {
  if (!actor.user) return { of: 'open', withInternal: false };
  const { id: userId, isExternal } = actor.user;
  const level = Math.max(params.owned ? Level.owner : Level.none, params.min_access_level ?? Level.none);
  if (level > Level.none) return { of: 'level', userId, level };
  if (isAdmin(actor) && params.all_available !== false) return { of: 'everything' };
  return { of: 'member', userId, open: params.all_available ? { withInternal: !isExternal } : null };
}
