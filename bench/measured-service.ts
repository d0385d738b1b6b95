import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ensureDatabase, migrate, startEmbeddedPostgres } from '#libs/database';
import { Client } from 'pg';

const DATABASE = 'service';
const START_LIMIT_MS = 60_000;

/** One process of the service over a database of its own. */
export interface MeasuredService {
  readonly url: string;
  /** To the same database. */
  readonly client: Client;
}

/** Fills a new database, has the service started upon it, and removes all of it after `measure`. */
export async function withService(
  populate: (client: Client) => Promise<void>,
  measure: (service: MeasuredService) => Promise<void>,
): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'service-measured-'));
  const server = await startEmbeddedPostgres({ dataDir: folder });
  try {
    await ensureDatabase(server.url('postgres'), DATABASE);
    await migrate({ url: server.url(DATABASE), migrations: [path.resolve(__dirname, '../migrations/*.js')] });
    const client = new Client({ connectionString: server.url(DATABASE) });
    await client.connect();
    try {
      await populate(client);
      await measureIn(folder, client, measure);
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
    await fs.rm(folder, { recursive: true, force: true });
  }
}

async function measureIn(
  folder: string,
  client: Client,
  measure: (service: MeasuredService) => Promise<void>,
): Promise<void> {
  const { url, child } = await startService(folder);
  try {
    await measure({ url, client });
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
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

/** Of how long `work` takes, in milliseconds, one time after another. */
export async function median(work: () => Promise<unknown>, times: number): Promise<number> {
  const taken: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
}
