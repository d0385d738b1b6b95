import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { serverAccount } from './account';
import { findBinaries } from './binaries';
import { openCluster } from './cluster-creation';
import { clusterBase, refuseOtherMajor, type ClusterFolder } from './cluster-folder';
import { runningPostmaster } from './postmaster-file';
import { acquireServer, type Acquired, type ServerPlace } from './server-acquisition';
import { StartupError } from './startup-error';

/** How the embedded server is run. */
export interface EmbeddedOptions {
  /** The service's data directory; the cluster lies below it when the server's account can reach it. */
  readonly dataDir: string;
  /** Where root keeps clusters and copied binaries that an unprivileged account must reach. */
  readonly systemFolder?: string;
  /** For tests: nothing is written durably. */
  readonly throwaway?: boolean;
  /** Told when the server had vanished and is started (or joined) again, or could not be; by default it is logged. */
  readonly onTrouble?: (problem: string) => void;
}

/** A running embedded server that this process uses. */
export interface EmbeddedPostgres {
  /** Where cluster, log and password lie. */
  readonly folder: string;
  readonly port: number;
  /** True when this process started the server, false when it joined a running one. */
  readonly started: boolean;
  /** A connection address as the superuser, with the password in it: never print it. */
  url(database: string): string;
  /** Gives the server up, and waits until it has stopped when no other process uses it. */
  stop(): Promise<void>;
}

const SYSTEM_FOLDER = '/var/lib/source-hosting';
const STOP_LIMIT_MS = 60_000;
const CHECK_EVERY_MS = 2_000;
const POLL_MS = 10;

/**
 * Brings the embedded PostgreSQL of a data directory up, or joins the one already running there.
 *
 * The server belongs to nobody: it lives as long as at least one process uses it, and stops by itself (with a
 * clean shutdown) when the last one is gone, however it went. Should the server itself die, each user notices
 * within seconds, and one of them starts it again on the same port, so that connection pools recover.
 *
 * Throws StartupError when no server can run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32')
    throw new StartupError('The embedded PostgreSQL does not run on Windows.');
  const systemFolder = options.systemFolder ?? SYSTEM_FOLDER;
  const throwaway = options.throwaway ?? false;
  const account = serverAccount();
  const binaries = findBinaries(account, systemFolder);
  const base = clusterBase(options.dataDir, systemFolder, account);
  refuseOtherMajor(base, binaries.major);
  const cluster = await openCluster(base, binaries, account, throwaway);
  const place: ServerPlace = { cluster, binaries, account, throwaway };

  let acquired = await acquireServer(place);
  const started = acquired.started;
  const password = await readFile(cluster.password, 'utf8');
  const report = options.onTrouble ?? ((problem: string) => new Logger('PostgreSQL').warn(problem));
  const keeper = keepServer(
    place,
    () => acquired,
    report,
    (next) => {
      acquired = next;
    },
  );
  return {
    folder: cluster.root,
    get port() {
      return acquired.port;
    },
    started,
    url: (database) => `postgres://postgres:${password}@127.0.0.1:${acquired.port}/${database}`,
    async stop() {
      await keeper.stop();
      const last = await acquired.registration.leave();
      if (last) await waitUntilStopped(cluster, acquired.pid);
    },
  };
}

async function waitUntilStopped(cluster: ClusterFolder, pid: number): Promise<void> {
  const deadline = Date.now() + STOP_LIMIT_MS;
  while ((await runningPostmaster(cluster))?.pid === pid) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL (pid ${pid}) did not stop within a minute.`);
    await sleep(POLL_MS);
  }
}

/** Looks after the server until stopped: one that vanished is started again, or joined when another was faster. */
function keepServer(
  place: ServerPlace,
  current: () => Acquired,
  report: (problem: string) => void,
  replace: (next: Acquired) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let check: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    const server = await runningPostmaster(place.cluster);
    if (stopped || server?.pid === current().pid) return;
    report('The embedded PostgreSQL has vanished and is started again.');
    await current().registration.leave();
    replace(await acquireServer(place));
  };
  const timer = setInterval(() => {
    check = check.then(look).catch((error: unknown) => {
      report(`The embedded PostgreSQL could not be started again: ${String(error)}`);
    });
  }, CHECK_EVERY_MS);
  timer.unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await check;
    },
  };
}
