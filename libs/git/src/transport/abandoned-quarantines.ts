import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RepositoryLocation } from '../git';

/** Names of git's temporary object folders, of this and of older releases. */
const QUARANTINE = /^(?:tmp_objdir-)?(?:incoming|bulk-fsync)-\w{6}$/;
const HOUR_MS = 60 * 60_000;
/** Four times as long as a push may take as a whole. */
const DEFAULT_AGE_MS = 24 * HOUR_MS;

/**
 * Removes what killed pushes left: quarantine folders untouched for `olderThanMs` milliseconds. git clears its own
 * when it ends by itself, but not when a signal ends it. Returns how many were removed.
 */
export async function sweepAbandonedQuarantines(
  location: RepositoryLocation,
  olderThanMs: number = DEFAULT_AGE_MS,
): Promise<number> {
  const objects = join(location.path, 'objects');
  const names = (await readdir(objects)).filter((name) => QUARANTINE.test(name));
  let removed = 0;
  for (const name of names) {
    const path = join(objects, name);
    if (!(await isOlderThan(path, olderThanMs))) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/** Removes the quarantine of a push whose git has ended without doing so; `path` is the one that git named. */
export async function removeQuarantine(location: RepositoryLocation, path: string): Promise<void> {
  const name = basename(path);
  if (!QUARANTINE.test(name)) return;
  await rm(join(location.path, 'objects', name), { recursive: true, force: true, maxRetries: 3 });
}

async function isOlderThan(path: string, ageMs: number): Promise<boolean> {
  // A push that ends meanwhile takes its folder away: nothing to sweep then.
  const found = await lstat(path).catch(() => null);
  return found !== null && found.isDirectory() && Date.now() - found.mtimeMs >= ageMs;
}
