import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;

/** Waits until `look` gives something (not null, undefined or false), and answers it; throws after the limit. */
export async function until<T>(
  look: () => T | Promise<T>,
  limitMs = 15_000,
): Promise<Exclude<T, null | undefined | false>> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (isThere(found)) return found;
    if (Date.now() > deadline) throw new Error(`nothing came within ${limitMs} ms`);
    await sleep(POLL_MS);
  }
}

const isThere = <T>(value: T): value is Exclude<T, null | undefined | false> =>
  value !== null && value !== undefined && value !== false;
