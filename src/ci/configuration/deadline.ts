import { AsyncLocalStorage } from 'node:async_hooks';
import { ConfigurationError } from './configuration-error';

/** Others wait for the thread; any configuration that people write takes a few milliseconds. */
const MOST_MILLISECONDS = 1_000;

const current = new AsyncLocalStorage<number>();

/** Runs what looks at a configuration without waiting for anything; requireTime stops it where it takes too long. */
export function withinTime<T>(work: () => T): T {
  return current.run(performance.now() + MOST_MILLISECONDS, work);
}

/** Before each piece of work of which there may be many. Throws ConfigurationError. */
export function requireTime(): void {
  if (performance.now() > (current.getStore() ?? Infinity))
    throw new ConfigurationError('The configuration takes too long to be looked at');
}
