/** What is left after so many batches waits for the next run. */
const MOST_BATCHES = 1_000;

/**
 * Lets `remove` take away up to `batch` rows at a time, so that no statement is long, until it finds fewer or the job
 * is told to stop. `remove` answers how many it took.
 */
export async function clearInBatches(
  batch: number,
  signal: AbortSignal,
  remove: (limit: number) => Promise<number>,
): Promise<void> {
  for (let count = 0; count < MOST_BATCHES && !signal.aborted; count += 1) {
    if ((await remove(batch)) < batch) return;
  }
}
