import { lstat, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, forEachParallel } from './durable-files';

/**
 * A lock on refs this old, in milliseconds, was left by a process that was killed: whoever looks holds the repository's
 * lock, so no other writer of this service can own it, and the git processes of a server that died end within seconds.
 * The rest is for clocks that differ between machines and shared file systems.
 */
export const ABANDONED_LOCK_MS = 20_000;

const REF_FOLDER = 'refs';
/** git writes the new packed refs under a fixed name, and refuses to when a file of that name lies about. */
const REF_LOCK_FILES = ['packed-refs.lock', 'packed-refs.new', 'HEAD.lock'];
const OTHER_LOCK_FOLDERS = ['objects/info/commit-graphs'];
const OTHER_LOCK_FILES = ['config.lock', 'shallow.lock', 'objects/info/commit-graph.lock'];
/** A bound on the walk, far above the folders of any sensible set of branch names. */
const MOST_FOLDERS = 100_000;
const POLL_MS = 100;

const LOCK_IN_THE_WAY = /Unable to create '.+\.lock': File exists|unable to create file .+\.new: File exists/;

/** Whether git, as it says in `stderr`, gave up because a lock is taken. */
export function isLockTaken(stderr: string): boolean {
  return LOCK_IN_THE_WAY.test(stderr);
}

/**
 * Clears what would keep git from moving the refs: git removes its locks when it ends, but not when it is killed at the
 * wrong moment. Waits until each is given up, or older than `ageMs`, and then removes it. Costs a look per ref where
 * nothing lies. Only for who holds the repository's lock.
 */
export async function clearRefLocks(
  repository: string,
  refs: readonly string[],
  ageMs: number = ABANDONED_LOCK_MS,
): Promise<void> {
  const files = [...REF_LOCK_FILES, ...refs.map((ref) => `${ref}.lock`)];
  const since = Date.now();
  await forEachParallel(files, async (file) => {
    const lock = path.join(repository, file);
    while (!(await removeIfOlder(lock, ageMs, since))) await sleep(POLL_MS);
  });
}

/** Removes every lock on refs that is abandoned, and every other lock of the repository that is older than `ageMs`. */
export async function removeLocks(repository: string, ageMs: number): Promise<void> {
  const refLocks = [...REF_LOCK_FILES.map((file) => path.join(repository, file))];
  refLocks.push(...(await locksBelow([path.join(repository, REF_FOLDER)])));
  const otherLocks = OTHER_LOCK_FILES.map((file) => path.join(repository, file));
  otherLocks.push(...(await locksBelow(OTHER_LOCK_FOLDERS.map((folder) => path.join(repository, folder)))));
  await removeAllOlder(refLocks, Math.min(ageMs, ABANDONED_LOCK_MS));
  await removeAllOlder(otherLocks, ageMs);
}

async function locksBelow(roots: readonly string[]): Promise<string[]> {
  const folders = [...roots];
  const locks: string[] = [];
  for (let next = 0; next < Math.min(folders.length, MOST_FOLDERS); next += 1) {
    const folder = folders[next] ?? '';
    for (const entry of await entriesOf(folder)) {
      const found = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(found);
      else if (entry.name.endsWith('.lock')) locks.push(found);
    }
  }
  return locks;
}

async function removeAllOlder(locks: readonly string[], ageMs: number): Promise<void> {
  await forEachParallel(locks, async (lock) => {
    await removeIfOlder(lock, ageMs);
  });
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Answers whether the file is gone now. One watched `since` a time is as old, whatever another machine's clock says. */
async function removeIfOlder(file: string, ageMs: number, since = Date.now()): Promise<boolean> {
  try {
    const { mtimeMs } = await lstat(file);
    if (Date.now() - Math.min(mtimeMs, since) < ageMs) return false;
    await unlink(file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return true;
    throw error;
  }
}
