import { defineQueue } from '#libs/jobs';

/** Starts what is due: when the delay of a job is over, and every minute what was overlooked. */
export const delayedJobs = defineQueue('ci.start_delayed_jobs', { expireInSeconds: 600, everyMinutes: 1 });
