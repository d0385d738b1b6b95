import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

export interface ListedProcess {
  readonly pid: number;
  /** Arguments joined by blanks. */
  readonly command: string;
}

/** Processes of this machine whose command line contains `text`. */
export async function processesWith(text: string): Promise<ListedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(async (pid) => ({ pid, command: await commandLine(pid) })));
  return all.filter(({ command }) => command.includes(text));
}

/** Whether all processes whose command line contains `text` end within five seconds. */
export async function isSoonGone(text: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await processesWith(text)).length === 0) return true;
    await pause(50);
  }
  return false;
}

async function commandLine(pid: number): Promise<string> {
  // A process may end between being listed and being read.
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return line.split('\0').join(' ').trim();
}
