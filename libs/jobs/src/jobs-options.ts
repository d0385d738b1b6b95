/** How this process takes part in background work. */
export interface JobsOptions {
  /** Address of the database that holds the queue. */
  readonly url: string;
  /** Most connections, for fetching and finishing jobs; 4 when not given. */
  readonly poolSize?: number;
  /** False: jobs are queued here and done elsewhere. True when not given. */
  readonly work?: boolean;
  /** How often to look for jobs that other processes queued; 2000 when not given. */
  readonly pollMs?: number;
  /** How often to look for jobs of dead nodes; 15 when not given. */
  readonly recoverySeconds?: number;
  /** How long jobs that run may take to end when the process stops; 20000 when not given. */
  readonly stopLimitMs?: number;
}

/** Injection token of the options with all defaults. */
export const JOBS_OPTIONS = Symbol('jobs options');

export const withDefaults = (options: JobsOptions): Required<JobsOptions> => ({
  poolSize: 4,
  work: true,
  pollMs: 2_000,
  recoverySeconds: 15,
  stopLimitMs: 20_000,
  ...options,
});
