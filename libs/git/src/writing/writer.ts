import {
  GitProcessError,
  MergeConflictError,
  type Commit,
  type GitWriter,
  type NewCommit,
  type NewMerge,
  type NewRebase,
  type Person,
  type RefUpdate,
  type RepositoryLocation,
  type Sha,
} from '../git';
import { isBranchName, isSha, isTagName } from '../names';
import { History } from '../reading/history';
import type { RepositoryContext } from '../repository-context';
import { syncDirectory } from './durable-files';
import { EditableTree } from './editable-tree';
import { fetchInto } from './fetching';
import { applyActions, refuseStaleActions } from './file-actions';
import { Integration } from './integration';
import { mergeTrees } from './merging';
import { ObjectBatch } from './object-batch';
import { commitBody, tagBody, type ObjectType } from './object-format';
import { storeObjects, type StoreTarget } from './object-store';
import { updateRefs, type RefTarget } from './ref-updates';
import { clearRefLocks } from './stale-locks';
import { TimeSlices } from './time-slices';

const FETCH_MS = 30 * 60_000;

/** A change to be carried onto another commit. */
interface Transplant {
  readonly commit: Sha;
  readonly onto: Sha;
  readonly message: string;
  readonly author: Person;
  readonly committer: Person;
}

/**
 * Makes objects and moves refs of one repository. Objects are durable before a method returns; those that no ref comes
 * to reach are cleared away by maintenance, two weeks later at the earliest.
 */
export class RepositoryWriter implements GitWriter {
  constructor(private readonly context: RepositoryContext) {}

  async createCommit(commit: NewCommit): Promise<Sha> {
    const base = commit.base === null ? null : await this.#commit(commit.base);
    const history = new History(this.context);
    const lastCommitOf = async (file: string) => (base === null ? null : history.lastCommit(base.sha, file));
    await refuseStaleActions(commit.actions, lastCommitOf);
    const slices = new TimeSlices();
    const batch = new ObjectBatch(slices);
    const editable = new EditableTree(base?.tree ?? null, (sha) => this.#treeBody(sha), slices);
    await applyActions(commit.actions, editable, batch, slices);
    const tree = await editable.write(batch);
    const changesNothing = base?.tree === tree && commit.actions.length > 0;
    if (changesNothing && commit.allowEmpty !== true) throw new MergeConflictError('empty', []);
    const parents = base === null ? [] : [base.sha];
    const sha = await batch.add('commit', commitBody({ ...commit, tree, parents }));
    await storeObjects(this.#target, batch.objects);
    this.context.objects.keep(batch.objects);
    return sha;
  }

  async cherryPick(pick: Transplant): Promise<Sha> {
    const [picked, onto] = await Promise.all([this.#commit(pick.commit), this.#commit(pick.onto)]);
    const before = await this.#treeBefore(picked);
    const tree = await mergeTrees(this.#target, { base: before, ours: onto.tree, theirs: picked.tree });
    return this.#commitOnto(onto, tree, pick);
  }

  async revert(revert: Transplant): Promise<Sha> {
    const [reverted, onto] = await Promise.all([this.#commit(revert.commit), this.#commit(revert.onto)]);
    const before = await this.#treeBefore(reverted);
    const tree = await mergeTrees(this.#target, { base: reverted.tree, ours: onto.tree, theirs: before });
    return this.#commitOnto(onto, tree, revert);
  }

  canMerge(ours: Sha, theirs: Sha): Promise<boolean> {
    return this.#integration.canMerge(ours, theirs);
  }

  merge(merge: NewMerge): Promise<Sha> {
    return this.#integration.merge(merge);
  }

  squash(squash: NewMerge): Promise<Sha> {
    return this.#integration.squash(squash);
  }

  rebase(rebase: NewRebase): Promise<Sha> {
    return this.#integration.rebase(rebase);
  }

  async tagObject(tag: { target: Sha; name: string; message: string; tagger: Person }): Promise<Sha> {
    if (!isTagName(tag.name)) throw new RangeError('not a tag name');
    const target = isSha(tag.target) ? await this.context.objects.info(tag.target) : null;
    if (target === null) throw new GitProcessError('the object to tag is missing', null, '');
    return this.#store('tag', tagBody({ ...tag, target: target.sha, targetType: target.type }));
  }

  async updateRefs(updates: readonly RefUpdate[]): Promise<void> {
    await updateRefs(this.#refs, updates);
  }

  async setHead(branch: string): Promise<void> {
    if (!isBranchName(branch)) throw new RangeError('not a branch name');
    const { location, broker, signal } = this.context;
    const args = ['-c', 'core.fsync=reference', 'symbolic-ref', 'HEAD', `refs/heads/${branch}`];
    await clearRefLocks(location.path, []);
    const { code, stderr } = await broker.run({ repository: location.path, args, signal });
    if (code !== 0) throw new GitProcessError('symbolic-ref failed', code, stderr);
    await syncDirectory(location.path);
  }

  async fetchObjects(
    from: RepositoryLocation,
    shas: readonly Sha[],
    { check }: { readonly check: boolean } = { check: false },
  ): Promise<void> {
    if (!shas.every(isSha)) throw new RangeError('not a full object name');
    if (shas.length === 0) return;
    await fetchInto(this.#target, from.path, shas, { check, timeoutMs: FETCH_MS });
  }

  get #target(): StoreTarget {
    const { location, broker, disk, signal } = this.context;
    return { repository: location.path, broker, disk, signal };
  }

  get #integration(): Integration {
    return new Integration(this.context, this.#target);
  }

  get #refs(): RefTarget {
    const { location, pool, disk, objects } = this.context;
    const isCommit = async (sha: Sha) => (await objects.commit(sha)) !== null;
    return { repository: location.path, pool, disk, isCommit };
  }

  async #commitOnto(onto: Commit, tree: Sha, change: Transplant): Promise<Sha> {
    if (tree === onto.tree) throw new MergeConflictError('empty', []);
    return this.#store('commit', commitBody({ ...change, tree, parents: [onto.sha] }));
  }

  async #store(type: ObjectType, body: Buffer): Promise<Sha> {
    const batch = new ObjectBatch(new TimeSlices());
    const sha = await batch.add(type, body);
    await storeObjects(this.#target, batch.objects);
    return sha;
  }

  async #commit(sha: Sha): Promise<Commit> {
    const commit = isSha(sha) ? await this.context.objects.commit(sha.toLowerCase()) : null;
    if (commit === null) throw new GitProcessError('a commit to build on is missing', null, '');
    return commit;
  }

  /** The tree the commit's change started from: that of its first parent; null for a root commit. */
  async #treeBefore(commit: Commit): Promise<Sha | null> {
    const [parent] = commit.parents;
    return parent === undefined ? null : (await this.#commit(parent)).tree;
  }

  async #treeBody(sha: Sha): Promise<Buffer> {
    const body = await this.context.objects.treeBody(sha);
    if (body === null) throw new GitProcessError(`tree ${sha} is missing`, null, '');
    return body;
  }
}
