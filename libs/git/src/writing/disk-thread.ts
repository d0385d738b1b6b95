/**
 * A disk thread's own program. A small commit is some forty calls of the file system, most of them short. Asked for one
 * by one from the event loop, each costs two switches between threads and a handful of promises, several times what the
 * call itself costs; here they follow one another, and the event loop hears once that all of them are done.
 *
 * It stands alone (Node's own modules and types only), for tests transpile this one file. The calls are synchronous:
 * nothing else ever waits in this thread.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { constants, deflateSync } from 'node:zlib';
import type { DiskAnswer, DiskOrder, MoveOrder, StoreOrder } from './disk-orders';

const OBJECT_MODE = 0o444;
const REF_MODE = 0o666;
/** How often a folder may vanish between its making and its use; only a repack removes empty ones. */
const FOLDER_ATTEMPTS = 5;

parentPort?.on('message', (order: DiskOrder) => parentPort?.postMessage(answerTo(order)));

function answerTo(order: DiskOrder): DiskAnswer {
  const { id } = order;
  try {
    return { id, isDone: order.type === 'store' ? store(order) : move(order) };
  } catch (error) {
    return { id, failure: { message: String(error), code: codeOf(error) } };
  }
}

/** Every file flushed, then every folder that got one, once. An object that exists is written again (see loose-object.ts). */
function store({ directory, objects, bytes }: StoreOrder): boolean {
  const touched = new Set<string>();
  let at = 0;
  for (const { sha, size } of objects) {
    const content = compressed(bytes.subarray(at, at + size));
    at += size;
    const folder = path.join(directory, sha.slice(0, 2));
    if (writeInFolder(folder, sha.slice(2), content)) touched.add(directory);
    touched.add(folder);
  }
  for (const folder of touched) syncFolder(folder);
  return true;
}

/** zlib's usual tables take longer to allocate than a small object takes to compress: these are no larger than it is. */
function compressed(bytes: Uint8Array): Uint8Array {
  const windowBits = Math.min(15, Math.max(9, 32 - Math.clz32(bytes.length)));
  return deflateSync(bytes, { level: constants.Z_BEST_SPEED, windowBits, memLevel: windowBits - 7 });
}

/** Answers whether the folder had to be made. */
function writeInFolder(folder: string, name: string, content: Uint8Array): boolean {
  let isNewFolder = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      // git's prune clears away files of this name that a crash left behind.
      const temporary = path.join(folder, `tmp_obj_${randomBytes(9).toString('hex')}`);
      writeFlushed(temporary, content, OBJECT_MODE);
      orRemoved(temporary, () => renameSync(temporary, path.join(folder, name)));
      return isNewFolder;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === FOLDER_ATTEMPTS) throw error;
      isNewFolder = makeFolder(folder) || isNewFolder;
    }
  }
}

/**
 * git's protocol for a ref in a file of its own: whoever makes `<ref>.lock` may look at the ref and put the lock in its
 * place. The new value is flushed under another name before the lock is taken, so that a killed server hardly ever
 * leaves one behind. A name that ends in ".lock" is no ref to git, and maintenance clears it away.
 * Answers false for anything but the plain case (a packed or symbolic ref, a lock or a value of somebody else's).
 */
function move({ file, oldSha, newSha }: MoveOrder): boolean {
  if (valueOf(file) !== oldSha) return false;
  const prepared = `${file}.${randomBytes(9).toString('hex')}.lock`;
  writeFlushed(prepared, Buffer.from(`${newSha}\n`, 'latin1'), REF_MODE);
  return orRemoved(prepared, () => {
    const lock = `${file}.lock`;
    if (!link(prepared, lock)) return false;
    const isMoved = orRemoved(lock, () => {
      if (valueOf(file) !== oldSha) return false;
      renameSync(lock, file);
      return true;
    });
    if (!isMoved) return false;
    unlinkSync(prepared);
    // The file was there: only this folder's entry has changed.
    syncFolder(path.dirname(file));
    return true;
  });
}

/** The sha in a ref's own file; null where there is no such file, or something else in it. */
function valueOf(file: string): string | null {
  try {
    if (!lstatSync(file).isFile()) return null;
    const text = readFileSync(file, 'latin1');
    return /^[0-9a-f]{40}\n$/.test(text) ? text.slice(0, -1) : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** False when the new name is taken. */
function link(existing: string, name: string): boolean {
  try {
    linkSync(existing, name);
    return true;
  } catch (error) {
    // EPERM, ENOTSUP: a file system without links.
    if (['EEXIST', 'EPERM', 'ENOTSUP'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

function writeFlushed(file: string, content: Uint8Array, mode: number): void {
  const handle = openSync(file, 'wx', mode);
  orRemoved(file, () => {
    try {
      for (let at = 0; at < content.length;) at += writeSync(handle, content, at);
      fdatasyncSync(handle);
    } finally {
      closeSync(handle);
    }
    return true;
  });
}

/** Removes the file when `work` throws or answers false. */
function orRemoved(file: string, work: () => boolean | void): boolean {
  let isDone = false;
  try {
    isDone = work() !== false;
    return isDone;
  } finally {
    if (!isDone) removeFile(file);
  }
}

function removeFile(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** As `syncDirectory` of durable-files.ts. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EINVAL') throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
