import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GitCancelledError, GitLimitError } from '../git';
import { mapBounded } from './map-bounded';

const MOST_FILES = 1_000_000;
const AT_ONCE = 32;

/** Bytes of all files below a folder. Files that go away meanwhile (gc) do not count. */
export async function diskSize(folder: string, signal: AbortSignal | undefined): Promise<number> {
  const folders = [folder];
  let bytes = 0;
  let files = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    if (signal?.aborted) throw new GitCancelledError('cancelled');
    const here = next;
    const entries = (await unlessGone(readdir(here, { withFileTypes: true }))) ?? [];
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(here, entry.name));
    const plain = entries.filter((entry) => entry.isFile());
    files += plain.length;
    if (files > MOST_FILES) throw new GitLimitError('too many files to measure');
    const sizes = await mapBounded(plain, AT_ONCE, async ({ name }) => unlessGone(stat(join(here, name))));
    for (const size of sizes) bytes += size?.size ?? 0;
  }
  return bytes;
}

async function unlessGone<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
