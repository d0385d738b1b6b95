import { LIVE_MEMBER } from './live-member';

/**
 * SQL for the ids of the groups in which a user has at least a level, by a membership there or above; both arguments
 * are SQL expressions. A group comes once for each membership that reaches it. The groups inside are looked up one
 * membership at a time (that is what OFFSET 0 forces): the index of ancestors is slow with many ids at once.
 */
export const groupsOfMember = (userId: string, level: string): string => `
  SELECT reached.id FROM members m, LATERAL (
    SELECT inside.id FROM namespaces inside WHERE inside.traversal_ids @> ARRAY[m.source_id] OFFSET 0) AS reached
  WHERE m.user_id = ${userId} AND m.source_kind = 'namespace' AND m.access_level >= ${level} AND ${LIVE_MEMBER}`;
