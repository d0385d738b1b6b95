import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate, startEmbeddedPostgres, type EmbeddedPostgres } from '#libs/database';
import PgBoss from 'pg-boss';
import pg from 'pg';

// The one that comes with every cluster: to make another would cost as much as all migrations.
const TEMPLATE = 'template1';
const FOLDER_PREFIX = 'test-postgres-';

export interface TestCluster {
  /** Address of the database that has all migrations and that test databases are copied from. */
  readonly templateUrl: string;
  /** Stops the server and removes all its files. */
  remove(): Promise<void>;
}

/** Starts a forgetful PostgreSQL of its own in a temporary folder, with a template database of the whole schema. */
export async function startTestCluster(migrations: string): Promise<TestCluster> {
  await removeLeftOvers();
  const folder = await mkdtemp(path.join(os.tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  // Started by root, the server runs under another account, which has to reach its files in here.
  await chmod(folder, 0o711);
  let server: EmbeddedPostgres | undefined;
  const remove = async (): Promise<void> => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    // Elsewhere only when that account cannot enter the temporary folder either.
    if (server) await rm(path.dirname(server.folder), { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    server = await startEmbeddedPostgres({ dataDir: folder, throwaway: true });
    const templateUrl = server.url(TEMPLATE);
    await migrate({ url: templateUrl, migrations: [migrations] });
    await createJobTables(templateUrl);
    return { templateUrl, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** So that each test application finds the job queue's tables there instead of making them. */
async function createJobTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(PgBoss.getConstructionPlans()).finally(() => client.end());
}

/** A run that was killed could not remove its folder; its server has stopped by itself. */
async function removeLeftOvers(): Promise<void> {
  const names = await readdir(os.tmpdir());
  for (const name of names.filter((each) => each.startsWith(FOLDER_PREFIX))) {
    const pid = Number(name.slice(FOLDER_PREFIX.length).split('-')[0]);
    if (!isRunning(pid))
      await rm(path.join(os.tmpdir(), name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
