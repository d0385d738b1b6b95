import { defineQueue } from '#libs/jobs';

/** Places of JobFiles that nobody refers to any more. */
export interface PlacesToRemove {
  readonly places: readonly string[];
}

export const jobFileRemovals = defineQueue<PlacesToRemove>('ci.remove_job_files', {
  expireInSeconds: 900,
  retryLimit: 20,
});
