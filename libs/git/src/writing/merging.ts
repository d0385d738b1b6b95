import { GitProcessError, MergeConflictError, type Person, type Sha } from '../git';
import { writeLooseObjects } from './loose-object';
import { commitBody, newObject, type NewObject } from './object-format';
import type { CommandTarget } from './object-store';
import { Quarantine } from './quarantine';
import { TimeSlices } from './time-slices';
import { EMPTY_TREE } from './tree-format';

/** Paths named in a conflict; more help nobody. */
const MOST_CONFLICT_PATHS = 1_000;
const MERGE_MS = 60_000;

const NOBODY: Person = { name: 'merge', email: 'merge', time: 0, offset: '+0000' };

/** Trees of a three-way merge; null stands for the empty one. */
export interface ThreeTrees {
  readonly base: Sha | null;
  readonly ours: Sha;
  readonly theirs: Sha | null;
}

/**
 * The tree of a three-way merge, its objects durable. Throws MergeConflictError, and leaves nothing behind then.
 */
export async function mergeTrees(target: CommandTarget, trees: ThreeTrees): Promise<Sha> {
  return inQuarantine(target, async (quarantine) => {
    const { tree, standIns } = await mergeTreesIn(target, quarantine, trees);
    await quarantine.release(new Set(standIns));
    return tree;
  });
}

/**
 * The tree of a merge of two commits with whatever merge bases they have, its objects durable. With `keep` false nothing
 * is written that stays: the tree is only named. Throws MergeConflictError, also for histories without a common commit.
 */
export async function mergeCommits(
  target: CommandTarget,
  { ours, theirs, keep }: { readonly ours: Sha; readonly theirs: Sha; readonly keep: boolean },
): Promise<Sha> {
  return inQuarantine(target, async (quarantine) => {
    const tree = await runMerge(target, quarantine, ours, theirs);
    if (keep) await quarantine.release(new Set());
    return tree;
  });
}

/** Runs `work` with a place for its objects, which are gone afterwards unless it has released them. */
export async function inQuarantine<T>(
  target: CommandTarget,
  work: (quarantine: Quarantine) => Promise<T>,
): Promise<T> {
  const quarantine = await Quarantine.open(target.repository);
  try {
    return await work(quarantine);
  } finally {
    await quarantine.close();
  }
}

/**
 * The tree of a three-way merge, written to the quarantine beside stand-ins that must not leave it.
 *
 * git before 2.40 merges commits and finds their base itself: two stand-ins for the sides, both children of a third for
 * the base, make it use the very trees given.
 */
export async function mergeTreesIn(
  target: CommandTarget,
  quarantine: Quarantine,
  trees: ThreeTrees,
): Promise<{ readonly tree: Sha; readonly standIns: readonly Sha[] }> {
  const slices = new TimeSlices();
  const base = await standIn(trees.base, [], slices);
  const ours = await standIn(trees.ours, [base.sha], slices);
  const theirs = await standIn(trees.theirs, [base.sha], slices);
  const emptyTree = await newObject('tree', Buffer.alloc(0), slices);
  const standIns = [base, ours, theirs, emptyTree];
  await writeLooseObjects(quarantine.directory, standIns, { flush: false });
  const tree = await runMerge(target, quarantine, ours.sha, theirs.sha);
  const unwanted = standIns.map(({ sha }) => sha).filter((sha) => sha !== tree);
  return { tree, standIns: unwanted };
}

function standIn(tree: Sha | null, parents: readonly Sha[], slices: TimeSlices): Promise<NewObject> {
  const fields = { tree: tree ?? EMPTY_TREE, parents, author: NOBODY, committer: NOBODY };
  // The parents' names make the sides differ from the base even where their trees are the same.
  return newObject('commit', commitBody({ ...fields, message: `${parents.length}` }), slices);
}

async function runMerge(target: CommandTarget, quarantine: Quarantine, ours: Sha, theirs: Sha): Promise<Sha> {
  const options = ['--write-tree', '-z', '--name-only', '--no-messages', '--end-of-options'];
  const { code, stdout, stderr } = await target.broker.run({
    repository: target.repository,
    args: ['-c', 'merge.renameLimit=1000', 'merge-tree', ...options, ours, theirs],
    env: quarantine.environment,
    timeoutMs: MERGE_MS,
    signal: target.signal,
  });
  const [tree, ...paths] = stdout.toString('utf8').split('\0');
  if (code === 1)
    throw new MergeConflictError('conflict', paths.filter(Boolean).slice(0, MOST_CONFLICT_PATHS));
  if (code !== 0 || tree === undefined) throw new GitProcessError('merge-tree failed', code, stderr);
  return tree;
}
