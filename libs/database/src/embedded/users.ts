import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Account } from './account';
import { makePrivateFolder, type ClusterFolder } from './cluster-folder';
import { hasCode } from './error-code';
import { isAlive } from './postmaster-file';

/**
 * The users of one running server: `pipe`, which each of them holds open, and one empty file per user,
 * made by the watchdog, named `<pid>-<random>`.
 */
export interface UsersFolder {
  readonly folder: string;
}

const CONFIRMATION_LIMIT_MS = 5_000;
const POLL_MS = 5;

/** Names the users' folder of the server with this pid. */
const currentFile = (cluster: ClusterFolder): string => path.join(cluster.run, 'current');
const pipeOf = (users: UsersFolder): string => path.join(users.folder, 'pipe');

/** Makes the folder and pipe for a server about to start. */
export async function makeUsersFolder(
  cluster: ClusterFolder,
  account: Account | undefined,
): Promise<UsersFolder> {
  const users = { folder: path.join(cluster.run, randomBytes(8).toString('hex')) };
  makePrivateFolder(users.folder, account);
  await promisify(execFile)('mkfifo', ['-m', '600', pipeOf(users)], { timeout: 5_000 });
  if (account) chownSync(pipeOf(users), account.uid, account.gid);
  return users;
}

/**
 * Holds the pipe for the time the server starts, when nobody reads it yet (hence read and write, which never
 * blocks). Returns its closing: call it once the starter has registered as a user.
 */
export function holdPipe(users: UsersFolder): () => void {
  const handle = openSync(pipeOf(users), constants.O_RDWR | constants.O_NONBLOCK);
  return () => closeSync(handle);
}

/** Tells others which folder belongs to the server that is now ready. */
export async function announce(cluster: ClusterFolder, users: UsersFolder, serverPid: number): Promise<void> {
  const aside = `${users.folder}.current`;
  await writeFile(aside, `${serverPid} ${path.basename(users.folder)}`);
  await rename(aside, currentFile(cluster));
}

/** The users' folder of the running server, or `undefined` while its starter has not announced it. */
export async function announced(cluster: ClusterFolder, serverPid: number): Promise<UsersFolder | undefined> {
  if (!existsSync(currentFile(cluster))) return undefined;
  const [pid, name] = (await readFile(currentFile(cluster), 'utf8')).split(' ');
  return name !== undefined && Number(pid) === serverPid
    ? { folder: path.join(cluster.run, name) }
    : undefined;
}

/** This process as a counted user of a server. */
export interface Registration {
  readonly users: UsersFolder;
  /** Gives the server up; true when no other living process uses it, so that it now stops. */
  leave(): Promise<boolean>;
}

/** Registers this process, or `undefined` when the server is already on its way out. */
export async function register(users: UsersFolder): Promise<Registration | undefined> {
  const name = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const handle = openForWriting(users);
  if (handle === undefined) return undefined;
  const mark = path.join(users.folder, name);
  if (!(await confirmed(handle, name, mark))) {
    closeSync(handle);
    return undefined;
  }
  return {
    users,
    async leave() {
      const others = await otherUsers(users, name);
      await rm(mark, { force: true });
      closeSync(handle);
      return others.length === 0;
    },
  };
}

function openForWriting(users: UsersFolder): number | undefined {
  try {
    // Fails with ENXIO when nobody reads: the watchdog is gone.
    return openSync(pipeOf(users), constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

async function confirmed(handle: number, name: string, mark: string): Promise<boolean> {
  try {
    writeSync(handle, `${name}\n`);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
  const deadline = Date.now() + CONFIRMATION_LIMIT_MS;
  while (Date.now() < deadline) {
    if (existsSync(mark)) return true;
    if (!existsSync(path.dirname(mark))) return false;
    await sleep(POLL_MS);
  }
  return false;
}

async function otherUsers(users: UsersFolder, own: string): Promise<string[]> {
  const names = existsSync(users.folder) ? await readdir(users.folder) : [];
  return names.filter((name) => name !== own && /^\d+-/.test(name) && isAlive(Number(name.split('-')[0])));
}

const isGone = (error: unknown): boolean => hasCode(error, 'ENXIO', 'ENOENT', 'EPIPE', 'ENOTDIR');
