/** How the jobs of one queue are run. */
export interface QueueOptions {
  /**
   * After this time (seconds) a job counts as lost and is run again, on whichever node: so long does it take
   * until the work of a node that died goes on. Split work that takes longer.
   */
  readonly expireInSeconds: number;
  /** Further attempts after a failure; 3 when not given. */
  readonly retryLimit?: number;
  /** Seconds before the first further attempt, doubled (with some chance) each time; 5 when not given. */
  readonly retryDelaySeconds?: number;
  /** Jobs of this queue that one process runs at the same time; 1 when not given. */
  readonly concurrency?: number;
  /** A job is not queued while one with the same key waits. Each job then needs a key. */
  readonly onePerKey?: boolean;
  /** Queues a job without data once in each such period of the clock (UTC), on one node of all. */
  readonly everyMinutes?: number;
}

/** A named queue whose jobs carry data of one type; data is stored as JSON. */
export interface Queue<Data extends object> {
  readonly name: string;
  readonly options: Required<Omit<QueueOptions, 'everyMinutes'>> & { readonly everyMinutes: number | null };
  /** Only for the type: never set. */
  readonly data?: Data;
}

/** `const deliveries = defineQueue<{ hookId: number }>('webhooks.deliver', { expireInSeconds: 60 })` */
export function defineQueue<Data extends object>(name: string, options: QueueOptions): Queue<Data> {
  const defaults = {
    retryLimit: 3,
    retryDelaySeconds: 5,
    concurrency: 1,
    onePerKey: false,
    everyMinutes: null,
  };
  return { name, options: { ...defaults, ...options } };
}
