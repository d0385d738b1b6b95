import './resolve-libs.cjs'; // First: what follows is resolved by it.
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { TEMPLATE_URL } from '../database/template-url';
import { startTestCluster } from '../database/test-cluster';
import { RUN_FOLDER } from '../processes/run-folder';
import { keepForTeardown } from './running-cluster';

const MIGRATIONS = path.resolve(__dirname, '../../../../migrations/*.ts');

/** One throw-away PostgreSQL per run, stopped by the teardown or, should Jest be killed, by itself; and one folder. */
export default async function (): Promise<void> {
  const cluster = await startTestCluster(MIGRATIONS);
  process.env[TEMPLATE_URL] = cluster.templateUrl;
  process.env[RUN_FOLDER] = await mkdtemp(path.join(os.tmpdir(), 'test-run-'));
  keepForTeardown(cluster);
}
