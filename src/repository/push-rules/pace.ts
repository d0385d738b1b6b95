import { setImmediate } from 'node:timers/promises';
import { UncheckablePush } from './uncheckable-push';

/** The check of one push may take so long, for others wait for the repository meanwhile. */
const MOST_MS = 20_000;
/** Other requests get their turn after so long. */
const SLICE_MS = 10;

/** How far the check of one push has come in time. */
export class Pace {
  private readonly deadline = performance.now() + MOST_MS;
  private slice = performance.now();

  /** Between two steps. Throws UncheckablePush when the time is over. */
  async step(): Promise<void> {
    const now = performance.now();
    if (now > this.deadline)
      throw new UncheckablePush('The push could not be checked in time. Push its commits in several parts');
    if (now - this.slice < SLICE_MS) return;
    await setImmediate();
    this.slice = performance.now();
  }
}
