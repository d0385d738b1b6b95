import { dirname, join } from 'node:path';
import { GitProcessError, type RefUpdate, type RepositoryLocation, type Sha, ZERO_SHA } from '../git';
import type { SpawnBroker } from '../processes/spawn-broker';
import { syncDirectory } from '../writing/durable-files';

/** Keeps a command line well under what any system allows: 400 names of at most 1 KiB. */
const REFS_PER_RUN = 400;
/** Folders synced one by one; a push into more of them syncs these and the repository's own. */
const MOST_FOLDERS = 64;

/** Values of the refs that the updates name; refs that do not exist are left out. */
export async function refValues(
  broker: SpawnBroker,
  location: RepositoryLocation,
  updates: readonly RefUpdate[],
): Promise<ReadonlyMap<string, Sha>> {
  const values = new Map<string, Sha>();
  for (let start = 0; start < updates.length; start += REFS_PER_RUN) {
    const refs = updates.slice(start, start + REFS_PER_RUN).map(({ ref }) => ref);
    for (const [ref, sha] of await readRefs(broker, location, refs)) values.set(ref, sha);
  }
  return values;
}

/**
 * Which of the updates have taken effect, judged by the refs' values before and after, both read under the lock.
 * Without `atomic` a push can move some refs and fail on others; and a client that tries again after a broken
 * connection asks for what has long happened.
 */
export function movedUpdates(
  updates: readonly RefUpdate[],
  before: ReadonlyMap<string, Sha>,
  after: ReadonlyMap<string, Sha>,
): RefUpdate[] {
  return updates.filter(
    ({ ref, oldSha, newSha }) =>
      oldSha !== newSha &&
      (before.get(ref) ?? ZERO_SHA) === oldSha &&
      (after.get(ref) ?? ZERO_SHA) === newSha,
  );
}

/**
 * git syncs a ref's file, but not the folder whose entry it then changes: without this a power cut could take an
 * acknowledged push back.
 */
export async function syncRefFolders(
  location: RepositoryLocation,
  moved: readonly RefUpdate[],
): Promise<void> {
  const folders = new Set<string>([location.path]);
  for (const { ref } of moved) {
    if (folders.size >= MOST_FOLDERS) break;
    for (let folder = dirname(ref); folder !== 'refs' && folder !== '.'; folder = dirname(folder)) {
      folders.add(join(location.path, folder));
    }
  }
  await Promise.all([...folders].map(syncDirectory));
}

async function readRefs(
  broker: SpawnBroker,
  location: RepositoryLocation,
  refs: readonly string[],
): Promise<[string, Sha][]> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', '--end-of-options', ...refs];
  const { code, stdout, stderr } = await broker.run({ repository: location.path, args });
  if (code !== 0) throw new GitProcessError('the refs of a push cannot be read', code, stderr);
  const lines = stdout.toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => [line.slice(41), line.slice(0, 40)]);
}
