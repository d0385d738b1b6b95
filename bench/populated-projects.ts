import type { Client } from 'pg';
import { POPULATION, populate } from './populated-database';

const { groups, users } = POPULATION;

/** Places that hold very many projects, and people who know very many; each of them leaves more than a thousand pages. */
export const CROWDED = {
  projects: 100_000,
  /** A public group at the top with 25,000 projects in itself. */
  group: 500,
  /** Somebody with 25,000 projects of their own. */
  owner: 7777,
  /** Somebody who has starred 40,000 open projects. */
  starrer: 8888,
  /** A public project with 25,000 forks. */
  forked: 20,
  /** Of two in five projects, and of one in a thousand. */
  languages: { common: 'Ruby', rare: 'Elm' },
} as const;

const { projects, group, owner, starrer, forked, languages } = CROWDED;

const MORE_PROJECTS = `
  INSERT INTO projects (id, namespace_id, creator_id, name, path, description, visibility, repository_storage, disk_path,
    forked_from_project_id, last_activity_at, created_at, updated_at)
  SELECT i, CASE WHEN i % 2 = 1 THEN ${group} ELSE ${groups + owner} END, 1,
    'Project ' || substr(md5('project' || i), 1, 6) || ' ' || i, 'project-' || i, 'About ' || md5('about' || i),
    (ARRAY['public', 'internal', 'private', 'private', 'private'])[1 + i % 5], 'default', 'disk/' || i,
    CASE WHEN i % 2 = 0 THEN ${forked} END, now() - (i * 7919 % ${projects}) * interval '1 minute', now() - (${projects} - i) * interval '1 minute',
    now() - (i::bigint * 31337 % ${projects}) * interval '1 minute'
  FROM generate_series(${POPULATION.projects + 1}, ${projects}) AS i`;

const STATEMENTS = [
  MORE_PROJECTS,
  `INSERT INTO routes (path, project_id)
   SELECT r.path || '/' || p.path, p.id FROM projects p JOIN routes r ON r.namespace_id = p.namespace_id
   WHERE p.id > ${POPULATION.projects}`,
  `INSERT INTO project_stars (project_id, user_id)
   SELECT p, ${starrer} FROM generate_series(1, ${projects}) AS p WHERE p % 5 < 2
   UNION
   SELECT p, 1 + (p * 7) % ${users} FROM generate_series(1, ${projects}) AS p`,
  `INSERT INTO project_languages (project_id, name, bytes)
   SELECT p, '${languages.common}', 1000 + p FROM generate_series(1, ${projects}) AS p WHERE p % 5 < 2
   UNION ALL
   SELECT p, 'Language ' || p % 40, 1000 + p FROM generate_series(1, ${projects}) AS p
   UNION ALL
   SELECT p, '${languages.rare}', 10 FROM generate_series(7, ${projects}, 1000) AS p`,
  `INSERT INTO project_statistics (project_id, commit_count, repository_size)
   SELECT p, p % 1000, p * 100 FROM generate_series(1, ${projects}) AS p`,
  `INSERT INTO repository_checks (project_id, due_at, checked_at, failure)
   SELECT p, now() + interval '1 week', now(), CASE WHEN p % 10000 = 0 THEN 'broken' END FROM generate_series(1, ${projects}) AS p`,
];

/** Everything that `populate` makes, and twice as many projects: 100,000, with languages, stars, sizes and checks. */
export async function populateProjects(client: Client): Promise<void> {
  await populate(client);
  await client.query('SET session_replication_role = replica');
  for (const statement of STATEMENTS) await client.query(statement);
  await client.query(`SELECT setval(pg_get_serial_sequence('projects', 'id'), ${projects})`);
  await client.query('RESET session_replication_role');
  await vacuum(client);
}

const MOST_TURNS = 30;
const PAUSE_MS = 500;

/** Until all rows are known to be visible, which some transaction elsewhere may put off. */
async function vacuum(client: Client): Promise<void> {
  await client.query('VACUUM ANALYZE');
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const { rows } = await client.query<{ hidden: number }>(
      `SELECT relpages - relallvisible AS hidden FROM pg_class WHERE oid = 'projects'::regclass`,
    );
    if (rows[0]?.hidden === 0) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    await client.query('VACUUM ANALYZE');
  }
  throw new Error('projects are still being written to');
}
