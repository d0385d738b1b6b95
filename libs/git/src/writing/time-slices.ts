import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/** Well under the 20 ms that one request may hold the event loop for. */
const SLICE_MS = 8;

/** Cuts long computation into slices, so that other requests are served in between. */
export class TimeSlices {
  #started = performance.now();

  /** Whether the current slice is used up; asked in tight loops, where awaiting every time would cost more. */
  isOver(): boolean {
    return performance.now() - this.#started > SLICE_MS;
  }

  /** Lets the event loop turn once, then starts a new slice. */
  async rest(): Promise<void> {
    await setImmediate();
    this.#started = performance.now();
  }
}
