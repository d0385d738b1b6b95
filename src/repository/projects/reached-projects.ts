import { groupsOfMember, LIVE_MEMBER } from '../../identity/identity.api';

/**
 * What a user reaches, of `:userId` and at least `:level`, as two CTEs: `places` and `reached`. They are gathered first,
 * from the user's memberships, so that the number of projects of others does not matter.
 */

/** Ids of namespaces whose projects the user has the level in: groups, and their own. */
export const PLACES = `${groupsOfMember(':userId', ':level')}
  UNION ALL SELECT own.id FROM namespaces own WHERE own.owner_id = :userId`;

/** Ids of projects in those places, others by their own membership, and those shared with a group among the places. */
export const REACHED = `
  SELECT p.id FROM projects p WHERE p.namespace_id = ANY(ARRAY(SELECT place.id FROM places place))
  UNION ALL
  SELECT m.source_id FROM members m
  WHERE m.source_kind = 'project' AND m.user_id = :userId AND m.access_level >= :level AND ${LIVE_MEMBER}
  UNION ALL
  SELECT share.project_id FROM project_shares share JOIN namespaces g ON g.id = share.group_id
  WHERE share.group_id = ANY(ARRAY(SELECT place.id FROM places place)) AND share.group_access >= :level
    AND NOT g.pending_delete AND (share.expires_at IS NULL OR share.expires_at > current_date)`;

/** For few against many: the rows are looked up by these ids. */
export const IN_PLACES = 'project.namespaceId = ANY(ARRAY(SELECT place.id FROM places place))';
export const IS_REACHED = 'project.id = ANY(ARRAY(SELECT reached.id FROM reached))';
/** For a condition among others: rows are found on some other way and tested. */
export const MAY_BE_REACHED = 'project.id IN (SELECT reached.id FROM reached)';
