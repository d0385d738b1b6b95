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

/** Up to this size packing everything anew takes seconds; above it only what is new is packed, most of the time. */
const SMALL_KIB = 256 * 1024;
/** So many packs slow every look-up: time to pack a large repository anew too. */
const MANY_PACKS = 20;

/** See RepositoryStorage.maintain. */
export async function maintainRepository(broker: SpawnBroker, repository: string): Promise<void> {
  await removeLocks(repository, STALE_LOCK_MS);
  await run(broker, repository, ['pack-refs', '--all'], PACK_REFS_MS);
  const counts = await countObjects(broker, repository);
  if (counts.packs <= 1 && counts.loose === 0) return;
  const isWhole = counts.packedKib <= SMALL_KIB || counts.packs > MANY_PACKS;
  if (isWhole) await packEverything(broker, repository);
  else await run(broker, repository, ['repack', '--quiet', '-d', '-l', '--geometric=2'], REPACK_MS);
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
  await run(
    broker,
    repository,
    ['repack', '--quiet', '--cruft', `--cruft-expiration=${GRACE}`, '-d', '-l'],
    REPACK_MS,
  );
  // Also what crashed writers left half done.
  await run(broker, repository, ['prune', `--expire=${GRACE}`], REPACK_MS);
}

interface Counts {
  readonly loose: number;
  readonly packs: number;
  readonly packedKib: number;
}

async function countObjects(broker: SpawnBroker, repository: string): Promise<Counts> {
  const text = await run(broker, repository, ['count-objects', '-v'], PACK_REFS_MS);
  const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return { loose: figure('count'), packs: figure('packs'), packedKib: figure('size-pack') };
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
