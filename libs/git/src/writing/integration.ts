import {
  GitProcessError,
  MergeConflictError,
  type Commit,
  type NewMerge,
  type NewRebase,
  type Sha,
} from '../git';
import { isSha } from '../names';
import { History } from '../reading/history';
import type { RepositoryContext } from '../repository-context';
import { mergeCommits } from './merging';
import { ObjectBatch } from './object-batch';
import { commitBody } from './object-format';
import { storeObjects, type StoreTarget } from './object-store';
import { Replay } from './replaying';
import { TimeSlices } from './time-slices';

/** Brings a branch into another one. No ref moves here. */
export class Integration {
  private readonly history: History;

  constructor(
    private readonly context: RepositoryContext,
    private readonly target: StoreTarget,
  ) {
    this.history = new History(context);
  }

  async canMerge(ours: Sha, theirs: Sha): Promise<boolean> {
    try {
      await this.merged(await this.commit(ours), await this.commit(theirs), false);
      return true;
    } catch (error) {
      if (error instanceof MergeConflictError && error.reason === 'conflict') return false;
      throw error;
    }
  }

  async merge(merge: NewMerge): Promise<Sha> {
    const [ours, theirs] = await Promise.all([this.commit(merge.ours), this.commit(merge.theirs)]);
    if (await this.history.isAncestor(theirs.sha, ours.sha)) throw new MergeConflictError('empty', []);
    const tree = await this.merged(ours, theirs, true);
    return this.store(merge, tree, [ours.sha, theirs.sha]);
  }

  async squash(squash: NewMerge): Promise<Sha> {
    const [ours, theirs] = await Promise.all([this.commit(squash.ours), this.commit(squash.theirs)]);
    const tree = await this.merged(ours, theirs, true);
    if (tree === ours.tree) throw new MergeConflictError('empty', []);
    return this.store(squash, tree, [ours.sha]);
  }

  async rebase({ branch, onto, committer }: NewRebase): Promise<Sha> {
    const [moved, base] = await Promise.all([this.commit(branch), this.commit(onto)]);
    await this.requireKinship(moved.sha, base.sha);
    const sha = await new Replay(this.context, this.target).run({
      branch: moved.sha,
      onto: base.sha,
      committer,
    });
    return sha;
  }

  /** The tree of both; where one has everything of the other, that is its own. */
  private async merged(ours: Commit, theirs: Commit, keep: boolean): Promise<Sha> {
    const base = await this.requireKinship(ours.sha, theirs.sha);
    if (base === ours.sha) return theirs.tree;
    if (base === theirs.sha) return ours.tree;
    return mergeCommits(this.target, { ours: ours.sha, theirs: theirs.sha, keep });
  }

  /** As git itself does, histories that have nothing in common are not merged. */
  private async requireKinship(one: Sha, other: Sha): Promise<Sha> {
    const base = await this.history.mergeBase([one, other]);
    if (base === null) throw new MergeConflictError('conflict', []);
    return base;
  }

  private async store(fields: NewMerge, tree: Sha, parents: readonly Sha[]): Promise<Sha> {
    const batch = new ObjectBatch(new TimeSlices());
    const sha = await batch.add('commit', commitBody({ ...fields, tree, parents }));
    await storeObjects(this.target, batch.objects);
    return sha;
  }

  private async commit(sha: Sha): Promise<Commit> {
    const commit = isSha(sha) ? await this.context.objects.commit(sha.toLowerCase()) : null;
    if (commit === null) throw new GitProcessError('a commit to merge is missing', null, '');
    return commit;
  }
}
