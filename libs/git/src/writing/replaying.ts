import { GitLimitError, GitProcessError, type Person, type Sha } from '../git';
import { splitObject } from '../reading/object-text';
import { RepositoryCommands } from '../processes/repository-commands';
import type { RepositoryContext } from '../repository-context';
import { writeLooseObjects } from './loose-object';
import { inQuarantine, mergeTreesIn } from './merging';
import { identity, newObject } from './object-format';
import type { CommandTarget } from './object-store';
import type { Quarantine } from './quarantine';
import { TimeSlices } from './time-slices';
import { EMPTY_TREE } from './tree-format';

/** Each costs a process; a branch of more is rebased by whoever made it. */
const MOST_REPLAYED = 2_000;
/** Finding out which changes the other side has already means looking at those of both sides. */
const LIST_MS = 60_000;

/** A commit as far as replaying needs it, in the bytes it was written with. */
interface ReplayedCommit {
  readonly sha: Sha;
  readonly tree: Sha;
  readonly parents: readonly Sha[];
  readonly author: Buffer;
  readonly encoding: Buffer | null;
  readonly message: Buffer;
}

/** Where a replay has got to. */
interface Place {
  readonly sha: Sha;
  readonly tree: Sha;
}

/** Where a commit is picked to, and what has been made for that so far. */
interface Picking {
  readonly place: Place;
  readonly quarantine: Quarantine;
  readonly trees: { readonly standIns: Set<Sha>; readonly merged: Set<Sha> };
}

/** Moves the commits of one branch on top of another, as git's own rebase does it. */
export class Replay {
  private readonly slices = new TimeSlices();
  private readonly commands: RepositoryCommands;

  constructor(
    private readonly context: RepositoryContext,
    private readonly target: CommandTarget,
  ) {
    this.commands = new RepositoryCommands(context);
  }

  /**
   * The new tip. Merges are left out and so are changes that `onto` has already; commits that stand where they belong
   * stay as they are; authors and messages are kept to the byte. Throws MergeConflictError, and leaves nothing behind
   * then, and GitLimitError for more than 2,000 commits.
   */
  async run({ branch, onto, committer }: { branch: Sha; onto: Sha; committer: Person }): Promise<Sha> {
    const shas = await this.list(branch, onto);
    return inQuarantine(this.target, async (quarantine) => {
      const trees = { standIns: new Set<Sha>(), merged: new Set<Sha>() };
      let place: Place = { sha: onto, tree: (await this.read(onto)).tree };
      for (const sha of shas) {
        const commit = await this.read(sha);
        place =
          commit.parents[0] === place.sha
            ? commit
            : await this.pick(commit, { place, committer, quarantine, trees });
      }
      // The empty tree, a stand-in now and then, may also be what a commit came to.
      const unwanted = [...trees.standIns].filter((sha) => !trees.merged.has(sha));
      await quarantine.release(new Set(unwanted));
      return place.sha;
    });
  }

  private async list(branch: Sha, onto: Sha): Promise<string[]> {
    const only = ['--no-merges', '--cherry-pick', '--right-only', `--max-count=${MOST_REPLAYED + 1}`];
    const range = `${onto}...${branch}`;
    const shas = await this.commands.lines(['rev-list', ...only, '--reverse', '--topo-order', range, '--'], {
      timeoutMs: LIST_MS,
    });
    if (shas.length > MOST_REPLAYED)
      throw new GitLimitError(`a rebase of more than ${MOST_REPLAYED} commits`);
    return shas;
  }

  private async pick(commit: ReplayedCommit, to: Picking & { readonly committer: Person }): Promise<Place> {
    const [parent] = commit.parents;
    const before = parent === undefined ? EMPTY_TREE : (await this.read(parent)).tree;
    const tree = await this.merged(commit, before, to);
    // What was empty from the start was meant to be; what has become empty is there already.
    if (tree === to.place.tree && commit.tree !== before) return to.place;
    const made = await newObject('commit', bodyOf(commit, tree, to.place.sha, to.committer), this.slices);
    await writeLooseObjects(to.quarantine.directory, [made], { flush: false });
    return { sha: made.sha, tree };
  }

  private async merged({ tree: theirs }: ReplayedCommit, before: Sha, to: Picking): Promise<Sha> {
    if (theirs === before) return to.place.tree;
    if (to.place.tree === before) return theirs;
    const trees = { base: before, ours: to.place.tree, theirs };
    const { tree, standIns } = await mergeTreesIn(this.target, to.quarantine, trees);
    standIns.forEach((sha) => to.trees.standIns.add(sha));
    to.trees.merged.add(tree);
    return tree;
  }

  private async read(sha: Sha): Promise<ReplayedCommit> {
    const raw = await this.context.objects.read(sha);
    if (raw?.type !== 'commit') throw new GitProcessError('a commit to rebase is missing', null, '');
    const { headers, message } = splitObject(raw.content);
    const all = (wanted: string) => headers.filter(({ name }) => name === wanted).map(({ value }) => value);
    return {
      sha,
      tree: all('tree')[0]?.toString('latin1') ?? EMPTY_TREE,
      parents: all('parent').map((value) => value.toString('latin1')),
      author: all('author')[0] ?? Buffer.alloc(0),
      encoding: all('encoding')[0] ?? null,
      message,
    };
  }
}

/** Signatures are left out: they would be of another commit. */
function bodyOf(commit: ReplayedCommit, tree: Sha, parent: Sha, committer: Person): Buffer {
  return Buffer.concat([
    Buffer.from(`tree ${tree}\nparent ${parent}\nauthor `),
    commit.author,
    Buffer.from(`\ncommitter ${identity(committer)}\n`),
    ...(commit.encoding ? [Buffer.from('encoding '), commit.encoding, Buffer.from('\n')] : []),
    Buffer.from('\n'),
    commit.message,
  ]);
}
