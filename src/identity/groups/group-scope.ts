import { isAdmin, Level, type Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import type { ListGroups } from './group.params';
import type { GroupScope } from './groups.repository';

type Wish = Pick<ParamsOf<typeof ListGroups>, 'owned' | 'min_access_level' | 'all_available'>;

/**
 * Which groups the caller's list is made from. `owned` and `min_access_level` go before `all_available`, which
 * holds by default for administrators only.
 */
export function groupScope(actor: Actor, wish: Wish): GroupScope {
  if (!actor.user) return { of: 'open', withInternal: false };
  const { id: userId, isExternal } = actor.user;
  const level = wantedLevel(wish);
  if (level > Level.none) return { of: 'level', userId, level };
  if (isAdmin(actor) && wish.all_available !== false) return { of: 'everything' };
  return { of: 'member', userId, open: wish.all_available ? { withInternal: !isExternal } : null };
}

/** The same for what is inside of a group, in which the actor has a level: who is in a group is in all of it. */
export function scopeInside(actor: Actor, wish: Wish): GroupScope {
  const isInside = actor.level > Level.none && actor.level >= wantedLevel(wish);
  return isInside ? { of: 'everything' } : groupScope(actor, wish);
}

const wantedLevel = ({ owned, min_access_level: least }: Wish): number =>
  Math.max(owned ? Level.owner : Level.none, least ?? Level.none);
