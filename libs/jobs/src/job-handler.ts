import type { Queue } from './queue';

/** What a handler knows of the job beside its data. */
export interface JobRun {
  readonly id: string;
  /** 1 at the first attempt. */
  readonly attempt: number;
  /** True when a failure of this attempt is final. */
  readonly isLastAttempt: boolean;
  /** Aborted when the job's time is up or the process stops: it will then run again elsewhere. */
  readonly signal: AbortSignal;
}

/**
 * Does the jobs of one queue. Make it a provider of a module, and it is found at start.
 *
 * A job runs at least once, not exactly once: it runs again when the process died before its end was recorded.
 * So `run` must be idempotent: look whether the work is already done, or do it in one transaction with a mark.
 * What it throws is logged, and the job is tried again as its queue says.
 */
export abstract class JobHandler<Data extends object = object> {
  abstract readonly queue: Queue<Data>;
  abstract run(data: Data, job: JobRun): Promise<void>;
}
