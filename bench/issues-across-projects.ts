/**
 * How long lists across projects take whoever sees few of 3,000 projects with 100,000 issues, against whoever sees them all:
 * `node dist/bench/issues-across-projects.js`, compiled as the others are.
 *
 * One request after another over HTTP, with a warm cache, against a single process; before each list the same number of
 * bare `SELECT … ORDER BY id LIMIT 20`, as a measure of the machine at that moment. Prints the median of each list, against
 * that of an administrator's list and against the bare statement. Ends with status 1 where whoever sees few waits longer than
 * LIMIT times as long as an administrator.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ensureDatabase, migrate, startEmbeddedPostgres } from '#libs/database';
import { Client } from 'pg';

const REQUESTS = Number(process.env['REQUESTS'] ?? 30);
const WARM_UP = 5;
const LIMIT = 3;
const DATABASE = 'service';
const BARE = 'SELECT * FROM issues ORDER BY id LIMIT 20';
const START_LIMIT_MS = 60_000;
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

async function median(work: () => Promise<unknown>, times: number): Promise<number> {
  const taken: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
}

async function startService(folder: string): Promise<{ url: string; child: ChildProcess }> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const child = fork(path.join(__dirname, '../src/main.js'), [], {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'warn', WEB_CONCURRENCY: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await fetch(`${url}/-/readiness`).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGTERM');
      throw new Error('the service does not start');
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { url, child };
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

async function main(): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'service-across-'));
  const server = await startEmbeddedPostgres({ dataDir: folder });
  await ensureDatabase(server.url('postgres'), DATABASE);
  await migrate({ url: server.url(DATABASE), migrations: [path.resolve(__dirname, '../migrations/*.js')] });
  const client = new Client({ connectionString: server.url(DATABASE) });
  await client.connect();
  await populate(client);
  const { url, child } = await startService(folder);
  try {
    const isFair = await measureAll(url, client);
    console.log(`whoever sees few waits ${isFair ? 'no longer' : 'LONGER'} than ${LIMIT} × an administrator`);
    process.exitCode = isFair ? 0 : 1;
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    await client.end();
    await server.stop();
    await fs.rm(folder, { recursive: true, force: true });
  }
}

void main();
