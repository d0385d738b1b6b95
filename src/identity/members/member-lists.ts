import type { PagedStatement } from '#libs/database';
import { LIVE_MEMBER } from './live-member';

/**
 * The statements behind lists of members. Parameters: $1 kind and $2 id of the source, $3 the namespace it is in,
 * $4 ids of the users that are looked for, or null.
 *
 * Every source gives its members in the order of user ids, and no more than the page needs: whoever is among the
 * first of all is among the first of each source they are in. So the size of a group does not matter.
 */

/** $5 is the pattern of a search. Each member is tested alone (by OFFSET 0): users are many, and most do not matter. */
const MATCHES = `AND EXISTS (
  SELECT 1 FROM users u WHERE u.id = m.user_id AND (lower(u.name) LIKE $5 OR lower(u.username) LIKE $5) OFFSET 0)`;

/** Users whom the pattern $1 finds, but no more than $2. */
export const MATCHING_USERS =
  'SELECT u.id FROM users u WHERE lower(u.name) LIKE $1 OR lower(u.username) LIKE $1 LIMIT $2';

const membersOf = (kind: string, id: string, most: string, hasPattern: boolean): string => `
  SELECT m.user_id, m.access_level, m.expires_at FROM members m
  WHERE m.source_kind = ${kind} AND m.source_id = ${id} AND ${LIVE_MEMBER} ${hasPattern ? MATCHES : ''}
    AND ($4::bigint[] IS NULL OR m.user_id = ANY($4))
    AND NOT EXISTS (SELECT 1 FROM users gone WHERE gone.id = m.user_id AND gone.pending_delete)
  ORDER BY m.user_id LIMIT ${most}`;

/** Members of the source itself. */
export const directMembers =
  (hasPattern: boolean): PagedStatement =>
  (most) =>
    `SELECT direct.* FROM (${membersOf('$1', '$2', most, hasPattern)}) AS direct
     WHERE $3::bigint IS NOT NULL ORDER BY direct.user_id`;

/** Where members come from: the source, what is above it, and groups it is shared with, which give no more than the share does. */
const SOURCES = `
  SELECT $1::text AS kind, $2::bigint AS id, 50 AS cap, NULL::date AS ends
  UNION
  SELECT 'namespace', unnest(n.traversal_ids), 50, NULL FROM namespaces n WHERE n.id = $3
  UNION
  SELECT 'namespace', unnest(g.traversal_ids), share.group_access, share.expires_at
  FROM project_shares share JOIN namespaces g ON g.id = share.group_id
  WHERE $1 = 'project' AND share.project_id = $2 AND NOT g.pending_delete
    AND (share.expires_at IS NULL OR share.expires_at > current_date)`;

const ownerOf = (hasPattern: boolean): string => `
  SELECT n.owner_id, 50, NULL::date FROM namespaces n JOIN users u ON u.id = n.owner_id
  WHERE n.id = $3 AND NOT u.pending_delete AND ($4::bigint[] IS NULL OR u.id = ANY($4))
    ${hasPattern ? 'AND (lower(u.name) LIKE $5 OR lower(u.username) LIKE $5)' : ''}`;

/** Everybody with a level in the source, once, with the greatest they have on any way. */
export const effectiveMembers =
  (hasPattern: boolean): PagedStatement =>
  (most) => `
    SELECT DISTINCT ON (one.user_id) one.user_id, one.access_level, one.expires_at FROM (
      SELECT found.user_id, least(found.access_level, source.cap) AS access_level,
        least(found.expires_at, source.ends) AS expires_at
      FROM (${SOURCES}) AS source, LATERAL (${membersOf('source.kind', 'source.id', most, hasPattern)}) AS found
      UNION ALL ${ownerOf(hasPattern)}
    ) AS one
    ORDER BY one.user_id, one.access_level DESC, one.expires_at DESC NULLS FIRST`;
