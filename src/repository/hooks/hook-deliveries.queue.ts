import { defineQueue } from '#libs/jobs';

export interface HookCallJob {
  readonly deliveryId: number;
  /** 1 for the first. A further one is queued as a job of its own. */
  readonly attempt: number;
}

/**
 * Calls hooks. They wait for others most of the time, so many run at once; the queue's own repetitions are for nodes
 * that died over a call.
 */
export const hookCalls = defineQueue<HookCallJob>('hooks.call', {
  expireInSeconds: 30,
  retryLimit: 5,
  concurrency: 16,
});

/**
 * Calls hooks whose receivers gave no answer the last time, and so may keep a call waiting for all of its ten seconds:
 * they wait for one another, and not everybody for them.
 */
export const slowHookCalls = defineQueue<HookCallJob>('hooks.call_slow', {
  expireInSeconds: 30,
  retryLimit: 5,
  concurrency: 4,
});
