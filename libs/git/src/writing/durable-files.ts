import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes that still queue behind the four threads of libuv's pool would only hold memory. */
const PARALLEL = 8;

/**
 * Writes a file that appears whole or not at all: a temporary sibling is written and renamed. With `flush` it survives
 * a crash once `syncDirectory` of its folder is done too. `mode` in the usual octal bits. Throws ENOENT when the folder
 * is missing.
 */
export async function writeInPlace(
  file: string,
  content: Buffer | AsyncIterable<Buffer>,
  options: { mode: number; flush: boolean; temporaryPrefix: string },
): Promise<void> {
  const temporary = path.join(path.dirname(file), options.temporaryPrefix + randomBytes(9).toString('hex'));
  const handle = await open(temporary, 'wx', options.mode);
  try {
    try {
      await writeFile(handle, content);
      if (options.flush) await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(ignoreMissing);
    throw error;
  }
}

/**
 * Flushes the names a directory holds. A directory that is gone counts as flushed: only git's own packing removes one,
 * and only when what it held is safe elsewhere.
 */
export async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    // EINVAL: this file system flushes names by itself and has no such call.
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'EINVAL') throw error;
  }
}

/** Makes a directory; answers whether it was missing. */
export async function makeDirectory(directory: string): Promise<boolean> {
  try {
    await mkdir(directory);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Runs `work` for every item, a few at a time. After a failure no more are begun; it is thrown when all have ended. */
export async function forEachParallel<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
  parallel = PARALLEL,
): Promise<void> {
  const queue = items.entries();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        await work(item, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

/** The code of a system error ("ENOENT"), undefined for anything else thrown. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}
