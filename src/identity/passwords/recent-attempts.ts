import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

/** After so many within the window, no more until the window ends. */
export const MOST_ATTEMPTS = 10;
const WINDOW_MS = 10 * 60_000;
const MOST_COUNTED = 20_000;

/**
 * Counts attempts by the address they come from. The counts are those of one process, forgotten when it ends: with
 * several nodes, an address has the allowance of each.
 */
export class RecentAttempts {
  private readonly counts: LRUCache<string, { count: number }>;

  /** `now` in milliseconds, of any clock that never goes backwards. */
  constructor(now: () => number = () => performance.now()) {
    this.counts = new LRUCache({
      max: MOST_COUNTED,
      ttl: WINDOW_MS,
      ttlResolution: 0,
      perf: { now },
    });
  }

  isExhausted(address: string): boolean {
    return (this.counts.get(address)?.count ?? 0) >= MOST_ATTEMPTS;
  }

  /** The first attempt of an address opens its window; later ones do not prolong it. */
  count(address: string): void {
    if (!tellsApart(address)) return;
    const known = this.counts.get(address);
    if (known) known.count += 1;
    else this.counts.set(address, { count: 1 });
  }
}

/** All clients of a proxy on this machine have its address: counting it would shut everybody out for one guesser. */
const tellsApart = (address: string): boolean =>
  isIP(address) !== 0 && address !== '::1' && !/^(?:::ffff:)?127\./.test(address);
