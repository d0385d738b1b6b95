/**
 * Load on the running service against the bare limits of the same machine, in turns, so that noise meets both.
 * `npm run bench` — prints requests/s, p50, p99 and the ratio to the bare server; ROUNDS, SECONDS and CONNECTIONS
 * change how long it takes.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { startEmbeddedPostgres } from '#libs/database';
import { Client } from 'pg';
import { measure, summary, type Load, type Measured } from './rounds';

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const SECONDS = Number(process.env['SECONDS'] ?? 4);
const CONNECTIONS = Number(process.env['CONNECTIONS'] ?? 16);

const COMMITS = 200;
const LARGE_FILE = 100 * 1000 * 1000;
const MANY_ACTIONS = 10_000;
const HEAVY_SECONDS = 15;

interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface Service {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  /** Milliseconds by which the event loop was late since this was last asked. */
  loopDelay(): Promise<LoopDelay>;
  stop(): Promise<void>;
}

async function until(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${url} does not answer`);
}

async function startService(): Promise<Service> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'service-bench-'));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const token = randomBytes(20).toString('hex');
  const child = fork(path.join(__dirname, '../src/main.js'), [], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      INITIAL_ROOT_TOKEN: token,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--max-semi-space-size=64', '--require', path.join(__dirname, 'loop-delay.js')],
  });
  const url = `http://127.0.0.1:${port}`;
  await until(`${url}/-/readiness`);
  const loopDelay = () =>
    new Promise<LoopDelay>((resolve) => {
      child.once('message', (delay: LoopDelay) => resolve(delay));
      child.send('loop delay');
    });
  return {
    url,
    token,
    folder,
    loopDelay,
    stop: () => stop(child).then(() => fs.rm(folder, { recursive: true, force: true })),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const headersOf = ({ token }: Service) => ({ 'private-token': token, 'content-type': 'application/json' });

async function call(service: Service, method: string, route: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${service.url}/api/v4${route}`, {
    method,
    headers: headersOf(service),
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Commits go to so many projects in turn, as those of many users do; one repository takes one commit at a time. */
const PROJECTS = 8;

/** A project with some history and a guide of 8 kB. */
async function seed(service: Service, name: string, commits: number): Promise<number> {
  const project = await call(service, 'POST', '/projects', { name, visibility: 'private' });
  if (
    typeof project !== 'object' ||
    project === null ||
    !('id' in project) ||
    typeof project.id !== 'number'
  ) {
    throw new Error('the project has no id');
  }
  const guide = Array.from({ length: 160 }, (_, line) => `Line ${line}: ${'words '.repeat(6)}`).join('\n');
  for (let number = 0; number < commits; number += 1) {
    const first = { action: 'create', file_path: 'docs/guide.md', content: guide };
    const later = {
      action: 'create',
      file_path: `src/module-${number % 10}/file-${number}.ts`,
      content: `${number}\n`,
    };
    await call(service, 'POST', `/projects/${project.id}/repository/commits`, {
      branch: 'master',
      commit_message: `Change number ${number}`,
      actions: [number === 0 ? first : later],
    });
  }
  return project.id;
}

/** Where the service keeps its rows and the project's repository. */
async function places(service: Service, projectId: number) {
  const server = await startEmbeddedPostgres({ dataDir: service.folder });
  const databaseUrl = server.url('service');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ disk_path: string }>('SELECT disk_path FROM projects WHERE id = $1', [
    projectId,
  ]);
  await client.end();
  const repository = path.join(service.folder, 'repositories', `${rows[0]?.disk_path}.git`);
  return { databaseUrl, repository, leave: () => server.stop() };
}

async function startBare(
  service: Service,
  projectId: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { databaseUrl, repository, leave } = await places(service, projectId);
  const child = fork(path.join(__dirname, 'bare-server.js'), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send({ databaseUrl, repository, token: service.token, projectId });
  const [{ port }]: [{ port: number }] = await new Promise((resolve) =>
    child.once('message', (...message: [{ port: number }]) => resolve(message)),
  );
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(child).then(leave) };
}

function loads(service: Service, bare: string, projects: readonly number[]): { ours: Load; bare: Load }[] {
  const repository = (id: number | undefined) => `${service.url}/api/v4/projects/${id}/repository`;
  const root = repository(projects[0]);
  const headers = headersOf(service);
  const commit = () =>
    JSON.stringify({
      branch: 'master',
      commit_message: 'Bench',
      actions: [{ action: 'create', file_path: `bench/${randomUUID()}`, content: 'x' }],
    });
  return [
    {
      ours: { name: 'file', url: `${root}/files/docs%2Fguide.md?ref=master`, headers },
      bare: { name: 'file', url: `${bare}/file` },
    },
    {
      ours: { name: 'raw', url: `${root}/files/docs%2Fguide.md/raw?ref=master`, headers },
      bare: { name: 'raw', url: `${bare}/raw` },
    },
    {
      ours: { name: 'commits list', url: `${root}/commits`, headers },
      bare: { name: 'commits list', url: `${bare}/commits` },
    },
    {
      ours: {
        name: 'commit create',
        url: `${root}/commits`,
        method: 'POST',
        headers,
        body: commit,
        path: () =>
          new URL(`${repository(projects[Math.floor(Math.random() * projects.length)])}/commits`).pathname,
      },
      bare: { name: 'commit create', url: `${bare}/commit`, method: 'POST' },
    },
  ];
}

const row = (name: string, { requestsPerSecond, p50, p99, failures }: Measured): string =>
  `${name.padEnd(24)} ${requestsPerSecond.toFixed(0).padStart(8)} req/s  p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(6)} ms  failures ${failures}`;

/** Small requests while a file of 100 MB is fetched and commits of 10,000 files are made. */
async function underHeavyWork(service: Service, projectId: number): Promise<void> {
  const root = `/projects/${projectId}/repository`;
  const commit = (branch: string, actions: object[]) =>
    call(service, 'POST', `${root}/commits`, {
      branch,
      start_branch: 'master',
      commit_message: branch,
      stats: false,
      actions,
    });
  const large = 'x'.repeat(LARGE_FILE);
  await commit('large', [{ action: 'create', file_path: 'large.bin', content: large }]);
  await service.loopDelay();
  const small = measure(
    {
      name: 'file',
      url: `${service.url}/api/v4${root}/files/docs%2Fguide.md?ref=master`,
      headers: headersOf(service),
    },
    HEAVY_SECONDS,
    CONNECTIONS,
  );
  const files = Array.from({ length: MANY_ACTIONS }, (_, number) => ({
    action: 'create',
    file_path: `many/${number % 100}/${number}`,
    content: `${number}`,
  }));
  const download = async () => {
    const answer = await fetch(`${service.url}/api/v4${root}/files/large.bin/raw?ref=large`, {
      headers: headersOf(service),
    });
    await answer.body?.pipeTo(new WritableStream());
  };
  const started = Date.now();
  for (let number = 0; Date.now() - started < (HEAVY_SECONDS - 1) * 1000; number += 1) {
    await Promise.all([download(), commit(`many-${number}`, files)]);
  }
  const measured = await small;
  const delay = await service.loopDelay();
  console.log(row('file, under heavy work', measured));
  console.log(
    `event loop: late by p50 ${delay.p50.toFixed(1)} ms, p99 ${delay.p99.toFixed(1)} ms, at most ${delay.max.toFixed(0)} ms`,
  );
}

async function main(): Promise<void> {
  const service = await startService();
  try {
    const projects = [await seed(service, 'bench', COMMITS)];
    while (projects.length < PROJECTS) projects.push(await seed(service, `bench-${projects.length}`, 1));
    const bare = await startBare(service, projects[0] ?? 0);
    for (const pair of loads(service, bare.url, projects)) {
      const ours: Measured[] = [];
      const theirs: Measured[] = [];
      await measure(pair.ours, 1, CONNECTIONS);
      for (let round = 0; round < ROUNDS; round += 1) {
        theirs.push(await measure(pair.bare, SECONDS, CONNECTIONS));
        ours.push(await measure(pair.ours, SECONDS, CONNECTIONS));
      }
      const [limit, reached] = [summary(theirs), summary(ours)];
      console.log(row(`${pair.ours.name}, bare`, limit));
      console.log(row(`${pair.ours.name}, service`, reached));
      console.log(
        `${pair.ours.name}: ratio ${(reached.requestsPerSecond / limit.requestsPerSecond).toFixed(2)} of the bare limit\n`,
      );
    }
    await bare.stop();
    await underHeavyWork(service, projects[0] ?? 0);
  } finally {
    await service.stop();
  }
}

void main();
