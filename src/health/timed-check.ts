import { setTimeout as after } from 'node:timers/promises';

/**
 * A check that never takes longer than its limit. One that hangs (a dead network file system) is not started again
 * before it has come back: each would cost a thread.
 */
export class TimedCheck {
  private running: Promise<void> | null = null;

  constructor(
    readonly name: string,
    private readonly limitMs: number,
    private readonly check: () => Promise<unknown>,
  ) {}

  /** True when the check passed in time. */
  async passes(): Promise<boolean> {
    this.running ??= this.check()
      .then(() => undefined)
      .finally(() => {
        this.running = null;
      });
    const stop = new AbortController();
    const late = after(this.limitMs, false, { signal: stop.signal }).catch(() => false);
    const passed = this.running.then(
      () => true,
      () => false,
    );
    return Promise.race([passed, late]).finally(() => stop.abort());
  }
}
