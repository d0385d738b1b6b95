import path from 'node:path';
import { migrate, startEmbeddedPostgres, type EmbeddedPostgres } from '#libs/database';
import PgBoss from 'pg-boss';
import pg from 'pg';
import { makeClusterFolder, removeFolder } from './test-cluster-folder';

// The one that comes with every cluster: to make another would cost as much as all migrations.
const TEMPLATE = 'template1';

export interface TestCluster {
  /** Address of the database that has all migrations and that test databases are copied from. */
  readonly templateUrl: string;
  /** Stops the server and removes all its files. */
  remove(): Promise<void>;
}

/** Starts a forgetful PostgreSQL of its own in a temporary folder, with a template database of the whole schema. */
export async function startTestCluster(migrations: string): Promise<TestCluster> {
  const folder = await makeClusterFolder();
  let server: EmbeddedPostgres | undefined;
  const remove = async (): Promise<void> => {
    await server?.stop();
    await removeFolder(folder);
    // Elsewhere only when that account cannot enter the folder above either.
    if (server) await removeFolder(path.dirname(server.folder));
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
