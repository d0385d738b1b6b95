/**
 * Provisions 10,000 users by SCIM, twice: `npm run bench:scim`.
 *
 * One identity provider over HTTP against a single process, one request after another: looks a user up, then sends
 * them, as providers do. The second run sends the same again. Prints for each run the median time of a request among
 * the first and the last 1,000 users and their ratio, the same in units of a bare request (which looks at no user, and
 * tells how busy the machine is at that moment), the resident memory of the server at most, and whether the second run
 * left everything as the first one had made it. USERS changes how many. Ends with status 1 where the ratio in bare
 * requests or the memory is above its limit, or the runs differ.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ensureDatabase, migrate, startEmbeddedPostgres } from '#libs/database';
import { Client } from 'pg';

const USERS = Number(process.env['USERS'] ?? 10_000);
const EDGE = Math.min(1_000, Math.floor(USERS / 2));
const MOST_GROWTH = 1.5;
/** A bare request comes after every so many users. */
const BARE_EVERY = 5;
const MOST_RESIDENT_MB = 512;
const DATABASE = 'service';
const GROUP = 'provisioned';
/** None that a sequence gets to. */
const GROUP_ID = 2_000_000_000;
const START_LIMIT_MS = 60_000;
const MEBIBYTE = 1024;

/** Medians in milliseconds. */
interface Edge {
  readonly request: number;
  readonly bare: number;
}

interface Run {
  readonly first: Edge;
  readonly last: Edge;
  readonly largestResidentMb: number;
  /** Of everything that provisioning has made. */
  readonly result: string;
}

const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

async function startService(
  folder: string,
  databaseUrl: string,
): Promise<{ url: string; child: ChildProcess }> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'warn',
  };
  const child = fork(path.join(__dirname, '../src/main.js'), [], {
    env: { ...env, WEB_CONCURRENCY: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await fetch(`${url}/-/readiness`).catch(() => null))?.ok) {
    if (Date.now() > deadline) throw new Error('the service does not start');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { url, child };
}

/** A group with single sign-on; answers the token of its SCIM. */
async function connect(client: Client): Promise<string> {
  const token = randomBytes(20).toString('hex');
  await client.query(
    `WITH made AS (
       INSERT INTO namespaces (id, kind, name, path, traversal_ids) VALUES (${GROUP_ID}, 'group', $1, $1, '{${GROUP_ID}}') RETURNING id),
     route AS (INSERT INTO routes (path, namespace_id) SELECT $1, id FROM made),
     provider AS (INSERT INTO saml_providers (group_id) SELECT id FROM made)
     INSERT INTO scim_tokens (group_id, traversal_ids, digest) SELECT id, '{${GROUP_ID}}', $2 FROM made`,
    [GROUP, createHash('sha256').update(token).digest()],
  );
  return token;
}

const person = (number: number): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  externalId: `00u${number}`,
  userName: `person-${number}`,
  active: true,
  name: { formatted: `Person Number ${number}`, givenName: 'Person', familyName: `Number ${number}` },
  emails: [{ type: 'work', value: `person-${number}@corp.example`, primary: true }],
});

/** What providers look users up by. */
const FILTERS: readonly ((number: number) => string)[] = [
  (number) => `externalId eq "00u${number}"`,
  (number) => `userName eq "person-${number}"`,
  (number) => `emails[type eq "work"].value eq "person-${number}@corp.example"`,
];

/** Resident memory of a process, as Linux tells it; of no other system the bench says anything. */
async function residentMb(pid: number | undefined): Promise<number> {
  const status = await fs.readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / MEBIBYTE;
}

async function provision(url: string, token: string, child: ChildProcess, client: Client): Promise<Run> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
  const users = `${url}/api/scim/v2/groups/${GROUP}/Users`;
  const times: number[] = [];
  const bare: number[] = [];
  let largestResidentMb = 0;
  for (let number = 1; number <= USERS; number += 1) {
    const started = performance.now();
    const filter = encodeURIComponent(FILTERS[number % FILTERS.length]?.(number) ?? '');
    const found = await fetch(`${users}?filter=${filter}`, { headers });
    await found.arrayBuffer();
    const body = JSON.stringify(person(number));
    const made = await fetch(users, { method: 'POST', headers, body });
    await made.arrayBuffer();
    times.push((performance.now() - started) / 2);
    if (found.status !== 200 || made.status !== 201)
      throw new Error(`user ${number}: ${found.status}, ${made.status}`);
    if (number % BARE_EVERY === 0) bare.push(await bareTime(url, headers));
    if (number % 100 === 0) largestResidentMb = Math.max(largestResidentMb, await residentMb(child.pid));
  }
  return {
    first: { request: median(times.slice(0, EDGE)), bare: median(bare.slice(0, EDGE / BARE_EVERY)) },
    last: { request: median(times.slice(-EDGE)), bare: median(bare.slice(-EDGE / BARE_EVERY)) },
    largestResidentMb,
    result: await resultOf(client),
  };
}

async function bareTime(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const started = performance.now();
  const answer = await fetch(`${url}/api/scim/v2/groups/${GROUP}/ServiceProviderConfig`, { headers });
  await answer.arrayBuffer();
  return performance.now() - started;
}

/** Of a request in bare requests, from the first users to the last. */
const growth = ({ first, last }: Run): number => last.request / last.bare / (first.request / first.bare);

async function resultOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ result: string }>(
    `SELECT count(*) || ' users, ' || md5(string_agg(concat_ws('|', i.user_id, i.extern_uid, u.username, u.email, u.name,
       m.access_level), E'\\n' ORDER BY i.id)) AS result
     FROM identities i JOIN users u ON u.id = i.user_id
     JOIN members m ON m.user_id = u.id AND m.source_kind = 'namespace' AND m.source_id = ${GROUP_ID}`,
  );
  return rows[0]?.result ?? '';
}

const edge = ({ request, bare }: Edge): string => `${request.toFixed(2)} ms (bare ${bare.toFixed(2)} ms)`;

function report(name: string, run: Run): void {
  const { first, last, largestResidentMb, result } = run;
  console.log(
    [
      `${name}: p50 of a request ${edge(first)} among the first ${EDGE}, ${edge(last)} among the last`,
      `  ratio ${(last.request / first.request).toFixed(2)}, in bare requests ${growth(run).toFixed(2)}`,
      `  at most ${largestResidentMb.toFixed(0)} MiB resident; ${result}`,
    ].join('\n'),
  );
}

async function main(): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'service-scim-'));
  const server = await startEmbeddedPostgres({ dataDir: folder });
  const databaseUrl = server.url(DATABASE);
  await ensureDatabase(server.url('postgres'), DATABASE);
  await migrate({ url: databaseUrl, migrations: [path.resolve(__dirname, '../migrations/*.js')] });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const token = await connect(client);
  const { url, child } = await startService(folder, databaseUrl);
  try {
    const first = await provision(url, token, child, client);
    report('first run', first);
    const second = await provision(url, token, child, client);
    report('second run', second);
    const runs = [first, second];
    const isGood =
      first.result === second.result &&
      runs.every((run) => growth(run) <= MOST_GROWTH && run.largestResidentMb <= MOST_RESIDENT_MB);
    console.log(isGood ? 'twice the same, in constant time and memory' : 'NOT as it has to be');
    process.exitCode = isGood ? 0 : 1;
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    await client.end();
    await server.stop();
    await fs.rm(folder, { recursive: true, force: true });
  }
}

void main();
