import { lstat, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, forEachParallel } from './durable-files';

const REF_FOLDER = 'refs';
const LOCKABLE_FOLDERS = [REF_FOLDER, 'objects/info/commit-graphs'];
const REF_LOCK_FILES = ['packed-refs.lock', 'HEAD.lock'];
const LOCKABLE_FILES = [...REF_LOCK_FILES, 'config.lock', 'objects/info/commit-graph.lock'];
/** A bound on the walk, far above the folders of any sensible set of branch names. */
const MOST_FOLDERS = 100_000;

const LOCK_IN_THE_WAY = /Unable to create '(.+\.lock)': File exists/;

/** Whether git, as it says in `stderr`, gave up because a lock is taken. */
export function isLockTaken(stderr: string): boolean {
  return LOCK_IN_THE_WAY.test(stderr);
}

/**
 * Removes the lock on refs that git names in `stderr`, when it is older than `ageMs`. git clears its locks away when it
 * ends, but not when it is killed at the wrong moment. Answers whether it is worth another try.
 */
export async function removeRefLock(repository: string, stderr: string, ageMs: number): Promise<boolean> {
  const named = LOCK_IN_THE_WAY.exec(stderr)?.[1];
  if (named === undefined) return false;
  const relative = path.relative(repository, named);
  const isOfRefs = relative.startsWith(`${REF_FOLDER}${path.sep}`) || REF_LOCK_FILES.includes(relative);
  return isOfRefs && removeIfOlder(path.join(repository, relative), ageMs);
}

/** Removes every lock of the repository that is older than `ageMs`. */
export async function removeLocks(repository: string, ageMs: number): Promise<void> {
  const locks = LOCKABLE_FILES.map((file) => path.join(repository, file));
  const folders = LOCKABLE_FOLDERS.map((folder) => path.join(repository, folder));
  for (let next = 0; next < Math.min(folders.length, MOST_FOLDERS); next += 1) {
    const folder = folders[next] ?? '';
    for (const entry of await entriesOf(folder)) {
      const found = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(found);
      else if (entry.name.endsWith('.lock')) locks.push(found);
    }
  }
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

/** Answers whether the file is gone now. */
async function removeIfOlder(file: string, ageMs: number): Promise<boolean> {
  try {
    const { mtimeMs } = await lstat(file);
    if (Date.now() - mtimeMs < ageMs) return false;
    await unlink(file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return true;
    throw error;
  }
}
