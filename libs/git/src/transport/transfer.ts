import { finished as whenFinished, type Readable } from 'node:stream';
import { GitCancelledError, GitLimitError } from '../git';
import type { Running } from '../processes/spawn-broker';

/** Why a transfer is broken off. */
export type Interruption = GitCancelledError | GitLimitError;

/**
 * One request's traffic with a git process: the body goes in, the answer comes out, and whatever ends the request
 * early (client gone, signal, silence or time over) is reported once through `interrupted`.
 */
export class Transfer {
  private readonly whole: NodeJS.Timeout;
  private readonly idle: NodeJS.Timeout;
  private isOver = false;

  constructor(
    private readonly running: Running,
    private readonly output: Readable,
    private readonly interrupted: (reason: Interruption) => void,
    private readonly limits: { wholeMs: number; idleMs: number; signal: AbortSignal | undefined },
  ) {
    this.whole = this.limit(limits.wholeMs, 'the transfer took too long');
    this.idle = this.limit(limits.idleMs, 'no data for too long');
    running.stdout.on('data', this.onData);
    output.once('close', this.onOutputClosed);
    limits.signal?.addEventListener('abort', this.onAborted, { once: true });
  }

  /** Feeds the body to git. A body that breaks off must not look complete: git's input then stays open. */
  feed(body: Readable): void {
    const { stdin } = this.running;
    // git may stop reading early, for instance at a pack that is too large: its answer says why.
    stdin.once('close', () => {
      body.unpipe(stdin);
      body.resume();
    });
    whenFinished(body, { writable: false }, (error) => {
      if (error) this.interrupt(new GitCancelledError('the request broke off'));
    });
    if (this.limits.signal?.aborted === true) this.onAborted();
    body.on('data', this.onData);
    body.pipe(stdin);
  }

  /** Ends the watch; from here on nothing is reported. */
  end(): void {
    this.isOver = true;
    clearTimeout(this.whole);
    clearTimeout(this.idle);
    this.output.off('close', this.onOutputClosed);
    this.limits.signal?.removeEventListener('abort', this.onAborted);
  }

  private limit(milliseconds: number, limit: string): NodeJS.Timeout {
    return setTimeout(() => this.interrupt(new GitLimitError(limit)), milliseconds);
  }

  private readonly onData = (): void => {
    if (!this.isOver) this.idle.refresh();
  };

  private readonly onOutputClosed = (): void => this.interrupt(new GitCancelledError('the client went away'));

  private readonly onAborted = (): void => this.interrupt(new GitCancelledError('the request was cancelled'));

  private interrupt(reason: Interruption): void {
    if (this.isOver) return;
    this.end();
    this.interrupted(reason);
  }
}

/** What was thrown, as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
