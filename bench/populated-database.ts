import type { Client } from 'pg';

/** How many of each there are: what lists have to stay fast with. */
export const POPULATION = { users: 100_000, groups: 20_000, projects: 50_000 } as const;

/** Every user has a token, which says whose it is. */
const viewer = (id: number) => ({ id, token: `token-of-user-${id}` });

/** Who looks at lists. */
export const VIEWERS = {
  /** An administrator. */
  admin: viewer(1),
  /** A member of the large group and some dozen others, as half of all people are. */
  usual: viewer(4322),
  /** A member of hundreds of groups, and so of thousands inside of them. */
  busy: viewer(2),
} as const;

/** Groups and projects that are unlike the others. */
export const PLACES = {
  /** Half of all users are its members, and a quarter of all groups are inside of it. */
  largeGroup: 1,
  usualGroup: 600,
  /** At the end of the deepest line of groups. */
  deepGroup: 20_000,
  /** In the large group. */
  inheritingProject: 1,
  usualProject: 30_123,
} as const;

const { users, groups, projects } = POPULATION;
/** Where the chain of the deepest groups begins: each but the first lies in the one before. */
const CHAIN = groups - 17;

/** Groups below the large one, then a broad forest, then the chain. Parents come before their children. */
const PARENT = `CASE
  WHEN i <= 500 THEN NULL
  WHEN i <= 1500 THEN 1
  WHEN i <= 5500 THEN 501 + i % 1000
  WHEN i <= 10000 THEN 2 + i % 499
  WHEN i > ${CHAIN} THEN i - 1
  ELSE i - 4500 END`;

const NAMESPACES = `
  WITH RECURSIVE parents AS (SELECT i, ${PARENT} AS parent FROM generate_series(1, ${groups}) AS i),
  placed AS (
    SELECT i, parent, ARRAY[i]::bigint[] AS line, 'group-' || i AS path FROM parents WHERE parent IS NULL
    UNION ALL
    SELECT p.i, p.parent, a.line || p.i::bigint, a.path || '/group-' || p.i FROM parents p JOIN placed a ON p.parent = a.i),
  made AS (
    INSERT INTO namespaces (id, kind, parent_id, name, path, visibility, traversal_ids)
    SELECT i, 'group', parent, 'Group ' || substr(md5(i::text), 1, 6) || ' ' || i, 'group-' || i,
      (ARRAY['public', 'internal', 'internal', 'private', 'private', 'private', 'private', 'private', 'private', 'private'])[1 + i % 10],
      line
    FROM placed)
  INSERT INTO routes (path, namespace_id) SELECT path, i FROM placed`;

const LEVEL = (seed: string): string => `(ARRAY[10, 20, 30, 40, 50])[1 + (${seed}) % 5]`;
const PROJECT_LEVEL = (seed: string): string => `(ARRAY[10, 20, 30, 40])[1 + (${seed}) % 4]`;

