import { rm } from 'node:fs/promises';
import { RUN_FOLDER } from '../processes/run-folder';
import { runningCluster } from './running-cluster';

export default async function (): Promise<void> {
  await runningCluster()?.remove();
  const folder = process.env[RUN_FOLDER];
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
