import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import { GitCancelledError } from '../git';

interface Flight<V> {
  readonly promise: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * A bounded cache of values that never change once known, whose identical requests share one run.
 * A run is cancelled when everybody who waits for it has been; errors are not kept.
 */
export class Memo<V extends NonNullable<unknown>> {
  private readonly values: LRUCache<string, V>;
  private readonly flights = new Map<string, Flight<V>>();

  /** `sizeOf` in bytes, roughly; values above a quarter of `mostBytes` are not kept. */
  constructor(mostBytes: number, sizeOf: (value: V) => number) {
    this.values = new LRUCache({
      maxSize: mostBytes,
      maxEntrySize: Math.max(1, Math.floor(mostBytes / 4)),
      sizeCalculation: (value, key) => sizeOf(value) + key.length + 100,
    });
  }

  peek(key: string): V | undefined {
    return this.values.get(key);
  }

  keep(key: string, value: V): void {
    this.values.set(key, value);
  }

  /**
   * The value of `key`, made by `make` when it is not known. Values for which `isLasting` is false (something that may
   * still appear) are given to those who wait and not kept. Throws GitCancelledError when `signal` aborts.
   */
  async get(
    key: string,
    signal: AbortSignal | undefined,
    make: (signal: AbortSignal) => Promise<V>,
    isLasting: (value: V) => boolean = () => true,
  ): Promise<V> {
    const known = this.values.get(key);
    if (known !== undefined) return known;
    if (signal?.aborted) throw new GitCancelledError('cancelled');
    const flight = this.flights.get(key) ?? this.depart(key, make, isLasting);
    flight.waiting += 1;
    try {
      return await orCancelled(flight.promise, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) this.abandon(key, flight);
    }
  }

  /** Forgets the keys that begin with `prefix`. */
  forget(prefix: string): void {
    for (const key of [...this.values.keys()]) if (key.startsWith(prefix)) this.values.delete(key);
  }

  private depart(
    key: string,
    make: (signal: AbortSignal) => Promise<V>,
    isLasting: (value: V) => boolean,
  ): Flight<V> {
    const controller = new AbortController();
    // One run may do many things at once, each of which listens.
    setMaxListeners(0, controller.signal);
    const flight: Flight<V> = { promise: make(controller.signal), controller, waiting: 0 };
    this.flights.set(key, flight);
    flight.promise.then(
      (value) => {
        if (isLasting(value)) this.values.set(key, value);
        this.land(key, flight);
      },
      () => this.land(key, flight),
    );
    return flight;
  }

  /** Nobody waits any more: a run still under way is stopped, and no newcomer may join it. */
  private abandon(key: string, flight: Flight<V>): void {
    if (this.flights.get(key) !== flight) return;
    this.flights.delete(key);
    flight.controller.abort();
  }

  private land(key: string, flight: Flight<V>): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
  }
}

/** The promise's outcome, or GitCancelledError as soon as `signal` aborts. */
export function orCancelled<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(new GitCancelledError('cancelled'));
    signal.addEventListener('abort', cancel, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
    if (signal.aborted) cancel();
  });
}
