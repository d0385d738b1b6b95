/**
 * The spawn broker's own program: a small Node process that starts git for the server process.
 *
 * `spawn()` stops the event loop of the process that calls it in proportion to its resident memory, so the big server
 * process orders its git commands here. Only orders and outcomes travel over IPC; for each stdio stream this process
 * connects a socket to the server's private listener, announces which stream it is, and gives the socket itself to
 * git: the bytes go straight between git and the server.
 *
 * It stands alone (Node's own modules and types only), for tests transpile this one file. Its only argument is the
 * path of the server's socket. It ends, and all its gits with it, when the server process goes away in any way.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import type { BrokerOrder, BrokerReport, SpawnOrder } from './broker-protocol';

const STDIN_STREAM = 0;
const STDOUT_STREAM = 1;
const ANNOUNCEMENT_BYTES = 5;
const MOST_STDERR_BYTES = 64 * 1024;
const KILL_GRACE_MS = 2_000;
/** A grandchild may hold stderr open after git has ended; its words are not waited for longer than this. */
const STDERR_GRACE_MS = 200;
/** Node cannot limit a child's memory; the shell can, and git's arguments are never part of what it reads. */
const WITHIN_LIMIT = 'ulimit -v "$0" && exec git "$@"';

interface Command {
  child?: ChildProcess;
  killed: boolean;
}

const socketPath = process.argv[2] ?? '';
const commands = new Map<number, Command>();

process.on('message', (order: BrokerOrder) => {
  if (order.type === 'kill') return kill(order.id);
  void start(order);
});
process.on('disconnect', shutDown);
// The server decides when its children end: a Ctrl-C in the terminal reaches the whole group at once.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

async function start(order: SpawnOrder): Promise<void> {
  const command: Command = { killed: false };
  commands.set(order.id, command);
  try {
    const stdin = order.hasInput ? await openStream(order.id, STDIN_STREAM) : undefined;
    const stdout = await openStream(order.id, STDOUT_STREAM);
    if (command.killed) {
      stdin?.destroy();
      stdout.destroy();
      return report({ id: order.id, code: 128 + constants.signals.SIGTERM, stderr: '' });
    }
    launch(order, command, stdin, stdout);
  } catch (error) {
    report({ id: order.id, code: -1, stderr: '', failure: String(error) });
  }
}

/** Connects one stdio stream to the server. It is paused before it connects, so not a byte of it is read here. */
function openStream(id: number, stream: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: socketPath });
    socket.pause();
    socket.once('error', reject);
    socket.once('connect', () => {
      const announcement = Buffer.alloc(ANNOUNCEMENT_BYTES);
      announcement.writeUInt32BE(id, 0);
      announcement.writeUInt8(stream, 4);
      socket.write(announcement, (error) => (error ? reject(error) : resolve(socket)));
    });
  });
}

function launch(order: SpawnOrder, command: Command, stdin: Socket | undefined, stdout: Socket): void {
  try {
    const [program, args] = commandOf(order);
    const child = spawn(program, args, {
      cwd: '/',
      env: { ...order.env },
      stdio: [stdin ?? 'ignore', stdout, 'pipe'],
      detached: true, // a process group of its own, so that git's own children can be ended with it
    });
    command.child = child;
    watch(order.id, command, child);
  } finally {
    // git holds the sockets now; this closes our copies without shutting the connections down.
    stdin?.destroy();
    stdout.destroy();
  }
}

function commandOf({ args, memoryKib }: SpawnOrder): [string, readonly string[]] {
  return memoryKib === undefined ? ['git', args] : ['sh', ['-c', WITHIN_LIMIT, String(memoryKib), ...args]];
}

function watch(id: number, command: Command, child: ChildProcess): void {
  const stderr = new StderrText(child);
  child.once('error', (error) => report({ id, code: -1, stderr: '', failure: error.message }));
  child.once('exit', (code, signal) => {
    if (command.killed) signalGroup(child, 'SIGKILL');
    void stderr
      .ended(STDERR_GRACE_MS)
      .then((text) => report({ id, code: exitCode(code, signal), stderr: text }));
  });
}

class StderrText {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private readonly closed: Promise<void>;

  constructor(private readonly child: ChildProcess) {
    this.closed = new Promise((resolve) => child.once('close', () => resolve()));
    child.stderr?.on('data', (chunk: Buffer) => this.keep(chunk));
    child.stderr?.on('error', () => undefined); // the exit code tells the outcome
  }

  async ended(graceMs: number): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([this.closed, grace]);
    clearTimeout(timer);
    this.child.stderr?.destroy();
    return Buffer.concat(this.chunks).toString('utf8');
  }

  private keep(chunk: Buffer): void {
    const kept = chunk.subarray(0, MOST_STDERR_BYTES - this.bytes);
    this.bytes += kept.length;
    if (kept.length > 0) this.chunks.push(kept);
  }
}

function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code;
  return signal === null ? -1 : 128 + constants.signals[signal];
}

function report(outcome: BrokerReport): void {
  if (!commands.delete(outcome.id)) return;
  // The server may be gone before this process has noticed: it then has no use for the news.
  if (process.connected) process.send?.(outcome, undefined, undefined, () => undefined);
}

function kill(id: number): void {
  const command = commands.get(id);
  if (command === undefined || command.killed) return;
  command.killed = true;
  const child = command.child;
  if (child === undefined) return;
  signalGroup(child, 'SIGTERM');
  setTimeout(() => commands.get(id) === command && signalGroup(child, 'SIGKILL'), KILL_GRACE_MS).unref();
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // ESRCH: the whole group has ended already.
  }
}

function shutDown(): void {
  for (const id of commands.keys()) kill(id);
  setTimeout(() => {
    for (const { child } of commands.values()) if (child) signalGroup(child, 'SIGKILL');
    leave();
  }, KILL_GRACE_MS);
  setInterval(() => commands.size === 0 && leave(), 20);
}

/** The server may have been killed: then nobody else removes the folder it made for the two of us. */
function leave(): void {
  rmSync(dirname(socketPath), { recursive: true, force: true });
  process.exit(0);
}
