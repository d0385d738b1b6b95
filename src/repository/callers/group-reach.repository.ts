import { isAdmin, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { GROUP_IS_SHOWN, GROUP_LEVEL } from './caller-statement';

/** A group that the caller sees, with their level in it. */
export interface ReachedGroup {
  readonly id: number;
  readonly fullPath: string;
  readonly level: number;
}

interface Kin {
  /** The groups inside of it, at any depth. */
  readonly descendants: boolean;
  /** The groups that it is in. */
  readonly ancestors: boolean;
}

/** The caller is $1, an external user if $2 and an administrator if $3. */
const SEEN = `
  WITH c AS (SELECT $1::bigint AS user_id, coalesce($2::boolean, false) AS user_is_external)
  SELECT s.id, r.path AS "fullPath", ${GROUP_LEVEL} AS level
  FROM c, namespaces s JOIN routes r ON r.namespace_id = s.id
  WHERE s.kind = 'group' AND NOT s.pending_delete AND ($3 OR ${GROUP_IS_SHOWN})`;

const AROUND = `${SEEN}
  AND (s.id = $4 OR ($5 AND s.traversal_ids @> ARRAY[$4::bigint])
    OR ($6 AND s.id = ANY((SELECT traversal_ids FROM namespaces WHERE id = $4)::bigint[])))`;

const callerValues = (actor: Actor): readonly unknown[] => [
  actor.user?.id ?? null,
  actor.user?.isExternal ?? null,
  isAdmin(actor),
];

/** Groups beside the one of the path, as far as the caller sees them. */
@Injectable()
export class GroupReach {
  constructor(private readonly database: Database) {}

  /** The group and those of its kin: one query. */
  around(actor: Actor, groupId: number, { descendants, ancestors }: Kin): Promise<ReachedGroup[]> {
    const values = [...callerValues(actor), groupId, descendants, ancestors];
    return this.database.prepared<ReachedGroup & { id: number }>('groups_around', AROUND, values);
  }

  /** Those of the ids: one query. */
  among(actor: Actor, ids: readonly number[]): Promise<ReachedGroup[]> {
    const text = `${SEEN} AND s.id = ANY($4::bigint[])`;
    const values = [...callerValues(actor), ids];
    return this.database.prepared<ReachedGroup & { id: number }>('groups_seen_among', text, values);
  }
}
