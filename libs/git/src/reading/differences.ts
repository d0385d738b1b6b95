import { GitLimitError, type Commit, type FileDiff, type Sha, type Stats } from '../git';
import { RepositoryCommands } from '../processes/repository-commands';
import { withSignal, type RepositoryContext } from '../repository-context';
import { parseRawLine } from './diff-entries';
import { PATCH_SESSIONS, STATS_SESSIONS } from './diff-session';
import { mapBounded } from './map-bounded';
import { required } from './object-reader';
import { assertSha } from './sha-arguments';
import { EMPTY_TREE } from './tree-object';

const MIB = 1024 * 1024;
const LIMITS = { perFile: MIB, whole: 16 * MIB };

interface TreePair {
  readonly from: Sha;
  readonly to: Sha;
}

/** Differences between trees, by pooled `diff-tree` processes; cached by the pair. */
export class Differences {
  private readonly commands: RepositoryCommands;

  constructor(private readonly context: RepositoryContext) {
    this.commands = new RepositoryCommands(context);
  }

  async stats(sha: Sha): Promise<Stats> {
    const pair = await this.againstFirstParent(sha);
    const { pool, location, caches, signal } = this.context;
    return caches.stats.get(this.key(pair), signal, () =>
      pool.use(STATS_SESSIONS, location.path, (session) => session.stats(pair.from, pair.to)),
    );
  }

  async statsOf(shas: readonly Sha[]): Promise<Map<Sha, Stats>> {
    const unique = [...new Set(shas)];
    return new Map(await mapBounded(unique, 64, async (sha) => [sha, await this.stats(sha)] as const));
  }

  async diff(sha: Sha): Promise<FileDiff[]> {
    return this.compare(await this.againstFirstParent(sha));
  }

  async diffBetween(from: Sha, to: Sha): Promise<FileDiff[]> {
    const [older, newer] = await Promise.all([this.commit(from), this.commit(to)]);
    return this.compare({ from: older.tree, to: newer.tree });
  }

  private async compare(pair: TreePair): Promise<FileDiff[]> {
    const { caches, signal } = this.context;
    const files = await caches.diffs.get(this.key(pair), signal, (shared) =>
      new Differences(withSignal(this.context, shared)).computeDiff(pair),
    );
    return [...files];
  }

  private async computeDiff(pair: TreePair): Promise<FileDiff[]> {
    const { pool, location } = this.context;
    if (pair.from === pair.to) return [];
    try {
      return await pool.use(PATCH_SESSIONS, location.path, (session) =>
        session.patch(pair.from, pair.to, LIMITS),
      );
    } catch (error) {
      if (error instanceof GitLimitError) return this.withoutTexts(pair);
      throw error;
    }
  }

  /** Which files differ, when their texts are too much for one answer. */
  private async withoutTexts({ from, to }: TreePair): Promise<FileDiff[]> {
    const lines = await this.commands.lines(['diff-tree', '-r', '-M', '-l1000', '--raw', from, to, '--']);
    return lines
      .flatMap(parseRawLine)
      .map((entry) => ({ ...entry, isBinary: false, text: '', isTooLarge: true }));
  }

  private async againstFirstParent(sha: Sha): Promise<TreePair> {
    const commit = await this.commit(sha);
    const [parent] = commit.parents;
    return { from: parent === undefined ? EMPTY_TREE : (await this.commit(parent)).tree, to: commit.tree };
  }

  private async commit(sha: Sha): Promise<Commit> {
    assertSha(sha);
    return required(await this.context.objects.commit(sha), sha);
  }

  private key({ from, to }: TreePair): string {
    return `${this.context.location.path}\0${from}\0${to}`;
  }
}
