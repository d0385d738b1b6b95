/**
 * How long lists across projects take whoever sees few of 3,000 projects with 100,000 issues, against whoever sees them all:
 * `node dist/bench/issues-across-projects.js`, compiled as the others are.
 *
 * One request after another over HTTP, with a warm cache, against a single process; before each list the same number of
 * bare `SELECT … ORDER BY id LIMIT 20`, as a measure of the machine at that moment. Prints the median of each list, against
 * that of an administrator's list and against the bare statement. Ends with status 1 where whoever sees few waits longer than
 * LIMIT times as long as an administrator.
 */
import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { median, withService } from './measured-service';

const REQUESTS = Number(process.env['REQUESTS'] ?? 30);
const WARM_UP = 5;
const LIMIT = 3;
const BARE = 'SELECT * FROM issues ORDER BY id LIMIT 20';
const PROJECTS = 3_000;
const ISSUES = 100_000;

/** The first sees everything, the second three projects, the third all of them as a member. */
const VIEWERS = ['admin', 'few', 'many'] as const;
const LISTS = [
  '/issues?scope=all',
  '/issues?scope=all&state=opened',
  '/issues?scope=all&order_by=updated_at',
];

const tokenOf = (viewer: string): string => `token-of-${viewer}`;

const STATEMENTS = [
  `INSERT INTO users (id, username, name, email, is_admin, confirmed_at)
   SELECT n, 'user-' || n, 'User', 'user-' || n || '@example.com', n = 101, now() FROM generate_series(101, 103) n`,
  `INSERT INTO namespaces (id, kind, name, path, visibility, traversal_ids) VALUES (101, 'group', 'all', 'all', 'private', '{101}')`,
  `INSERT INTO routes (path, namespace_id) VALUES ('all', 101)`,
  `INSERT INTO projects (id, namespace_id, creator_id, name, path, visibility, repository_storage, disk_path)
   SELECT n, 101, 101, 'p' || n, 'p' || n, 'private', 'default', 'p' || n FROM generate_series(1, ${PROJECTS}) n`,
  `INSERT INTO routes (path, project_id) SELECT 'all/' || path, id FROM projects`,
  `INSERT INTO members (source_kind, source_id, user_id, access_level)
   SELECT 'project', id, 102, 30 FROM projects WHERE id <= 3
   UNION ALL SELECT 'project', id, 103, 30 FROM projects`,
  `INSERT INTO issues (iid, project_id, author_id, title, state, created_at, updated_at)
   SELECT n, 1 + n % ${PROJECTS}, 101, 'Issue ' || n, CASE WHEN n % 3 = 0 THEN 'closed' ELSE 'opened' END,
     now() - n * interval '1 minute', now() - (n * 7919 % ${ISSUES}) * interval '1 minute'
   FROM generate_series(1, ${ISSUES}) n`,
  'VACUUM ANALYZE',
];

async function populate(client: Client): Promise<void> {
  for (const statement of STATEMENTS) await client.query(statement);
  for (const [place, viewer] of VIEWERS.entries())
    await client.query(
      `INSERT INTO access_tokens (kind, user_id, name, digest, scopes) VALUES ('personal', $1, 'bench', $2, '{api}')`,
      [101 + place, createHash('sha256').update(tokenOf(viewer)).digest()],
    );
}

/** Asks for a list; it must be full, or it would measure nothing. */
async function ask(url: string, viewer: string): Promise<void> {
  const answer = await fetch(url, { headers: { 'private-token': tokenOf(viewer) } });
  const issues: unknown = await answer.json();
  if (!Array.isArray(issues) || issues.length !== 20)
    throw new Error(`${url}: ${answer.status} without a full page`);
}

/** Prints every list; answers whether whoever sees few waits about as long as an administrator. */
async function measureAll(url: string, bare: Client): Promise<boolean> {
  let isFair = true;
  for (const list of LISTS) {
    let first: number | undefined;
    for (const viewer of VIEWERS) {
      const asked = (): Promise<void> => ask(`${url}/api/v4${list}`, viewer);
      const floor = await median(() => bare.query({ name: 'bare', text: BARE }), REQUESTS);
      await median(asked, WARM_UP);
      const taken = await median(asked, REQUESTS);
      first ??= taken;
      isFair &&= viewer !== 'few' || taken <= first * LIMIT;
      const ratios = `${(taken / first).toFixed(2).padStart(6)} × admin  ${(taken / floor).toFixed(0).padStart(4)} × bare`;
      console.log(`${taken.toFixed(1).padStart(8)} ms ${ratios}  ${viewer}: ${list}`);
    }
  }
  return isFair;
}

void withService(populate, async ({ url, client }) => {
  const isFair = await measureAll(url, client);
  console.log(`whoever sees few waits ${isFair ? 'no longer' : 'LONGER'} than ${LIMIT} × an administrator`);
  process.exitCode = isFair ? 0 : 1;
});
