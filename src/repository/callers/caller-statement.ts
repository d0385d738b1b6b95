import { LIVE_MEMBER } from '../../identity/identity.api';

/**
 * The one statement behind every request: who calls, upon which project or group, and at which level.
 * Its parts are fixed texts; what varies by request are parameters $1 (caller) and $2 (subject) alone, so that
 * PostgreSQL prepares each of the few combinations once per connection.
 */

const USER_COLUMNS = `
  u.id AS user_id, u.username AS user_username, u.name AS user_name, u.email AS user_email,
  u.is_admin AS user_is_admin, u.is_external AS user_is_external, u.can_create_group AS user_can_create_group,
  u.projects_limit AS user_projects_limit, u.state IN ('blocked', 'ldap_blocked') OR u.kind <> 'human' AS user_is_blocked,
  u.state = 'deactivated' AS user_is_deactivated,
  coalesce(u.password_expires_at <= now(), false) AS user_must_change_password`;

const CALLERS = {
  nobody: `SELECT NULL::bigint AS user_id, NULL::boolean AS user_is_external WHERE $1::text IS NOT NULL`,
  credential: `
    SELECT ${USER_COLUMNS}, t.id AS token_id, t.kind AS token_kind, t.scopes AS token_scopes,
      encode(t.csrf_digest, 'hex') AS token_csrf,
      coalesce(t.expires_at <= now(), false) AS token_is_expired, t.revoked_at IS NOT NULL AS token_is_revoked,
      coalesce(t.last_used_at < now() - interval '10 minutes', true) AS token_use_is_stale,
      coalesce(u.last_activity_on < current_date, true) AS user_activity_is_stale
    FROM access_tokens t JOIN users u ON u.id = t.user_id
    WHERE t.digest = decode($1, 'hex') AND NOT u.pending_delete`,
  user_id: `SELECT ${USER_COLUMNS} FROM users u WHERE u.id = $1::bigint AND NOT u.pending_delete`,
  username: `SELECT ${USER_COLUMNS} FROM users u WHERE lower(u.username) = lower($1) AND NOT u.pending_delete`,
} as const;

const levelOf = (user: string, traversal: string): string => `(
  SELECT max(m.access_level) FROM members m
  WHERE m.source_kind = 'namespace' AND m.source_id = ANY(${traversal}) AND m.user_id = ${user} AND ${LIVE_MEMBER})`;

/** The caller's level in a group or personal namespace whose ancestry is `traversal`. */
export const levelAlong = (traversal: string): string => levelOf('c.user_id', traversal);

/** SQL expressions for a user and for what is known of a project. */
export interface LevelFacts {
  readonly user: string;
  readonly project: string;
  /** Of its namespace, where that is personal. */
  readonly owner: string;
  /** The ids of the namespaces it is in. */
  readonly traversal: string;
}

/** A user's level in a project: direct, inherited, or through a share, which caps what the shared group's members have. */
export const projectLevel = ({ user, project, owner, traversal }: LevelFacts): string => `greatest(
  CASE WHEN ${owner} = ${user} THEN 50 ELSE 0 END,
  (SELECT m.access_level FROM members m
    WHERE m.source_kind = 'project' AND m.source_id = ${project} AND m.user_id = ${user} AND ${LIVE_MEMBER}),
  ${levelOf(user, traversal)},
  (SELECT max(least(share.group_access, m.access_level))
    FROM project_shares share
    JOIN namespaces g ON g.id = share.group_id AND NOT g.pending_delete
    JOIN members m ON m.source_kind = 'namespace' AND m.source_id = ANY(g.traversal_ids)
      AND m.user_id = ${user} AND ${LIVE_MEMBER}
    WHERE share.project_id = ${project} AND (share.expires_at IS NULL OR share.expires_at > current_date)),
  0)`;

export const PROJECT_LEVEL = projectLevel({
  user: 'c.user_id',
  project: 's.id',
  owner: 's.namespace_owner_id',
  traversal: 's.namespace_traversal_ids',
});

const NAMESPACE_FULL_NAME = `CASE WHEN n.parent_id IS NULL THEN n.name ELSE (
  SELECT string_agg(a.name, ' / ' ORDER BY array_position(n.traversal_ids, a.id))
  FROM namespaces a WHERE a.id = ANY(n.traversal_ids)) END`;

/** A project's columns with its route and namespace, as `projectOf` reads them. */
export const PROJECT_COLUMNS = `
  p.*, r.path AS full_path,
  n.name AS namespace_name, n.path AS namespace_path, n.kind AS namespace_kind, n.parent_id AS namespace_parent_id,
  n.owner_id AS namespace_owner_id, n.avatar AS namespace_avatar, n.traversal_ids AS namespace_traversal_ids,
  nr.path AS namespace_full_path, ${NAMESPACE_FULL_NAME} AS namespace_full_name`;

export const PROJECT_TABLES = `
  projects p
  JOIN routes r ON r.project_id = p.id
  JOIN namespaces n ON n.id = p.namespace_id
  JOIN routes nr ON nr.namespace_id = n.id`;

export const LIVE_PROJECT = 'NOT p.pending_delete AND NOT n.pending_delete';

