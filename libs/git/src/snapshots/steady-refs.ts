import { DomainError } from '#libs/errors';
import { GitProcessError, type Sha } from '../git';
import type { SpawnBroker } from '../processes/spawn-broker';

const MOST_LOOKS = 20;
const LOOK_MS = 60_000;
const MOST_BYTES = 256 * 1024 * 1024;
const LISTING = '--format=%(objectname) %(refname) %(*objectname)';

export interface ListedRef {
  readonly ref: string;
  readonly sha: Sha;
  /** What the tag object is for, null for everything but tag objects. */
  readonly peeled: Sha | null;
}

/** All refs of a repository as they stood together at one moment. */
export interface SteadyRefs {
  /** The ref that HEAD names, there or not. */
  readonly head: string;
  /** In the order of their names' bytes. */
  readonly refs: readonly ListedRef[];
}

/**
 * Lists the refs until two looks in a row see the same: then each ref had its value from the first look to the second,
 * and so all of them had theirs at the moment in between. It takes no lock, and keeps no writer waiting.
 * Throws `unavailable` where refs move too fast for that.
 */
export async function steadyRefs(
  broker: SpawnBroker,
  repository: string,
  signal: AbortSignal | undefined,
): Promise<SteadyRefs> {
  const look = async (): Promise<string> => {
    const head = await run(['symbolic-ref', 'HEAD']);
    return head + (await run(['for-each-ref', LISTING]));
  };
  const run = async (args: readonly string[]): Promise<string> => {
    const options = { timeoutMs: LOOK_MS, maxOutput: MOST_BYTES, signal };
    const { code, stdout, stderr } = await broker.run({ repository, args, ...options });
    if (code !== 0) throw new GitProcessError(`${args[0] ?? 'git'} failed`, code, stderr);
    return stdout.toString('utf8');
  };
  let before = await look();
  for (let looks = 1; looks < MOST_LOOKS; looks += 1) {
    const now = await look();
    if (now === before) return parsed(now);
    before = now;
  }
  throw new DomainError({
    kind: 'unavailable',
    message: 'The repository is changing too fast, please try again',
  });
}

function parsed(text: string): SteadyRefs {
  const [head = '', ...lines] = text.split('\n').slice(0, -1);
  return { head, refs: lines.map(refOf) };
}

function refOf(line: string): ListedRef {
  const [sha = '', ref = '', peeled = ''] = line.split(' ');
  return { sha, ref, peeled: peeled === '' ? null : peeled };
}
