import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitProcessError } from '../git';
import { brokerProgram } from './broker-program';
import { ANNOUNCEMENT_BYTES, STDIN_STREAM, type BrokerReport, type SpawnOrder } from './broker-protocol';

/** What the server hears about one ordered command. */
export interface CommandListener {
  onStdin(socket: Socket): void;
  onStdout(socket: Socket): void;
  onReport(report: BrokerReport): void;
  /** The broker itself is gone; nothing more will be heard. */
  onLost(error: GitProcessError): void;
}

/**
 * One life of the broker's child process: its private socket folder (0700), its IPC channel, and who listens for
 * which command.
 */
export class BrokerLink {
  private readonly listeners = new Map<number, CommandListener>();
  private lost = false;

  private constructor(
    private readonly folder: string,
    private readonly server: Server,
    private readonly child: ChildProcess,
  ) {
    server.on('connection', (socket) => this.welcome(socket));
    child.on('message', (report: BrokerReport) => this.deliver(report));
    child.once('exit', () => void this.dispose());
    child.once('error', () => void this.dispose());
  }

  static async start(): Promise<BrokerLink> {
    const folder = await mkdtemp(join(tmpdir(), 'git-broker-'));
    const socketPath = join(folder, 's');
    const [program, server] = await Promise.all([brokerProgram(folder), listen(socketPath)]);
    const child = spawn(process.execPath, ['--max-old-space-size=64', program, socketPath], {
      env: process.env['PATH'] === undefined ? {} : { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return new BrokerLink(folder, server, child);
  }

  get isLost(): boolean {
    return this.lost;
  }

  /** The broker's process id, for supervision and tests. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  order(order: SpawnOrder, listener: CommandListener): void {
    if (this.lost) return listener.onLost(brokerLost());
    this.listeners.set(order.id, listener);
    this.child.send(order, (error) => error && this.abandon(order.id));
  }

  kill(id: number): void {
    if (this.child.connected) this.child.send({ type: 'kill', id }, () => undefined);
  }

  /** Ends the broker and, through it, every git it started. */
  async close(): Promise<void> {
    const exited = new Promise<void>((resolve) => {
      if (this.lost || this.child.exitCode !== null || this.child.signalCode !== null) return resolve();
      this.child.once('exit', () => resolve());
    });
    if (this.child.connected) this.child.disconnect();
    await exited;
    await this.dispose();
  }

  private deliver(report: BrokerReport): void {
    const listener = this.listeners.get(report.id);
    // A fast command's report can overtake its sockets: the entry stays for those to find, until `forget`.
    listener?.onReport(report);
  }

  /** The command is over and has all its sockets. */
  forget(id: number): void {
    this.listeners.delete(id);
  }

  private abandon(id: number): void {
    const listener = this.listeners.get(id);
    this.listeners.delete(id);
    listener?.onLost(brokerLost());
  }

  private welcome(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const read = (): void => {
      const announcement: unknown = socket.read(ANNOUNCEMENT_BYTES);
      if (!Buffer.isBuffer(announcement)) return;
      socket.off('readable', read);
      this.handOver(socket, announcement);
    };
    socket.on('readable', read);
  }

  private handOver(socket: Socket, announcement: Buffer): void {
    const listener = this.listeners.get(announcement.readUInt32BE(0));
    if (listener === undefined || announcement.length !== ANNOUNCEMENT_BYTES) {
      socket.destroy();
      return;
    }
    if (announcement.readUInt8(4) === STDIN_STREAM) listener.onStdin(socket);
    else listener.onStdout(socket);
  }

  private async dispose(): Promise<void> {
    if (this.lost) return;
    this.lost = true;
    this.server.close();
    for (const id of [...this.listeners.keys()]) this.abandon(id);
    await rm(this.folder, { recursive: true, force: true });
  }
}

function brokerLost(): GitProcessError {
  return new GitProcessError('the spawn broker ended', null, '');
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: false });
    server.once('error', reject);
    server.listen({ path, backlog: 511 }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}
