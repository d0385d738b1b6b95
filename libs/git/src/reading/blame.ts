import type { BlameRange, Sha } from '../git';
import { RepositoryCommands } from '../processes/repository-commands';
import { withSignal, type RepositoryContext } from '../repository-context';
import type { Files } from './files';
import { mapBounded } from './map-bounded';
import { required } from './object-reader';

/** Blame of a long history takes its time; nobody waits longer than this. */
const TIMEOUT_MS = 60_000;
const GROUP_START = /^([0-9a-f]{40}) \d+ \d+(?: \d+)?$/;

interface Run {
  readonly sha: Sha;
  readonly lines: string[];
}

/**
 * Who wrote which line: consecutive lines of one commit form one range. Nothing for a path that is no file.
 * Throws GitLimitError when it takes longer than a minute.
 */
export async function blameOf(
  context: RepositoryContext,
  files: Files,
  commit: Sha,
  path: string,
): Promise<BlameRange[]> {
  if ((await files.file(commit, path)) === null) return [];
  const key = [context.location.path, commit, path].join('\0');
  const ranges = await context.caches.blames.get(key, context.signal, (signal) =>
    compute(withSignal(context, signal), commit, path),
  );
  return [...ranges];
}

async function compute(context: RepositoryContext, commit: Sha, path: string): Promise<BlameRange[]> {
  const lines = await new RepositoryCommands(context).lines(['blame', '--porcelain', commit, '--', path], {
    timeoutMs: TIMEOUT_MS,
  });
  return mapBounded(group(lines), 64, async ({ sha, lines: own }) => ({
    commit: required(await context.objects.commit(sha), sha),
    lines: own,
  }));
}

/** Each line of the file comes as "<sha> <old line> <line> …", header lines, then a tab and the text. */
function group(output: readonly string[]): Run[] {
  const runs: Run[] = [];
  let sha: Sha = '';
  for (const line of output) {
    if (line.startsWith('\t')) {
      const last = runs[runs.length - 1];
      if (last?.sha === sha) last.lines.push(line.slice(1));
      else runs.push({ sha, lines: [line.slice(1)] });
    } else sha = GROUP_START.exec(line)?.[1] ?? sha;
  }
  return runs;
}
