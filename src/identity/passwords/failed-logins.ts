import { LRUCache } from 'lru-cache';

/** After so many failures within the window, nothing is compared any more until the window ends. */
export const MOST_FAILURES = 10;
const WINDOW_MS = 10 * 60_000;
const MOST_COUNTED = 20_000;

/**
 * Counts failed attempts of whatever a key stands for: an account, a login, an address. The counts are those of one
 * process, forgotten when it ends: with several nodes, a guesser has the allowance of each.
 */
export class FailedLogins {
  private readonly failures: LRUCache<string, { count: number }>;

  /** `now` in milliseconds, of any clock that never goes backwards. */
  constructor(now: () => number = () => performance.now()) {
    this.failures = new LRUCache({
      max: MOST_COUNTED,
      ttl: WINDOW_MS,
      ttlResolution: 0,
      perf: { now },
    });
  }

  isExhausted(keys: readonly string[]): boolean {
    return keys.some((key) => (this.failures.get(key)?.count ?? 0) >= MOST_FAILURES);
  }

  /** The first failure of a key opens its window; later ones do not prolong it. */
  count(keys: readonly string[]): void {
    for (const key of keys) {
      const known = this.failures.get(key);
      if (known) known.count += 1;
      else this.failures.set(key, { count: 1 });
    }
  }

  forget(key: string): void {
    this.failures.delete(key);
  }
}
