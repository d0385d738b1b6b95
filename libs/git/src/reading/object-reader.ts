import type { EngineCaches, ParsedTree, TagObject } from '../caches/engine-caches';
import { orCancelled } from '../caches/memo';
import { GitCancelledError, GitProcessError, type Commit, type RepositoryLocation, type Sha } from '../git';
import type { ProcessPool } from '../processes/process-pool';
import { parseCommit } from './commit-object';
import { OBJECT_SESSIONS, type ObjectInfo, type ObjectSession, type RawObject } from './object-session';
import { parseTag } from './tag-object';
import { EMPTY_TREE, parseTree } from './tree-object';

export interface WrittenObject {
  readonly type: string;
  readonly sha: Sha;
  readonly body: Buffer;
}

/** Raw and parsed objects of one repository through pooled `cat-file` processes; parsed ones are cached. */
export class ObjectReader {
  constructor(
    private readonly source: {
      readonly location: RepositoryLocation;
      readonly pool: ProcessPool;
      readonly caches: EngineCaches;
      readonly signal: AbortSignal | undefined;
    },
  ) {}

  /**
   * What a name means. `name` is a full sha, or made by the engine from a validated ref name, and may end in a peeling
   * suffix of the engine ("^{commit}"): nothing else may be written to the shared process.
   */
  async info(name: string): Promise<ObjectInfo | null> {
    assertHarmless(name);
    return this.ask((session) => session.info(name));
  }

  /** As `info`, with the object's bytes. Throws GitLimitError above 64 MiB. */
  async read(name: string): Promise<RawObject | null> {
    assertHarmless(name);
    return this.ask((session) => session.contents(name));
  }

  async commit(sha: Sha): Promise<Commit | null> {
    const key = this.key(sha);
    const known = this.source.caches.commits.peek(key);
    if (known) return known;
    const raw = await this.read(sha);
    if (raw?.type !== 'commit') return null;
    const commit = parseCommit(sha, raw.content);
    this.source.caches.commits.keep(key, commit);
    return commit;
  }

  async tree(sha: Sha): Promise<ParsedTree | null> {
    if (sha === EMPTY_TREE) return { entries: [], size: 0 };
    const key = this.key(sha);
    const known = this.source.caches.trees.peek(key);
    if (known) return known;
    const raw = await this.read(sha);
    if (raw?.type !== 'tree') return null;
    const tree = parseTree(raw.content);
    this.source.caches.trees.keep(key, tree);
    return tree;
  }

  /** The bytes of a tree object; null when it is none. Not to be changed. */
  async treeBody(sha: Sha): Promise<Buffer | null> {
    const key = this.key(sha);
    const known = this.source.caches.treeBodies.peek(key);
    if (known) return known;
    const raw = await this.read(sha);
    if (raw?.type !== 'tree') return null;
    this.source.caches.treeBodies.keep(key, raw.content);
    return raw.content;
  }

  /** Takes note of objects that have just been written: whoever writes next builds on them. */
  keep(objects: readonly WrittenObject[]): void {
    for (const { type, sha, body } of objects) {
      const key = this.key(sha);
      if (type === 'commit') this.source.caches.commits.keep(key, parseCommit(sha, body));
      else if (type === 'tree') this.source.caches.treeBodies.keep(key, body);
    }
  }

  async tag(sha: Sha): Promise<TagObject | null> {
    const key = this.key(sha);
    const known = this.source.caches.tags.peek(key);
    if (known) return known;
    const raw = await this.read(sha);
    if (raw?.type !== 'tag') return null;
    const tag = parseTag(raw.content);
    this.source.caches.tags.keep(key, tag);
    return tag;
  }

  async blobSize(sha: Sha): Promise<number | null> {
    const key = this.key(sha);
    const known = this.source.caches.sizes.peek(key);
    if (known !== undefined) return known;
    const info = await this.info(sha);
    if (info?.type !== 'blob') return null;
    this.source.caches.sizes.keep(key, info.size);
    return info.size;
  }

  private key(sha: Sha): string {
    return `${this.source.location.path}\0${sha}`;
  }

  private async ask<T extends ObjectInfo>(
    question: (session: ObjectSession) => Promise<T | null>,
  ): Promise<T | null> {
    const { pool, location, signal } = this.source;
    if (signal?.aborted) throw new GitCancelledError('cancelled');
    return orCancelled(pool.use(OBJECT_SESSIONS, location.path, question), signal);
  }
}

/**
 * The last line of defence (git-safety G1, G2): these end a shared process or put its answers out of step. Whoever
 * calls has validated the name, so this is a defect: throws TypeError.
 */
function assertHarmless(name: string): void {
  if (name === '' || name.startsWith('-') || /[\0\n]|\.\.|@\{|\^\{\/|:/.test(name))
    throw new TypeError('not a validated name');
}

/** For an object that must be there because another one names it. */
export function required<T>(found: T | null, sha: Sha): T {
  if (found === null) throw new GitProcessError(`object ${sha} is missing`, null, '');
  return found;
}
