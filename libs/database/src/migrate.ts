import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions, type DatabaseOptions } from './data-source';
import { lockId } from './lock-id';

const LOCK = lockId('migrations');
/** Another process may be at a long migration. */
const WAIT_LIMIT_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = 30_000;

/**
 * Runs `work` while no other process changes the schema. TypeORM and pg-boss do not lock by themselves: started
 * together, processes would make the same tables.
 */
export async function withMigrationLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A broken connection shows in the queries below.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SET lock_timeout = ${WAIT_LIMIT_MS}; SELECT pg_advisory_lock(${LOCK})`);
    return await work();
  } finally {
    // Ends the session and with it the lock.
    await client.end();
  }
}

/** Brings the schema up to date; safe for any number of processes at once. Returns the names of what was run. */
export function migrate(options: Pick<DatabaseOptions, 'url' | 'migrations'>): Promise<string[]> {
  return withMigrationLock(options.url, () => migrateUnlocked(options));
}

async function migrateUnlocked(options: Pick<DatabaseOptions, 'url' | 'migrations'>): Promise<string[]> {
  const settings = dataSourceOptions({
    ...options,
    poolSize: 2,
    statementTimeoutMs: 0,
    applicationName: 'migrations',
  });
  const dataSource = await new DataSource(settings).initialize();
  try {
    const done = await dataSource.runMigrations();
    return done.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}
