import { runningCluster } from './running-cluster';

export default async function (): Promise<void> {
  await runningCluster()?.remove();
}