/** Every user has a namespace, whose id is the user's behind those of the groups. */
const STATEMENTS = [
  `INSERT INTO users (id, username, name, email, is_admin, is_external, state, confirmed_at, created_at, updated_at)
   SELECT i, 'user-' || i, 'Name ' || substr(md5('name' || i), 1, 8), 'user-' || i || '@example.com', i = 1, i % 50 = 0,
     CASE WHEN i % 100 = 0 THEN 'blocked' ELSE 'active' END, now(),
     now() - (${users} - i) * interval '1 minute', now() - (i * 7919 % ${users}) * interval '1 minute'
   FROM generate_series(1, ${users}) AS i`,
  `INSERT INTO email_addresses (address, user_id) SELECT lower(email), id FROM users`,
  NAMESPACES,
  `INSERT INTO namespaces (id, kind, owner_id, name, path, traversal_ids)
   SELECT ${groups} + i, 'user', i, 'user-' || i, 'user-' || i, ARRAY[${groups} + i] FROM generate_series(1, ${users}) AS i`,
  `INSERT INTO routes (path, namespace_id) SELECT 'user-' || i, ${groups} + i FROM generate_series(1, ${users}) AS i`,
  `INSERT INTO projects (id, namespace_id, creator_id, name, path, description, visibility, repository_storage, disk_path,
     last_activity_at, created_at, updated_at)
   SELECT i, CASE WHEN i % 2 = 1 THEN 1 + (i / 2) % ${groups} ELSE ${groups} + 1 + (i * 31) % ${users} END, 1,
     'Project ' || substr(md5('project' || i), 1, 6) || ' ' || i, 'project-' || i, 'About ' || md5('about' || i),
     (ARRAY['public', 'internal', 'private', 'private', 'private'])[1 + i % 5], 'default', 'disk/' || i,
     now() - (i * 7919 % ${projects}) * interval '1 minute', now() - (${projects} - i) * interval '1 minute',
     now() - (i * 31337 % ${projects}) * interval '1 minute'
   FROM generate_series(1, ${projects}) AS i`,
  `INSERT INTO routes (path, project_id)
   SELECT r.path || '/' || p.path, p.id FROM projects p JOIN routes r ON r.namespace_id = p.namespace_id`,
  `INSERT INTO members (source_kind, source_id, user_id, access_level)
   SELECT 'namespace', g, 1 + (g * 37 + k * 3331) % ${users}, ${LEVEL('g + k')}
   FROM generate_series(2, ${groups}) AS g, generate_series(0, 29) AS k
   UNION ALL
   SELECT 'project', p, 1 + (p * 41 + k * 9973) % ${users}, ${PROJECT_LEVEL('p + k')}
   FROM generate_series(1, ${projects}) AS p, generate_series(0, 6) AS k
   UNION ALL
   SELECT 'namespace', ${PLACES.largeGroup}, u, ${LEVEL('u')} FROM generate_series(2, ${users}, 2) AS u`,
  `INSERT INTO members (source_kind, source_id, user_id, access_level)
   SELECT 'namespace', g, ${VIEWERS.busy.id}, 30 FROM generate_series(2, ${groups}, 80) AS g
   ON CONFLICT DO NOTHING`,
  `INSERT INTO project_shares (project_id, group_id, group_access)
   SELECT p, 1 + (p * 13) % ${groups}, 30 FROM generate_series(1, ${projects}, 5) AS p`,
  `INSERT INTO access_tokens (kind, user_id, digest, scopes, last_used_at)
   SELECT 'personal', i, sha256(convert_to('token-of-user-' || i, 'UTF8')), '{api}', now() + interval '1 day'
   FROM generate_series(1, ${users}) AS i`,
];

const TABLES = ['users', 'namespaces', 'routes', 'projects', 'members', 'project_shares', 'access_tokens'];

/** Indexes that stand for no constraint: made anew over all rows, they cost half of what they do row by row. */
const INDEXES = `
  SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = ANY($1::regclass[]) AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)`;

/**
 * Fills an empty, migrated database with users, nested groups, projects and a million memberships, always the same;
 * takes a quarter of a minute.
 */
export async function populate(client: Client): Promise<void> {
  // No foreign key is looked up and no trigger runs while rows come in that are known to be right.
  await client.query(`SET session_replication_role = replica; SET maintenance_work_mem = '256MB'`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES, [TABLES]);
  const isNeeded = ({ name }: { name: string }): boolean => name === 'members_of_source';
  const dropped = indexes.filter((index) => !isNeeded(index));
  await client.query(`DROP INDEX ${dropped.map(({ name }) => name).join(', ')}`);
  for (const statement of STATEMENTS) await client.query(statement);
  for (const { definition } of dropped) await client.query(definition);
  for (const table of ['users', 'namespaces', 'projects']) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT max(id) FROM ${table}))`,
    );
  }
  await client.query('RESET session_replication_role; RESET maintenance_work_mem');
  // With the visibility of rows known, indexes alone answer.
  await client.query(`VACUUM ANALYZE`);
}
