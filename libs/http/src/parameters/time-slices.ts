import { setImmediate } from 'node:timers/promises';

/** How long one body's parsing may hold the event loop at a stretch. */
const SLICE_MILLISECONDS = 8;

/** How much is parsed between two looks at the clock, in characters. */
const CHARACTERS_PER_LOOK = 32 * 1024;

/** Cuts long work into slices, so that other requests get their turn in between. */
export class TimeSlices {
  private end = performance.now() + SLICE_MILLISECONDS;
  private unseen = 0;

  /** Counts work done; true when it is time to `rest`. Not a promise, since there may be millions of calls. */
  isOver(characters: number): boolean {
    this.unseen += characters;
    if (this.unseen < CHARACTERS_PER_LOOK) return false;
    this.unseen = 0;
    return performance.now() >= this.end;
  }

  /** Lets the event loop turn, then begins the next slice. */
  async rest(): Promise<void> {
    await setImmediate();
    this.end = performance.now() + SLICE_MILLISECONDS;
  }
}
