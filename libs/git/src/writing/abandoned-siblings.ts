import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './durable-files';

/** Why a repository stands beside its place for a while: it is being made, or being removed. */
export type Purpose = 'new' | 'removed';

const SIBLING = /^\..+\.(?:new|removed)-[0-9a-f]{12}$/;
const HOUR_MS = 60 * 60_000;
/** Four times as long as an import may take. */
const DEFAULT_AGE_MS = 24 * HOUR_MS;

/** A name beside the directory that no other work has. */
export function siblingOf(directory: string, purpose: Purpose): string {
  const name = `.${path.basename(directory)}.${purpose}-${randomBytes(6).toString('hex')}`;
  return path.join(path.dirname(directory), name);
}

/**
 * Removes what killed processes left below a storage's directory while they made or removed repositories: siblings
 * untouched for `olderThanMs` milliseconds. Does not look into repositories. Returns how many were removed.
 */
export async function sweepAbandonedSiblings(
  directory: string,
  signal: AbortSignal,
  olderThanMs: number = DEFAULT_AGE_MS,
): Promise<number> {
  let removed = 0;
  for await (const sibling of siblingsBelow(directory, signal)) {
    const found = await lstat(sibling).catch(() => null);
    if (!found?.isDirectory() || Date.now() - found.mtimeMs < olderThanMs) continue;
    await rm(sibling, { recursive: true, force: true, maxRetries: 3 });
    removed += 1;
  }
  return removed;
}

/** One folder is read at a time, so that the walk costs neither memory nor much of the disk's attention. */
async function* siblingsBelow(directory: string, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  for (const entry of await entriesOf(directory)) {
    if (!entry.isDirectory() || entry.name.endsWith('.git')) continue;
    const found = path.join(directory, entry.name);
    if (SIBLING.test(entry.name)) yield found;
    else if (!entry.name.startsWith('.')) yield* siblingsBelow(found, signal);
  }
}

async function entriesOf(directory: string) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    // Folders of hashed names come and go; a storage that nothing was stored in yet has none.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
