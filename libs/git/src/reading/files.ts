import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ParsedTreeEntry } from '../caches/engine-caches';
import {
  GitLimitError,
  GitProcessError,
  type EntryType,
  type FileEntry,
  type Sha,
  type TreeEntry,
} from '../git';
import { isReadablePath } from '../names';
import { RepositoryCommands } from '../processes/repository-commands';
import { withSignal, type RepositoryContext } from '../repository-context';
import { required } from './object-reader';
import { assertSha } from './sha-arguments';
import { entryType } from './tree-object';

const MIB = 1024 * 1024;
/** Larger blobs get a process of their own, so that they never hold up a shared one. */
const SMALL_BLOB = MIB;
/** Larger ones are not worth their room in the cache. */
const CACHED_BLOB = 256 * 1024;
const MOST_BLOB = 20 * MIB;
/** A recursive listing holds so many entries at most. */
const MOST_ENTRIES = 500_000;

/** Files and directories of commits. */
export class Files {
  private readonly commands: RepositoryCommands;

  constructor(private readonly context: RepositoryContext) {
    this.commands = new RepositoryCommands(context);
  }

  async file(commit: Sha, path: string): Promise<FileEntry | null> {
    const entry = await this.find(commit, path);
    if (entry === null || entryType(entry.mode) !== 'blob') return null;
    const size = required(await this.context.objects.blobSize(entry.sha), entry.sha);
    return { sha: entry.sha, mode: entry.mode, size };
  }

  async blob(sha: Sha, most = MOST_BLOB): Promise<Buffer> {
    const size = await this.requiredSize(sha);
    if (size > most) throw new GitLimitError(`blob ${sha} has ${size} bytes`);
    if (size <= SMALL_BLOB) return this.smallBlob(sha, size);
    const { stdout } = await this.commands.run(['cat-file', 'blob', sha], { maxOutput: size });
    return stdout;
  }

  blobSize(sha: Sha): Promise<number | null> {
    assertSha(sha);
    return this.context.objects.blobSize(sha);
  }

  async blobStream(sha: Sha): Promise<Readable> {
    const size = await this.requiredSize(sha);
    if (size <= SMALL_BLOB) return Readable.from([await this.smallBlob(sha, size)], { objectMode: false });
    return this.commands.stream(['cat-file', 'blob', sha]);
  }

  blobSha256(sha: Sha): Promise<string> {
    return this.context.caches.checksums.get(this.key(sha), this.context.signal, (signal) =>
      new Files(withSignal(this.context, signal)).computeSha256(sha),
    );
  }

  async tree(commit: Sha, path: string, { recursive }: { recursive: boolean }): Promise<TreeEntry[] | null> {
    const root = await this.directory(commit, path);
    if (root === null) return null;
    const found: TreeEntry[] = [];
    await this.list(root, path === '' ? '' : `${path}/`, recursive, found);
    return byType(found);
  }

  /** What stands at a path of a commit. A name that is no UTF-8 is found by nobody: git could not be asked for it. */
  async find(commit: Sha, path: string): Promise<ParsedTreeEntry | null> {
    assertSha(commit);
    if (!isReadablePath(path)) return null;
    const tree = (await this.context.objects.commit(commit))?.tree;
    if (tree === undefined) return null;
    let here: ParsedTreeEntry = { sha: tree, mode: '040000', name: '', isNameExact: true };
    for (const component of path.split('/')) {
      if (entryType(here.mode) !== 'tree') return null;
      const { entries } = required(await this.context.objects.tree(here.sha), here.sha);
      const next = entries.find((entry) => entry.name === component && entry.isNameExact);
      if (next === undefined) return null;
      here = next;
    }
    return here;
  }

  private async directory(commit: Sha, path: string): Promise<Sha | null> {
    assertSha(commit);
    if (path === '') return (await this.context.objects.commit(commit))?.tree ?? null;
    const entry = await this.find(commit, path);
    return entry !== null && entryType(entry.mode) === 'tree' ? entry.sha : null;
  }

  /** Depth first, a directory before what it holds. */
  private async list(tree: Sha, prefix: string, recursive: boolean, found: TreeEntry[]): Promise<void> {
    const { entries } = required(await this.context.objects.tree(tree), tree);
    if (found.length + entries.length > MOST_ENTRIES) throw new GitLimitError('too many files for a listing');
    for (const { name, mode, sha } of entries) {
      const type = entryType(mode);
      found.push({ sha, name, path: prefix + name, type, mode });
      if (recursive && type === 'tree') await this.list(sha, `${prefix}${name}/`, true, found);
    }
  }

  private async computeSha256(sha: Sha): Promise<string> {
    const hash = createHash('sha256');
    const stream: AsyncIterable<Buffer> = await this.blobStream(sha);
    for await (const chunk of stream) hash.update(chunk);
    return hash.digest('hex');
  }

  private async smallBlob(sha: Sha, size: number): Promise<Buffer> {
    const key = this.key(sha);
    const known = this.context.caches.blobs.peek(key);
    if (known) return known;
    const { content } = required(await this.context.objects.read(sha), sha);
    if (size <= CACHED_BLOB) this.context.caches.blobs.keep(key, content);
    return content;
  }

  private async requiredSize(sha: Sha): Promise<number> {
    const size = await this.blobSize(sha);
    if (size === null) throw new GitProcessError(`blob ${sha} is missing`, null, '');
    return size;
  }

  private key(sha: Sha): string {
    return `${this.context.location.path}\0${sha}`;
  }
}

/** Directories first, then files, then submodules; the order within each stays. */
function byType(entries: readonly TreeEntry[]): TreeEntry[] {
  const rank: Record<EntryType, number> = { tree: 0, blob: 1, commit: 2 };
  return [...entries].sort((a, b) => rank[a.type] - rank[b.type]);
}
