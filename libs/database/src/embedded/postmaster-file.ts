import { link, readFile, readlink, rename, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { ClusterFolder } from './cluster-folder';
import { hasCode } from './error-code';

/** What PostgreSQL writes about its running server in `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly state: 'starting' | 'ready' | 'stopping';
}

const fileOf = (cluster: ClusterFolder): string => path.join(cluster.data, 'postmaster.pid');

/** The running server, or `undefined`. A file left behind by a dead server, or by a reused pid, counts as none. */
export async function runningPostmaster(cluster: ClusterFolder): Promise<Postmaster | undefined> {
  const text = await textOf(fileOf(cluster));
  const lines = text?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !(await isServerOf(cluster, pid))) return undefined;
  return { pid, port: Number(lines[3]) || 0, state: stateOf(lines[7]?.trim()) };
}

function stateOf(word: string | undefined): Postmaster['state'] {
  if (word === 'ready') return 'ready';
  return word === 'stopping' ? 'stopping' : 'starting';
}

/**
 * Removes a `postmaster.pid` whose pid now belongs to another program (after a crash and a restart of the
 * machine or container). PostgreSQL itself looks only whether such a pid exists, and would refuse to start.
 */
export async function removeStaleFile(cluster: ClusterFolder): Promise<void> {
  const file = fileOf(cluster);
  const judged = await textOf(file);
  if (judged === undefined || (await runningPostmaster(cluster))) return;
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  await rename(file, aside).catch(ignoreMissing);
  const moved = await textOf(aside);
  // Another process may have started a server in between: that file goes back.
  if (moved !== undefined && moved !== judged) await link(aside, file).catch(ignoreExisting);
  await rm(aside, { force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

async function isServerOf(cluster: ClusterFolder, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    // A server works inside its data folder. Readable for the same account and for root.
    return (await readlink(`/proc/${pid}/cwd`)) === cluster.data;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    return true;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function ignoreMissing(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error;
}

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error;
}
