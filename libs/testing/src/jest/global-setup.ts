import './resolve-libs.cjs'; // First: what follows is resolved by it.
import path from 'node:path';
import { TEMPLATE_URL } from '../database/template-url';
import { startTestCluster } from '../database/test-cluster';
import { keepForTeardown } from './running-cluster';

const MIGRATIONS = path.resolve(__dirname, '../../../../migrations/*.ts');

/** One throw-away PostgreSQL per run, stopped by the teardown or, should Jest be killed, by itself. */
export default async function (): Promise<void> {
  const cluster = await startTestCluster(MIGRATIONS);
  process.env[TEMPLATE_URL] = cluster.templateUrl;
  keepForTeardown(cluster);
}
