/** Lets one at a time in per key, in order of arrival, within this process. Holds nothing for keys nobody wants. */
export class LocalQueue {
  private readonly waiting = new Map<string, (() => void)[]>();

  /** Resolves with the way out, or with `undefined` after `timeoutMs` in line. */
  enter(key: string, timeoutMs: number): Promise<(() => void) | undefined> {
    const line = this.waiting.get(key);
    if (!line) {
      this.waiting.set(key, []);
      return Promise.resolve(() => this.next(key));
    }
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => {
        line.splice(line.indexOf(proceed), 1);
        resolve(undefined);
      }, timeoutMs);
      const proceed = (): void => {
        clearTimeout(giveUp);
        resolve(() => this.next(key));
      };
      line.push(proceed);
    });
  }

  private next(key: string): void {
    const proceed = this.waiting.get(key)?.shift();
    if (proceed) proceed();
    else this.waiting.delete(key);
  }
}
