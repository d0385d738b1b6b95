import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ensureDatabase, migrate, startEmbeddedPostgres } from '#libs/database';
import type { Log } from '../logging/log';
import type { Settings } from '../settings/settings';

const DATABASE_NAME = 'service';
const INVALID_CATALOG_NAME = '3D000';
/** Compiled beside src, hence relative to this file. */
const MIGRATIONS = path.resolve(__dirname, '../../migrations/*.{js,ts}');

/** The database this process works on. */
export interface RunningDatabase {
  /** With the password in it: never print it. */
  readonly url: string;
  /** Where the embedded server keeps its files; null for a server of somebody else. */
  readonly folder: string | null;
  /** Gives up the embedded server, which stops with its last user. */
  stop(): Promise<void>;
}

/** The server of DATABASE_URL, else the embedded one of the data directory: started, or joined where it runs already. */
export async function openDatabase(settings: Settings, log: Log): Promise<RunningDatabase> {
  if (settings.databaseUrl !== null) {
    return { url: settings.databaseUrl, folder: null, stop: () => Promise.resolve() };
  }
  await mkdir(settings.dataDir, { recursive: true });
  const server = await startEmbeddedPostgres({
    dataDir: settings.dataDir,
    onTrouble: (problem) => log.warn(problem),
  });
  return { url: server.url(DATABASE_NAME), folder: server.folder, stop: () => server.stop() };
}

/** Makes the database where it is missing and brings its schema up to date. Returns the names of the migrations run. */
export async function prepareDatabase({ url }: RunningDatabase): Promise<string[]> {
  try {
    return await migrate({ url, migrations: [MIGRATIONS] });
  } catch (error) {
    // Only then, since not every account may look at the server's other databases.
    if (!isMissingDatabase(error)) throw error;
  }
  const maintenance = new URL(url);
  const name = decodeURIComponent(maintenance.pathname.slice(1));
  maintenance.pathname = '/postgres';
  await ensureDatabase(maintenance.href, name);
  return migrate({ url, migrations: [MIGRATIONS] });
}

const isMissingDatabase = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === INVALID_CATALOG_NAME;

/** Directories of the repositories; those on shared file systems exist already. */
export async function prepareStorages({ repositoryStorages }: Settings): Promise<void> {
  await Promise.all(
    [...repositoryStorages.values()].map((folder) => mkdir(folder, { recursive: true, mode: 0o750 })),
  );
}
