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
 *
 * git before 2.40 merges commits and finds their base itself: two stand-ins for the sides, both children of a third for
 * the base, make it use the very trees given. The stand-ins never leave the quarantine.
 */
export async function mergeTrees(target: CommandTarget, trees: ThreeTrees): Promise<Sha> {
  const quarantine = await Quarantine.open(target.repository);
  try {
    const slices = new TimeSlices();
    const base = await standIn(trees.base, [], slices);
    const ours = await standIn(trees.ours, [base.sha], slices);
    const theirs = await standIn(trees.theirs, [base.sha], slices);
    const emptyTree = await newObject('tree', Buffer.alloc(0), slices);
    const standIns = [base, ours, theirs, emptyTree];
    await writeLooseObjects(quarantine.directory, standIns, { flush: false });
    const tree = await runMerge(target, quarantine, ours.sha, theirs.sha);
    const unwanted = [base, ours, theirs].map(({ sha }) => sha);
    await quarantine.release(new Set(tree === EMPTY_TREE ? unwanted : [...unwanted, EMPTY_TREE]));
    return tree;
  } finally {
    await quarantine.close();
  }
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
