import path from 'node:path';
import { Readable } from 'node:stream';
import { GitProcessError } from '../git';
import type { SpawnBroker } from '../processes/spawn-broker';
import type { DiskThreads } from './disk-threads';
import { syncDirectory } from './durable-files';
import { writeLooseObjects } from './loose-object';
import type { NewObject } from './object-format';
import { packOf } from './pack-stream';
import { TimeSlices } from './time-slices';

/**
 * From this many objects on, one pack is written instead of loose files. Measured: a loose object costs half a
 * millisecond and more, for each is flushed; starting git to index a pack costs about 12, and 0.1 for each object.
 */
const PACK_FROM = 32;
const INDEX_MS = 300_000;

/** A repository as git's own commands write it. */
export interface CommandTarget {
  /** Absolute path of the bare repository. */
  readonly repository: string;
  readonly broker: SpawnBroker;
  readonly signal?: AbortSignal | undefined;
}

export interface StoreTarget extends CommandTarget {
  readonly disk: DiskThreads;
}

/** Writes objects and returns when all of them are durable. Throws GitProcessError, GitLimitError, system errors. */
export async function storeObjects(target: StoreTarget, objects: readonly NewObject[]): Promise<void> {
  const objectsDirectory = path.join(target.repository, 'objects');
  if (objects.length >= PACK_FROM) await storePack(target, objects);
  else if (target.disk.takes(objects)) await target.disk.store(objectsDirectory, objects);
  else await writeLooseObjects(objectsDirectory, objects);
}

/** git itself makes the index; it flushes both files, their folder is left to us. */
export async function storePack(target: CommandTarget, objects: readonly NewObject[]): Promise<void> {
  const { code, stderr } = await target.broker.run({
    repository: target.repository,
    args: ['-c', 'core.fsync=objects,derived-metadata', 'index-pack', '--stdin'],
    input: Readable.from(packOf(objects, new TimeSlices()), { objectMode: false }),
    timeoutMs: INDEX_MS,
    signal: target.signal,
  });
  if (code !== 0) throw new GitProcessError('index-pack failed', code, stderr);
  await syncDirectory(path.join(target.repository, 'objects', 'pack'));
}
