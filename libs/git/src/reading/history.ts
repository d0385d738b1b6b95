import type { SmallAnswer } from '../caches/engine-caches';
import { GitLimitError, type Commit, type LogQuery, type Sha } from '../git';
import { isReadablePath } from '../names';
import { RepositoryCommands } from '../processes/repository-commands';
import type { RepositoryContext } from '../repository-context';
import { mapBounded } from './map-bounded';
import { required } from './object-reader';
import { recentCommits } from './recent-commits';
import { assertSha } from './sha-arguments';

/** A page of history may ask for so many commits at most. */
const MOST_COMMITS = 10_000;
/** git reads numbers in options as 32-bit integers: a larger one would wrap around. */
const MOST_SKIPPED = 2 ** 31 - 1;
/** Up to here plain history is walked in this process. */
const SHORT_WALK = 100;
/** A walk over a path's whole history may take this long. */
const WALK_TIMEOUT_MS = 60_000;

type Walk = Omit<LogQuery, 'skip' | 'limit'>;

/** Walks over the commits. Answers that depend on shas alone are cached. */
export class History {
  private readonly commands: RepositoryCommands;

  constructor(private readonly context: RepositoryContext) {
    this.commands = new RepositoryCommands(context);
  }

  async commits(shas: readonly Sha[]): Promise<Commit[]> {
    return mapBounded(shas, 256, async (sha) => required(await this.context.objects.commit(sha), sha));
  }

  async log(query: LogQuery): Promise<Commit[]> {
    const { skip, limit } = query;
    if (limit > MOST_COMMITS) throw new GitLimitError(`a page of more than ${MOST_COMMITS} commits`);
    if (limit <= 0 || skip > MOST_SKIPPED || !isAnswerable(query)) return [];
    if (isPlain(query) && skip + limit <= SHORT_WALK) {
      assertSha(query.from);
      return (await recentCommits(this.context.objects, query.from, skip + limit)).slice(skip);
    }
    const args = ['rev-list', `--skip=${skip}`, `--max-count=${limit}`, ...walkArguments(query)];
    const { shas } = await this.answer(args, query.from !== 'all', (lines) => ({ shas: lines, count: 0 }));
    return this.commits(shas);
  }

  async countCommits(query: Walk, most: number): Promise<number> {
    if (!isAnswerable(query)) return 0;
    const args = ['rev-list', '--count', `--max-count=${most}`, ...walkArguments(query)];
    const { count } = await this.answer(args, query.from !== 'all', ([line = '0']) => ({
      shas: [],
      count: Number(line),
    }));
    return count;
  }

  async lastCommit(commit: Sha, path: string): Promise<Sha | null> {
    const [newest] = await this.shasOf({ from: commit, ...(path !== '' && { path }) }, 1);
    return newest ?? null;
  }

  async mergeBase(shas: readonly Sha[]): Promise<Sha | null> {
    const [first, ...others] = shas;
    if (first === undefined) return null;
    shas.forEach(assertSha);
    if (others.every((sha) => sha === first)) return first;
    const { shas: bases } = await this.answer(['merge-base', '--octopus', ...shas], true, (lines) => ({
      shas: lines,
      count: 0,
    }));
    return bases[0] ?? null;
  }

  async isAncestor(ancestor: Sha, descendant: Sha): Promise<boolean> {
    return ancestor === descendant || (await this.mergeBase([ancestor, descendant])) === ancestor;
  }

  private async shasOf(query: Walk, limit: number): Promise<readonly Sha[]> {
    if (!isAnswerable(query)) return [];
    const args = ['rev-list', `--max-count=${limit}`, ...walkArguments(query)];
    return (await this.answer(args, query.from !== 'all', (lines) => ({ shas: lines, count: 0 }))).shas;
  }

  /** Exit code 1 is merge-base's "there is none". */
  private answer(
    args: readonly string[],
    isImmutable: boolean,
    parse: (lines: string[]) => SmallAnswer,
  ): Promise<SmallAnswer> {
    const ask = async (signal?: AbortSignal): Promise<SmallAnswer> =>
      parse(await this.commands.lines(args, { signal, codes: [0, 1], timeoutMs: WALK_TIMEOUT_MS }));
    if (!isImmutable) return ask(this.context.signal);
    const key = [this.context.location.path, ...args].join('\0');
    return this.context.caches.answers.get(key, this.context.signal, ask);
  }
}

/** No commit can match a path that no tree holds, or a name with a line break. */
function isAnswerable({ path, author }: Walk): boolean {
  if (path !== undefined && !isReadablePath(path)) return false;
  return author === undefined || !/[\0\n]/.test(author);
}

function isPlain({ from, not, path, since, until, author }: Walk): boolean {
  return from !== 'all' && [not, path, since, until, author].every((filter) => filter === undefined);
}

function walkArguments({ from, not, path, since, until, author }: Walk): string[] {
  if (from !== 'all') assertSha(from);
  if (not !== undefined) assertSha(not);
  return [
    ...(since ? [`--max-age=${Math.max(0, Math.ceil(since.getTime() / 1000))}`] : []),
    ...(until ? [`--min-age=${Math.max(0, Math.floor(until.getTime() / 1000))}`] : []),
    ...(author ? ['--regexp-ignore-case', '--fixed-strings', `--author=${author}`] : []),
    ...(from === 'all' ? ['--branches', '--tags'] : [from]),
    ...(not === undefined ? [] : [`^${not}`]),
    '--',
    ...(path === undefined ? [] : [path]),
  ];
}
