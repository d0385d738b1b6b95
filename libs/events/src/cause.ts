import { AsyncLocalStorage } from 'node:async_hooks';

const causes = new AsyncLocalStorage<string>();

/**
 * Every event emitted while `work` runs, and by subscribers in reaction to it, carries the cause: a text that whoever
 * set it can read, such as where an automatic request came from. Jobs that are not deliveries of events lose it.
 */
export const causedBy = <T>(cause: string, work: () => T): T => causes.run(cause, work);

export const currentCause = (): string | null => causes.getStore() ?? null;
