/** The turn of one that stood in line. */
export interface Turn<Held> {
  /** What the one before passed on. */
  readonly inherited: Held | undefined;
  /** Whether somebody waits behind. */
  readonly isAwaited: boolean;
  /** Lets the next one in. What is passed on must be taken by somebody: only where `isAwaited`. */
  leave(passedOn?: Held): void;
}

/**
 * Lets one at a time in per key, in order of arrival, within this process; who leaves may pass something on to the next.
 * Holds nothing for keys nobody wants.
 */
export class LocalQueue<Held> {
  private readonly waiting = new Map<string, ((inherited: Held | undefined) => void)[]>();

  /** Resolves with the turn, or with `undefined` after `timeoutMs` in line. */
  enter(key: string, timeoutMs: number): Promise<Turn<Held> | undefined> {
    const line = this.waiting.get(key);
    if (!line) {
      this.waiting.set(key, []);
      return Promise.resolve(this.turn(key, undefined));
    }
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => {
        line.splice(line.indexOf(proceed), 1);
        resolve(undefined);
      }, timeoutMs);
      const proceed = (inherited: Held | undefined): void => {
        clearTimeout(giveUp);
        resolve(this.turn(key, inherited));
      };
      line.push(proceed);
    });
  }

  private turn(key: string, inherited: Held | undefined): Turn<Held> {
    const { waiting } = this;
    return {
      inherited,
      get isAwaited() {
        return (waiting.get(key)?.length ?? 0) > 0;
      },
      leave(passedOn) {
        const proceed = waiting.get(key)?.shift();
        if (proceed) proceed(passedOn);
        else waiting.delete(key);
      },
    };
  }
}
