import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account';
import type { Binaries } from './binaries';
import type { ClusterFolder } from './cluster-folder';
import { removeStaleFile, runningPostmaster, type Postmaster } from './postmaster-file';
import { StartupError } from './startup-error';
import { announce, announced, holdPipe, makeUsersFolder, register, type Registration } from './users';
import { startServer, startupLog } from './watchdog';

export interface ServerPlace {
  readonly cluster: ClusterFolder;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly throwaway: boolean;
}

/** A running server, and this process counted among its users. */
export interface Acquired {
  readonly pid: number;
  readonly port: number;
  readonly started: boolean;
  readonly registration: Registration;
}

const LIMIT_MS = 120_000;
/** A ready server whose users' folder nobody announced for this long has lost its watchdog. */
const ORPHAN_AFTER_MS = 10_000;
const START_ATTEMPTS = 3;
const POLL_MS = 10;

/**
 * Joins the running server or starts one. No lock of ours is needed: of several starters PostgreSQL itself
 * lets one have the data folder, and the others find its server and join it.
 */
export async function acquireServer(place: ServerPlace): Promise<Acquired> {
  const deadline = Date.now() + LIMIT_MS;
  let failures = 0;
  let unwatchedSince: number | undefined;
  while (Date.now() < deadline) {
    const server = await runningPostmaster(place.cluster);
    if (!server) {
      const started = await tryToStart(place);
      if (started) return started;
      if (!(await runningPostmaster(place.cluster)) && ++failures >= START_ATTEMPTS)
        throw await failure(place);
      continue;
    }
    const joined = server.state === 'ready' ? await tryToJoin(place, server) : undefined;
    if (joined) return joined;
    unwatchedSince = server.state === 'ready' ? (unwatchedSince ?? Date.now()) : undefined;
    if (unwatchedSince !== undefined && Date.now() - unwatchedSince > ORPHAN_AFTER_MS) stopOrphan(server);
    await sleep(POLL_MS);
  }
  throw await failure(place);
}

async function tryToJoin(place: ServerPlace, server: Postmaster): Promise<Acquired | undefined> {
  const users = await announced(place.cluster, server.pid);
  const registration = users && (await register(users));
  return registration && { pid: server.pid, port: server.port, started: false, registration };
}

/** Nobody would ever stop it, and nobody can be counted among its users. */
function stopOrphan(server: Postmaster): void {
  process.kill(server.pid, 'SIGINT');
}

/** `undefined` when the server ended before it was ready: another one has the data folder, or it cannot start. */
async function tryToStart(place: ServerPlace): Promise<Acquired | undefined> {
  await removeStaleFile(place.cluster);
  const users = await makeUsersFolder(place.cluster, place.account);
  const release = holdPipe(users);
  try {
    const port = await choosePort(place.cluster);
    const child = startServer({ ...place, users, port });
    let ended = false;
    child.once('exit', () => (ended = true));
    child.once('error', () => (ended = true));
    const server = await ready(place.cluster, port, () => ended);
    if (!server) return undefined;
    const registration = await register(users);
    if (!registration) return undefined;
    await announce(place.cluster, users, server.pid);
    await writeFile(portFile(place.cluster), String(port));
    return { pid: server.pid, port, started: true, registration };
  } finally {
    release();
  }
}

async function ready(
  cluster: ClusterFolder,
  port: number,
  ended: () => boolean,
): Promise<Postmaster | undefined> {
  const deadline = Date.now() + LIMIT_MS;
  while (!ended() && Date.now() < deadline) {
    const server = await runningPostmaster(cluster);
    // By the port it is known to be ours and not that of a faster starter, whose port ours could not have.
    if (server?.state === 'ready' && server.port === port && !ended()) return server;
    await sleep(POLL_MS);
  }
  return undefined;
}

const portFile = (cluster: ClusterFolder): string => path.join(cluster.root, 'port');

/** The port of last time, so that a server started again is found by those who knew it, else any free one. */
async function choosePort(cluster: ClusterFolder): Promise<number> {
  const last = existsSync(portFile(cluster)) ? Number(await readFile(portFile(cluster), 'utf8')) : 0;
  return (last > 0 ? await freePort(last) : undefined) ?? (await freePort(0)) ?? 0;
}

function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(undefined));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : undefined));
    });
  });
}

async function failure(place: ServerPlace): Promise<StartupError> {
  const log = startupLog(place.cluster);
  const said = existsSync(log) ? (await readFile(log, 'utf8')).slice(-2_000).trim() : '';
  return new StartupError(
    `The embedded PostgreSQL does not start. See ${place.cluster.log}. It said: ${said}.`,
  );
}
