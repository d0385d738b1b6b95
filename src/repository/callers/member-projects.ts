import { LIVE_MEMBER } from '../../identity/identity.api';

/** For a WITH clause: the namespaces that a user (an SQL expression) is a member of, those inside of groups included. */
const memberPlaces = (user: string): string => `
  member_place AS MATERIALIZED (
    SELECT reached.id, m.access_level AS level FROM members m, LATERAL (
      SELECT inside.id FROM namespaces inside WHERE inside.traversal_ids @> ARRAY[m.source_id] OFFSET 0) AS reached
    WHERE m.user_id = ${user} AND m.source_kind = 'namespace' AND ${LIVE_MEMBER}
    UNION ALL
    SELECT own.id, 50 FROM namespaces own WHERE own.owner_id = ${user})`;

/** Over `member_place`: a row for each way in which the user is a member of a project. */
const memberships = (user: string): string => `
  SELECT p.id, place.level FROM member_place place JOIN projects p ON p.namespace_id = place.id
  UNION ALL
  SELECT m.source_id, m.access_level FROM members m
  WHERE m.source_kind = 'project' AND m.user_id = ${user} AND ${LIVE_MEMBER}
  UNION ALL
  SELECT share.project_id, least(share.group_access, place.level)
  FROM member_place place
  JOIN namespaces g ON g.id = place.id AND NOT g.pending_delete
  JOIN project_shares share ON share.group_id = g.id
    AND (share.expires_at IS NULL OR share.expires_at > current_date)`;

/**
 * SQL for a WITH clause: `member_project` has the projects that a user (an SQL expression) is a member of, by whatever
 * way, with their level in each. It is gathered from their memberships, so that the projects of others do not matter.
 * For lists across projects; `projectLevel` says the same of a single one.
 */
export const memberProjects = (user: string): string => `${memberPlaces(user)},
  member_project AS MATERIALIZED (
    SELECT found.id, max(found.level) AS level FROM (${memberships(user)}) AS found GROUP BY found.id)`;

/** SQL for the ids of these projects, some of them several times, as fast as they are found and no more than so many. */
export const someMemberProjects = (user: string, most: number): string => `
  WITH ${memberPlaces(user)} SELECT found.id FROM (${memberships(user)}) AS found LIMIT ${most}`;
