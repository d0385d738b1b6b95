import type { ContributorStats, Sha } from '../git';
import { RepositoryCommands } from '../processes/repository-commands';
import { withSignal, type RepositoryContext } from '../repository-context';
import { assertSha } from './sha-arguments';

/** The newest commits that count; a full history with its line counts could take hours. */
const MOST_COMMITS = 2_000;
const TIMEOUT_MS = 60_000;

interface Tally {
  readonly name: string;
  readonly email: string;
  commits: number;
  additions: number;
  deletions: number;
}

/** Authors of the newest 2,000 commits but merges, by e-mail address (under the newest name); most commits first. */
export async function contributorsOf(context: RepositoryContext, from: Sha): Promise<ContributorStats[]> {
  assertSha(from);
  const key = `${context.location.path}\0${from}`;
  const authors = await context.caches.contributors.get(key, context.signal, (signal) =>
    countAuthors(withSignal(context, signal), from),
  );
  return [...authors];
}

async function countAuthors(context: RepositoryContext, from: Sha): Promise<ContributorStats[]> {
  const { stdout } = await new RepositoryCommands(context).run(
    [
      'log',
      '--no-merges',
      `--max-count=${MOST_COMMITS}`,
      '-M',
      '--shortstat',
      '--format=%x00%an%x00%ae%x00',
      from,
      '--',
    ],
    { timeoutMs: TIMEOUT_MS },
  );
  const tallies = new Map<string, Tally>();
  const fields = stdout.toString('utf8').split('\0');
  for (let at = 1; at + 2 < fields.length; at += 3) {
    const [name = '', email = '', changes = ''] = fields.slice(at, at + 3);
    const tally = tallies.get(email) ?? { name, email, commits: 0, additions: 0, deletions: 0 };
    tally.commits += 1;
    tally.additions += countBefore(changes, / (\d+) insertion/);
    tally.deletions += countBefore(changes, / (\d+) deletion/);
    tallies.set(email, tally);
  }
  return [...tallies.values()].sort((a, b) => b.commits - a.commits);
}

function countBefore(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}
