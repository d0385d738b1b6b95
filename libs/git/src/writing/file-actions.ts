import { FileActionError, GitLimitError, type FileAction, type Sha } from '../git';
import { InvalidPathError, isGitmodulesName, splitPath } from '../names';
import { forEachParallel } from './durable-files';
import { NotADirectoryError, treeName, type EditableTree } from './editable-tree';
import type { ObjectBatch } from './object-batch';
import type { TimeSlices } from './time-slices';
import {
  DIRECTORY_MODE,
  EXECUTABLE_MODE,
  FILE_MODE,
  SUBMODULE_MODE,
  SYMLINK_MODE,
  type TreeItem,
} from './tree-format';

/** Walks of history that one commit may have running at a time. */
const PARALLEL_WALKS = 4;

/** Files whose history one commit may have walked, and how long all these walks may take. */
const WALK_LIMITS = { mostPaths: 1_000, withinMs: 60_000 };

/**
 * Refuses a commit of which an action names a `lastCommit` that is not the last one that changed its file: somebody
 * came first. For a move the file is the one that moves. A file without history is not stale but missing, which
 * `applyActions` finds. `lastCommitOf` answers for the base.
 * Throws FileActionError, and GitLimitError where that takes more files or more time than one commit gets.
 */
export async function refuseStaleActions(
  actions: readonly FileAction[],
  lastCommitOf: (path: string) => Promise<Sha | null>,
  { mostPaths, withinMs } = WALK_LIMITS,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  const known = new Map<string, Promise<Sha | null>>();
  await forEachParallel(
    actions,
    async (action, index) => {
      if (action.action === 'create' || action.lastCommit === undefined) return;
      const path = action.action === 'move' ? action.previousPath : action.path;
      checkedPath(path, index);
      if (!known.has(path) && known.size >= mostPaths) throw new GitLimitError(`${mostPaths} histories`);
      if (Date.now() >= deadline) throw new GitLimitError(`${withinMs} ms for the histories of a commit`);
      const lookUp = known.get(path) ?? lastCommitOf(path);
      known.set(path, lookUp);
      const last = await lookUp;
      if (last !== null && last !== action.lastCommit.toLowerCase())
        throw new FileActionError('stale', path, index);
    },
    PARALLEL_WALKS,
  );
}

/**
 * Applies the actions in order, each seeing what those before it did.
 *
 * What is refused, beside the plain cases: creating or moving to a path where a directory is ('exists') or below a file
 * ('invalid_path'); naming a directory as the file to change ('missing': directories are nothing git keeps); giving
 * a submodule content or bits, bits to a symbolic link, and a symbolic link the name .gitmodules ('invalid_path').
 * Throws FileActionError.
 */
export async function applyActions(
  actions: readonly FileAction[],
  tree: EditableTree,
  batch: ObjectBatch,
  slices: TimeSlices,
): Promise<void> {
  for (const [index, action] of actions.entries()) {
    if (slices.isOver()) await slices.rest();
    try {
      await new ActionOnTree(tree, batch, index).apply(action);
    } catch (error) {
      if (!(error instanceof NotADirectoryError)) throw error;
      throw new FileActionError('invalid_path', action.path, index);
    }
  }
}

class ActionOnTree {
  constructor(
    private readonly tree: EditableTree,
    private readonly batch: ObjectBatch,
    private readonly index: number,
  ) {}

  apply(action: FileAction): Promise<void> {
    switch (action.action) {
      case 'create':
        return this.#create(action);
      case 'update':
        return this.#update(action);
      case 'delete':
        return this.#delete(action);
      case 'move':
        return this.#move(action);
      case 'chmod':
        return this.#chmod(action);
    }
  }

  async #create(action: { path: string; content: Buffer; executable?: boolean }): Promise<void> {
    const components = this.#components(action.path);
    await this.#refuseExisting(components, action.path);
    const mode = action.executable === true ? EXECUTABLE_MODE : FILE_MODE;
    await this.tree.put(components, { mode, sha: await this.batch.add('blob', action.content) });
  }

  async #update(action: { path: string; content: Buffer }): Promise<void> {
    const components = this.#components(action.path);
    const { mode } = await this.#file(components, action.path);
    await this.tree.put(components, await this.#withContent(mode, action.content, action.path));
  }

  async #delete(action: { path: string }): Promise<void> {
    const components = this.#components(action.path);
    await this.#file(components, action.path);
    await this.tree.remove(components);
  }

  async #move(action: { path: string; previousPath: string; content?: Buffer }): Promise<void> {
    const from = this.#components(action.previousPath);
    const to = this.#components(action.path);
    const moved = await this.#file(from, action.previousPath);
    if (action.path === action.previousPath) throw this.#problem('exists', action.path);
    // The source goes first: a directory that only held it makes room for a file of its name, and a file for a directory.
    await this.tree.remove(from);
    await this.#refuseExisting(to, action.path);
    const item =
      action.content === undefined ? moved : await this.#withContent(moved.mode, action.content, action.path);
    this.#refuseLinkedGitmodules(item.mode, action.path);
    await this.tree.put(to, item);
  }

  async #chmod(action: { path: string; executable: boolean }): Promise<void> {
    const components = this.#components(action.path);
    const { mode, sha } = await this.#file(components, action.path);
    if (mode === SYMLINK_MODE || mode === SUBMODULE_MODE) throw this.#problem('invalid_path', action.path);
    await this.tree.put(components, { mode: action.executable ? EXECUTABLE_MODE : FILE_MODE, sha });
  }

  #components(path: string): string[] {
    return checkedPath(path, this.index).map(treeName);
  }

  async #refuseExisting(components: readonly string[], path: string): Promise<void> {
    if ((await this.tree.find(components)) !== null) throw this.#problem('exists', path);
  }

  /** What is at the path, which must be something other than a directory. */
  async #file(components: readonly string[], path: string): Promise<TreeItem> {
    const item = await this.tree.find(components);
    if (item === null || item.mode === DIRECTORY_MODE) throw this.#problem('missing', path);
    return item;
  }

  async #withContent(mode: string, content: Buffer, path: string): Promise<TreeItem> {
    if (mode === SUBMODULE_MODE) throw this.#problem('invalid_path', path);
    this.#refuseLinkedGitmodules(mode, path);
    return { mode: canonicalMode(mode), sha: await this.batch.add('blob', content) };
  }

  #refuseLinkedGitmodules(mode: string, path: string): void {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (mode === SYMLINK_MODE && isGitmodulesName(name)) throw this.#problem('invalid_path', path);
  }

  #problem(problem: 'exists' | 'missing' | 'invalid_path', path: string): FileActionError {
    return new FileActionError(problem, path, this.index);
  }
}

function checkedPath(path: string, index: number): string[] {
  try {
    return splitPath(path);
  } catch (error) {
    if (error instanceof InvalidPathError) throw new FileActionError(error.problem, path, index);
    throw error;
  }
}

/** Old tools wrote modes such as 100664, which git has not made for long. */
function canonicalMode(mode: string): string {
  if (mode === SYMLINK_MODE) return mode;
  return (Number.parseInt(mode, 8) & 0o100) === 0 ? FILE_MODE : EXECUTABLE_MODE;
}
