import { readdir, readFile } from 'node:fs/promises';

/** Freezing may meet a process that is just being started: it is found in the next look. */
const MOST_LOOKS = 20;

/**
 * Ends processes and everything they have started, as a machine that loses its power would: they are frozen one
 * after another until nothing runs that could notice, and only then killed.
 */
export async function killTrees(roots: readonly number[]): Promise<void> {
  const frozen = new Set<number>();
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const found = (await descendants(roots)).filter((pid) => !frozen.has(pid));
    if (found.length === 0) break;
    for (const pid of found) {
      signal(pid, 'SIGSTOP');
      frozen.add(pid);
    }
  }
  for (const pid of frozen) signal(pid, 'SIGKILL');
}

/** The processes themselves and all that stem from them. */
async function descendants(roots: readonly number[]): Promise<number[]> {
  const parents = await parentsOfAll();
  const found = new Set(roots);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

async function parentsOfAll(): Promise<Map<number, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const pairs = await Promise.all(
    pids.map(async (pid): Promise<[number, number]> => [pid, await parentOf(pid)]),
  );
  return new Map(pairs);
}

/** 0 for a process that has just ended. */
async function parentOf(pid: number): Promise<number> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name before it may hold blanks and brackets.
  const [, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return Number(parent ?? 0);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // ESRCH: it has ended by itself.
  }
}
