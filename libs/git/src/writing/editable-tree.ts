import { GitLimitError, type Sha } from '../git';
import type { ObjectBatch } from './object-batch';
import type { TimeSlices } from './time-slices';
import {
  compareItems,
  DIRECTORY_MODE,
  parseTree,
  treeBody,
  type NamedItem,
  type TreeItem,
} from './tree-format';

/** Gives the body of a tree object. */
export type ReadTree = (sha: Sha) => Promise<Buffer>;

/** Directories one commit may touch or make; a bound on memory, far above what an import of a project needs. */
const MOST_DIRECTORIES = 50_000;

/** A file stands where a path needs a directory. */
export class NotADirectoryError extends Error {}

/** A directory of the new tree, as far as it was looked into. */
class Directory {
  /** Entries as they will be; a changed subdirectory's sha is filled in when it is written. */
  readonly items = new Map<string, TreeItem>();
  readonly opened = new Map<string, Directory>();
  /** Names whose entry is no longer that of the base. */
  readonly changed = new Set<string>();

  constructor(readonly base: readonly NamedItem[]) {
    for (const item of base) this.items.set(item.name, item);
  }

  set(name: string, item: TreeItem): void {
    this.items.set(name, item);
    this.changed.add(name);
  }

  delete(name: string): void {
    this.items.delete(name);
    this.opened.delete(name);
    this.changed.add(name);
  }
}

/**
 * The tree of a commit in the making: reads only the directories that paths lead through, and writes only those that
 * changed. Paths are given as components, already checked. Directories left empty vanish, as git has none.
 */
export class EditableTree {
  #root: Directory | undefined;
  #directories = 0;

  /** `base` is the tree to start from, null for an empty one. */
  constructor(
    private readonly base: Sha | null,
    private readonly readTree: ReadTree,
    private readonly slices: TimeSlices,
  ) {}

  /** What is at the path, a directory included; null when there is nothing. */
  async find(components: readonly string[]): Promise<TreeItem | null> {
    const [names, last] = splitLast(components);
    let directory: Directory | null = await this.#openRoot();
    for (const name of names) {
      directory = await this.#openExisting(directory, name);
      if (directory === null) return null;
    }
    return directory.items.get(last) ?? null;
  }

  /** Puts a file at the path, making directories. Throws NotADirectoryError when a file stands in the way. */
  async put(components: readonly string[], item: TreeItem): Promise<void> {
    const [names, last] = splitLast(components);
    const chain = [await this.#openRoot()];
    for (const name of names) {
      const parent = lastOf(chain);
      const found = parent.items.get(name);
      if (found !== undefined && found.mode !== DIRECTORY_MODE) throw new NotADirectoryError(name);
      chain.push((await this.#openExisting(parent, name)) ?? this.#makeDirectory(parent, name));
    }
    lastOf(chain).set(last, item);
    names.forEach((name, i) => chain[i]?.changed.add(name));
  }

  /** Takes away the file at the path, which must be there, and directories that it leaves empty. */
  async remove(components: readonly string[]): Promise<void> {
    const [names, last] = splitLast(components);
    const chain = [await this.#openRoot()];
    for (const name of names) {
      const child = await this.#openExisting(lastOf(chain), name);
      if (child === null) throw new Error('a file to remove is not there');
      chain.push(child);
    }
    lastOf(chain).delete(last);
    for (let i = names.length - 1; i >= 0; i -= 1) {
      const [parent, child, name] = [chain[i], chain[i + 1], names[i]];
      if (parent === undefined || child === undefined || name === undefined) continue;
      if (child.items.size === 0) parent.delete(name);
      else parent.changed.add(name);
    }
  }

  /** Adds the changed trees to the batch; answers the root's sha. */
  async write(batch: ObjectBatch): Promise<Sha> {
    return this.#writeDirectory(await this.#openRoot(), batch);
  }

  async #openRoot(): Promise<Directory> {
    this.#root ??= await this.#read(this.base);
    return this.#root;
  }

  /** The subdirectory of that name, or null when there is none. */
  async #openExisting(parent: Directory, name: string): Promise<Directory | null> {
    const opened = parent.opened.get(name);
    if (opened !== undefined) return opened;
    const item = parent.items.get(name);
    if (item?.mode !== DIRECTORY_MODE) return null;
    const directory = await this.#read(item.sha);
    parent.opened.set(name, directory);
    return directory;
  }

  #makeDirectory(parent: Directory, name: string): Directory {
    const directory = this.#counted(new Directory([]));
    parent.opened.set(name, directory);
    // The sha follows in `write`; until then the entry only says that a directory is here.
    parent.set(name, { mode: DIRECTORY_MODE, sha: '' });
    return directory;
  }

  async #read(sha: Sha | null): Promise<Directory> {
    if (this.slices.isOver()) await this.slices.rest();
    return this.#counted(
      new Directory(sha === null ? [] : await parseTree(await this.readTree(sha), this.slices)),
    );
  }

  #counted(directory: Directory): Directory {
    this.#directories += 1;
    if (this.#directories > MOST_DIRECTORIES)
      throw new GitLimitError('a commit touches too many directories');
    return directory;
  }

  async #writeDirectory(directory: Directory, batch: ObjectBatch): Promise<Sha> {
    for (const [name, child] of directory.opened) {
      if (!directory.changed.has(name)) continue;
      directory.items.set(name, { mode: DIRECTORY_MODE, sha: await this.#writeDirectory(child, batch) });
    }
    return batch.add('tree', await treeBody(await this.#sorted(directory), this.slices));
  }

  /** Unchanged entries keep their order, changed ones are merged in: no sorting of large directories. */
  async #sorted(directory: Directory): Promise<NamedItem[]> {
    const added: NamedItem[] = [];
    for (const name of directory.changed) {
      const item = directory.items.get(name);
      if (item !== undefined) added.push({ name, mode: item.mode, sha: item.sha });
    }
    added.sort(compareItems);
    const merged: NamedItem[] = [];
    let next = 0;
    for (const item of directory.base) {
      if (this.slices.isOver()) await this.slices.rest();
      if (directory.changed.has(item.name)) continue;
      for (let head = added[next]; head !== undefined && compareItems(head, item) < 0; head = added[next]) {
        merged.push(head);
        next += 1;
      }
      merged.push(item);
    }
    return merged.concat(added.slice(next));
  }
}

/** A path component as the bytes a tree holds, one character each. */
export function treeName(component: string): string {
  return Buffer.from(component, 'utf8').toString('latin1');
}

function splitLast(components: readonly string[]): [string[], string] {
  const last = components.at(-1);
  if (last === undefined) throw new Error('a path has no components');
  return [components.slice(0, -1), last];
}

function lastOf(chain: readonly Directory[]): Directory {
  const last = chain.at(-1);
  if (last === undefined) throw new Error('no directory is open');
  return last;
}
