import { chmod, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const PREFIX = 'test-postgres-';
/** A file system in memory: a test database is made there in 10 ms, on a disk in up to 500. */
const MEMORY = '/dev/shm';
/** Room for a whole run: some 10 MB a database, and the write-ahead log. */
const ROOM_NEEDED = 2 * 1024 ** 3;

/** Makes a folder for the cluster of this run, in memory where there is room, and removes those of killed runs. */
export async function makeClusterFolder(): Promise<string> {
  const parent = (await hasRoom(MEMORY)) ? MEMORY : os.tmpdir();
  await removeLeftOvers(parent);
  const folder = await mkdtemp(path.join(parent, `${PREFIX}${process.pid}-`));
  // Started by root, the server runs under another account, which has to reach its files in here.
  await chmod(folder, 0o711);
  return folder;
}

export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 });

async function hasRoom(folder: string): Promise<boolean> {
  const system = await statfs(folder).catch(() => undefined);
  return system !== undefined && system.bavail * system.bsize >= ROOM_NEEDED;
}

/** A run that was killed could not remove its folder; its server has stopped by itself. */
async function removeLeftOvers(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const folder = path.join(parent, name);
    const pid = Number(name.slice(PREFIX.length).split('-')[0]);
    if (!isRunning(pid) && (await isOurs(folder))) await removeFolder(folder);
  }
}

async function isOurs(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && found.uid === process.getuid?.();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
