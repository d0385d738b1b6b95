import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { GitProcessError, type Sha } from '../git';
import type { SpawnBroker } from '../processes/spawn-broker';
import { isLockTaken, removeLocks } from './stale-locks';

const GRAPH_MS = 30 * 60_000;
const REPACK_MS = 3 * 60 * 60_000;
const PACK_REFS_MS = 5 * 60_000;
/** No git of ours holds a lock this long: it was left by one that was killed. */
const STALE_LOCK_MS = 60 * 60_000;
/** Long enough for any push, fork or edit under way to make its objects reachable. */
const GRACE = '2.weeks.ago';

export interface PackingLimits {
  /** Up to this size of all packs, in KiB, packing everything anew takes seconds. */
  readonly smallKib: number;
  /** So many packs slow every look-up: time to pack a large repository anew too. */
  readonly manyPacks: number;
  /** As old may a pack grow, in milliseconds; packing only what is new never lets go of anything unreachable. */
  readonly oldestPackMs: number;
}

const LIMITS: PackingLimits = { smallKib: 256 * 1024, manyPacks: 20, oldestPackMs: 30 * 24 * 60 * 60_000 };

/** See RepositoryStorage.maintain. */
export async function maintainRepository(
  broker: SpawnBroker,
  repository: string,
  limits: PackingLimits = LIMITS,
): Promise<void> {
  await removeLocks(repository, STALE_LOCK_MS);
  await run(broker, repository, ['pack-refs', '--all'], PACK_REFS_MS);
  const state = await packingState(broker, repository);
  if (state.packs <= 1 && state.loose === 0) return;
  const isSmall = state.packedKib <= limits.smallKib;
  const isDue = state.packs > limits.manyPacks || state.oldestPackMs > limits.oldestPackMs;
  if (isSmall || isDue) await packEverything(broker, repository);
  else await packWhatIsNew(broker, repository);
  await writeCommitGraph(broker, repository);
}

/**
 * Writes the commit-graph with its filters of changed paths: for `tips` and what they reach as a thin layer on top of
 * what there is, without tips for everything the refs reach, as one layer. Does nothing when another run holds the lock.
 */
export async function writeCommitGraph(
  broker: SpawnBroker,
  repository: string,
  tips?: readonly Sha[],
): Promise<void> {
  const scope = tips === undefined ? ['--reachable', '--split=replace'] : ['--stdin-commits', '--split'];
  const { code, stderr } = await broker.run({
    repository,
    args: ['commit-graph', 'write', '--changed-paths', '--no-progress', ...scope],
    input: Buffer.from(tips === undefined ? '' : `${tips.join('\n')}\n`),
    timeoutMs: GRAPH_MS,
    lane: tips === undefined ? 'long' : 'short',
  });
  if (code !== 0 && !isLockTaken(stderr)) {
    throw new GitProcessError('commit-graph failed', code, stderr);
  }
}

/** Everything reachable into one pack; the rest into a second one that remembers since when it is unreachable. */
async function packEverything(broker: SpawnBroker, repository: string): Promise<void> {
  const options = ['--cruft', `--cruft-expiration=${GRACE}`, '-d', '-l'];
  await run(broker, repository, ['repack', '--quiet', ...options], REPACK_MS);
  // Also what crashed writers left half done.
  await run(broker, repository, ['prune', `--expire=${GRACE}`], REPACK_MS);
}

/** Small packs and loose objects into one, so that each pack is twice the next smaller; large ones stay as they are. */
async function packWhatIsNew(broker: SpawnBroker, repository: string): Promise<void> {
  const options = ['--geometric=2', '--no-write-bitmap-index', '-d', '-l'];
  await run(broker, repository, ['repack', '--quiet', ...options], REPACK_MS);
}

interface PackingState {
  readonly loose: number;
  readonly packs: number;
  readonly packedKib: number;
  readonly oldestPackMs: number;
}

async function packingState(broker: SpawnBroker, repository: string): Promise<PackingState> {
  const text = await run(broker, repository, ['count-objects', '-v'], PACK_REFS_MS);
  const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    loose: figure('count'),
    packs: figure('packs'),
    packedKib: figure('size-pack'),
    oldestPackMs: await ageOfOldestPack(path.join(repository, 'objects', 'pack')),
  };
}

/** By the indexes: git renews a pack's own time stamp whenever an object of it is written again. */
async function ageOfOldestPack(folder: string): Promise<number> {
  const names = await readdir(folder);
  let oldest = Date.now();
  for (const name of names.filter((each) => each.endsWith('.idx'))) {
    const { mtimeMs } = await stat(path.join(folder, name));
    oldest = Math.min(oldest, mtimeMs);
  }
  return Date.now() - oldest;
}

async function run(
  broker: SpawnBroker,
  repository: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<string> {
  const { code, stdout, stderr } = await broker.run({ repository, args, timeoutMs, lane: 'long' });
  if (code !== 0) throw new GitProcessError(`${args[0] ?? 'git'} failed`, code, stderr);
  return stdout.toString('utf8');
}