/** The caller sees the internal things that are around, as nobody anonymous and no external user does. */
const SEES_INTERNAL = '(c.user_id IS NOT NULL AND NOT c.user_is_external)';

const PROJECT_INSIDE = `SELECT 1 FROM namespaces n JOIN projects p ON p.namespace_id = n.id
  WHERE n.traversal_ids @> ARRAY[s.id] AND ${LIVE_PROJECT}`;

/**
 * Whether somebody outside of a group sees a project in it, which shows them the group too: an open one, or one they
 * are a member of, itself or through a group inside. The latter are looked up from the caller's few memberships.
 */
const HAS_VISIBLE_PROJECT = `(
  EXISTS (${PROJECT_INSIDE} AND p.visibility <> 'private' AND (p.visibility = 'public' OR ${SEES_INTERNAL}))
  OR EXISTS (
    SELECT 1 FROM members m JOIN projects p ON p.id = m.source_id JOIN namespaces n ON n.id = p.namespace_id
    WHERE m.source_kind = 'project' AND m.user_id = c.user_id AND ${LIVE_MEMBER}
      AND n.traversal_ids @> ARRAY[s.id] AND ${LIVE_PROJECT})
  OR EXISTS (
    SELECT 1 FROM members m JOIN namespaces g ON g.id = m.source_id
    WHERE m.source_kind = 'namespace' AND m.user_id = c.user_id AND ${LIVE_MEMBER}
      AND g.traversal_ids @> ARRAY[s.id] AND NOT g.pending_delete AND EXISTS (
        SELECT 1 FROM namespaces n JOIN projects p ON p.namespace_id = n.id
        WHERE n.traversal_ids @> ARRAY[g.id] AND ${LIVE_PROJECT})))`;

/** The caller `c`'s level in a group `s`. */
export const GROUP_LEVEL = `coalesce(${levelAlong('s.traversal_ids')}, 0)`;
/** Whether the caller `c` may know of a group `s`, administrators aside. */
export const GROUP_IS_SHOWN = `(s.visibility = 'public' OR (s.visibility = 'internal' AND ${SEES_INTERNAL})
  OR ${GROUP_LEVEL} > 0 OR ${HAS_VISIBLE_PROJECT})`;
/** Only a group that the caller does not see anyway is worth a look. */
const GROUP_COLUMNS = `, CASE
  WHEN s.visibility = 'public' OR (s.visibility = 'internal' AND ${SEES_INTERNAL}) OR ${GROUP_LEVEL} > 0 THEN false
  ELSE ${HAS_VISIBLE_PROJECT} END AS has_visible_project`;

/** What has the path $2, or had it before anybody else. */
const atPath = (column: 'project_id' | 'namespace_id'): string => `coalesce(
  (SELECT r.${column} FROM routes r WHERE lower(r.path) = lower($2)),
  (SELECT former.${column} FROM route_redirects former WHERE lower(former.path) = lower($2)))`;

const SUBJECTS = {
  nothing: { rows: `SELECT NULL::bigint AS id WHERE $2::text IS NOT NULL`, level: '0', columns: '' },
  project_id: {
    rows: `SELECT ${PROJECT_COLUMNS} FROM ${PROJECT_TABLES} WHERE p.id = $2::bigint AND ${LIVE_PROJECT}`,
    level: PROJECT_LEVEL,
    columns: '',
  },
  project_path: {
    rows: `SELECT ${PROJECT_COLUMNS} FROM ${PROJECT_TABLES} WHERE p.id = ${atPath('project_id')} AND ${LIVE_PROJECT}`,
    level: PROJECT_LEVEL,
    columns: '',
  },
  group_id: {
    rows: `SELECT n.*, r.path AS full_path FROM namespaces n JOIN routes r ON r.namespace_id = n.id
      WHERE n.id = $2::bigint AND n.kind = 'group' AND NOT n.pending_delete`,
    level: GROUP_LEVEL,
    columns: GROUP_COLUMNS,
  },
  group_path: {
    rows: `SELECT n.*, r.path AS full_path FROM namespaces n JOIN routes r ON r.namespace_id = n.id
      WHERE n.id = ${atPath('namespace_id')} AND n.kind = 'group' AND NOT n.pending_delete`,
    level: GROUP_LEVEL,
    columns: GROUP_COLUMNS,
  },
} as const;

export type CallerKey = keyof typeof CALLERS;
export type SubjectKey = keyof typeof SUBJECTS;

export interface Statement {
  readonly name: string;
  readonly text: string;
}

const statements = new Map<string, Statement>();

/**
 * The statement for one combination of caller and subject; always gives exactly one row. Caller and subject come as
 * JSON: the driver takes longer over ninety columns than the server over all the rest.
 */
export function callerStatement(caller: CallerKey, subject: SubjectKey): Statement {
  const name = `caller_${caller}_${subject}`;
  const known = statements.get(name);
  if (known) return known;
  const { rows, level, columns } = SUBJECTS[subject];
  const text = `
    WITH c AS (${CALLERS[caller]}), s AS (${rows})
    SELECT row_to_json(c) AS caller, row_to_json(s) AS subject, ${level} AS level ${columns}
    FROM (SELECT 1) AS always LEFT JOIN c ON true LEFT JOIN s ON true`;
  const statement = { name, text };
  statements.set(name, statement);
  return statement;
}
