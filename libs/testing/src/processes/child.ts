import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const HOOK = path.join(__dirname, 'typescript-hook.cjs');

/** A process of its own that runs a TypeScript file of the project, for tests of several nodes and of crashes. */
export interface Child {
  readonly pid: number;
  /** The next line it writes to its standard output; throws when it ends before. */
  line(): Promise<string>;
  /** All lines written so far that nobody asked for yet. */
  unread(): string[];
  tell(line: string): void;
  /** Ends it without warning, as a crash would. */
  kill(): Promise<void>;
  /** Waits for its end; answers the exit code, null when it was killed. */
  ended(): Promise<number | null>;
}

/** Starts `script` (absolute path) with arguments, as another user when asked (root only). What it writes to standard error comes out of `line`'s error. */
export function startChild(
  script: string,
  args: readonly string[] = [],
  user: { uid?: number; gid?: number } = {},
): Child {
  const child = spawn(process.execPath, ['-r', HOOK, script, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
    ...user,
  });
  const lines: string[] = [];
  const readers: (() => void)[] = [];
  let complaint = '';
  let isOver = false;
  const notify = (): void => readers.splice(0).forEach((reader) => reader());
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    notify();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4_000);
  });
  child.once('close', () => {
    isOver = true;
    notify();
  });
  // A child that is gone does not listen: that shows in what it says next.
  child.stdin.on('error', () => undefined);
  return {
    pid: child.pid ?? 0,
    async line() {
      for (;;) {
        const line = lines.shift();
        if (line !== undefined) return line;
        if (isOver) throw new Error(`the process ended: ${complaint}`);
        await new Promise<void>((resolve) => readers.push(resolve));
      }
    },
    unread: () => lines.splice(0),
    tell: (line) => child.stdin.write(`${line}\n`),
    async kill() {
      child.kill('SIGKILL');
      await closed(child);
    },
    async ended() {
      await closed(child);
      return child.exitCode;
    },
  };
}

async function closed(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
