import { GitProcessError, type Sha } from '../git';
import type { SpawnBroker } from '../processes/spawn-broker';

const MOST_LOOKS = 5;
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

/** Runs `work` while no ref of the repository moves. */
export type WithWritersKeptOut = <T>(work: () => Promise<T>) => Promise<T>;

export interface RefsToFreeze {
  readonly repository: string;
  readonly signal: AbortSignal | undefined;
  readonly keepingWritersOut: WithWritersKeptOut;
}

/**
 * Lists the refs until two looks in a row see the same: then each ref had its value from the first look to the second,
 * and so all of them had theirs at the moment in between. That keeps no writer waiting. Only where refs move all the
 * time the writers are kept out, for as long as one look takes.
 */
export async function steadyRefs(
  broker: Pick<SpawnBroker, 'run'>,
  { repository, signal, keepingWritersOut }: RefsToFreeze,
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
  return parsed(await keepingWritersOut(look));
}

function parsed(text: string): SteadyRefs {
  const [head = '', ...lines] = text.split('\n').slice(0, -1);
  return { head, refs: lines.map(refOf) };
}

function refOf(line: string): ListedRef {
  const [sha = '', ref = '', peeled = ''] = line.split(' ');
  return { sha, ref, peeled: peeled === '' ? null : peeled };
}
