import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { GitCancelledError, GitLimitError, GitProcessError } from '../git';
import type { BrokerLink, CommandListener } from './broker-link';
import type { BrokerReport } from './broker-protocol';

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: Error): void;
}

/** One ordered git command as the server process sees it: its sockets, its limits, its outcome. */
export class RunningCommand implements CommandListener {
  /** Resolves when the streams are there. */
  readonly started: Promise<void>;
  readonly finished: Promise<{ code: number; stderr: string }>;
  private readonly start = deferred<void>();
  private readonly finish = deferred<{ code: number; stderr: string }>();
  private stdinSocket: Socket | undefined;
  private stdoutSocket: Socket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private cause: Error | undefined;
  private isOver = false;

  constructor(
    private readonly link: BrokerLink,
    private readonly id: number,
    private readonly hasInput: boolean,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.started = this.start.promise;
    this.finished = this.finish.promise;
    // Either may go unobserved: a stream's consumer learns of a failure through stdout.
    this.started.catch(() => undefined);
    this.finished.catch(() => undefined);
    signal?.addEventListener('abort', this.cancel, { once: true });
  }

  get stdin(): Writable {
    return present(this.stdinSocket);
  }

  get stdout(): Readable {
    return present(this.stdoutSocket);
  }

  kill(): void {
    if (!this.isOver) this.link.kill(this.id);
  }

  /** Stops the command because of `error`, which `finished` and stdout then report. */
  fail(error: Error): void {
    if (this.isOver) return;
    this.cause ??= error;
    this.stdoutSocket?.destroy(this.cause);
    this.kill();
  }

  limitTotalTime(milliseconds: number): void {
    if (this.isOver || milliseconds === 0) return;
    this.timer = setTimeout(() => this.fail(timeLimit(milliseconds)), milliseconds);
  }

  limitIdleTime(milliseconds: number): void {
    if (this.isOver || milliseconds === 0) return;
    let moved = this.movedBytes();
    let idleChecks = 0;
    this.timer = setInterval(() => {
      const now = this.movedBytes();
      idleChecks = now === moved ? idleChecks + 1 : 0;
      moved = now;
      if (idleChecks >= 4) this.fail(timeLimit(milliseconds));
    }, milliseconds / 4);
  }

  onStdin(socket: Socket): void {
    this.stdinSocket = socket;
    // Nothing comes this way; reading notices that git has closed its end.
    socket.resume();
    this.attached();
  }

  onStdout(socket: Socket): void {
    this.stdoutSocket = socket;
    socket.once('close', () => {
      if (!socket.readableEnded) this.kill();
    });
    if (this.cause) socket.destroy(this.cause);
    this.attached();
  }

  onReport({ code, stderr, failure }: BrokerReport): void {
    if (failure !== undefined)
      return this.onLost(new GitProcessError(`git did not start: ${failure}`, null, ''));
    this.end();
    this.stdinSocket?.destroy();
    this.forgetWhenComplete();
    if (this.cause) this.finish.reject(this.cause);
    else this.finish.resolve({ code, stderr });
  }

  onLost(error: GitProcessError): void {
    const cause = this.cause ?? error;
    this.end();
    this.link.forget(this.id);
    this.stdinSocket?.destroy();
    this.stdoutSocket?.destroy(cause);
    this.start.reject(cause);
    this.finish.reject(cause);
  }

  private readonly cancel = (): void => this.fail(new GitCancelledError('cancelled'));

  private attached(): void {
    if (!this.isAttached()) return;
    if (this.isOver) this.stdinSocket?.destroy();
    this.forgetWhenComplete();
    this.start.resolve();
  }

  private isAttached(): boolean {
    return this.stdoutSocket !== undefined && (!this.hasInput || this.stdinSocket !== undefined);
  }

  private forgetWhenComplete(): void {
    if (this.isOver && this.isAttached()) this.link.forget(this.id);
  }

  private end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.cancel);
  }

  private movedBytes(): number {
    return (this.stdoutSocket?.bytesRead ?? 0) + (this.stdinSocket?.bytesWritten ?? 0);
  }
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

function present(socket: Socket | undefined): Socket {
  if (socket === undefined) throw new GitProcessError('the command has no such stream', null, '');
  return socket;
}

function timeLimit(milliseconds: number): GitLimitError {
  return new GitLimitError(`git took longer than ${milliseconds} ms`);
}
