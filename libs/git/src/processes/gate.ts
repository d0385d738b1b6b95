import { GitCancelledError, GitLimitError } from '../git';

/** Lets a bounded number of things happen at once; a bounded number more wait their turn, first come first served. */
export class Gate {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly width: number,
    private readonly mostWaiting: number,
  ) {}

  /**
   * Resolves to the function that gives the place back (calling it again does nothing).
   * Throws GitLimitError when the queue is full, GitCancelledError when `signal` aborts first.
   */
  async enter(signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw new GitCancelledError('cancelled before it started');
    if (this.running < this.width) this.running += 1;
    else await this.wait(signal);
    let left = false;
    return () => {
      if (!left) this.leave();
      left = true;
    };
  }

  private wait(signal?: AbortSignal): Promise<void> {
    if (this.waiting.length >= this.mostWaiting) throw new GitLimitError('too many git commands are waiting');
    return new Promise((resolve, reject) => {
      const proceed = (): void => {
        signal?.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = (): void => {
        const position = this.waiting.indexOf(proceed);
        if (position >= 0) this.waiting.splice(position, 1);
        reject(new GitCancelledError('cancelled while waiting for its turn'));
      };
      this.waiting.push(proceed);
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
