import type { TestCluster } from '../database/test-cluster';

let running: TestCluster | undefined;

/** Hands the cluster from Jest's global setup to its global teardown, which run in one process. */
export function keepForTeardown(cluster: TestCluster): void {
  running = cluster;
}

export const runningCluster = (): TestCluster | undefined => running;
