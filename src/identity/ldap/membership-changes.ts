import { Level } from '#libs/access';

/** A direct membership of a group as it is. */
export interface CurrentMember {
  readonly id: number;
  readonly userId: number;
  readonly accessLevel: number;
  /** Made by a directory: it may also take it away. */
  readonly ldap: boolean;
  /** Counts: neither a request nor expired. */
  readonly isLive: boolean;
}

/** What makes a group's memberships those that its directory wants. */
export interface MembershipChanges {
  readonly kept: readonly { readonly userId: number; readonly accessLevel: number }[];
  /** Ids of memberships. */
  readonly removed: readonly number[];
  /** The user who stays the owner because nobody else would be; null where nobody has to. */
  readonly lastOwner: number | null;
}

/**
 * Who is in the directory gets its level, also who was made a member by hand: from then on the membership is the
 * directory's. Who is not loses a membership that the directory made, and keeps one made by hand. A group that had an
 * owner keeps one. `wanted` is level by user id; members that are as wanted appear in no list.
 */
export function membershipChanges(
  current: readonly CurrentMember[],
  wanted: ReadonlyMap<number, number>,
  hasOwnerAbove: boolean,
): MembershipChanges {
  const lastOwner = hasOwnerAbove ? null : ownerToKeep(current, wanted);
  const known = new Map(current.map((member) => [member.userId, member]));
  const kept = [...wanted]
    .map(([userId, accessLevel]) => ({ userId, accessLevel }))
    .filter(({ userId, accessLevel }) => {
      const member = known.get(userId);
      const isAsWanted = member?.ldap && member.isLive && member.accessLevel === accessLevel;
      return !isAsWanted && userId !== lastOwner;
    });
  const removed = current.filter(({ userId, ldap }) => ldap && !wanted.has(userId) && userId !== lastOwner);
  return { kept, removed: removed.map(({ id }) => id), lastOwner };
}

function ownerToKeep(current: readonly CurrentMember[], wanted: ReadonlyMap<number, number>): number | null {
  const owners = current.filter(({ accessLevel, isLive }) => isLive && accessLevel === Level.owner);
  const staysByHand = owners.some(({ userId, ldap }) => !ldap && !wanted.has(userId));
  const comesByDirectory = [...wanted.values()].includes(Level.owner);
  if (staysByHand || comesByDirectory) return null;
  const [oldest] = owners.toSorted((one, other) => one.id - other.id);
  return oldest?.userId ?? null;
}
