import { defineQueue } from '#libs/jobs';

/** Merge requests whose pipeline may have succeeded, and which somebody wants merged then. */
export const awaitedMerges = defineQueue<{ readonly mergeRequestId: number }>(
  'collaboration.awaited_merges',
  {
    expireInSeconds: 300,
    onePerKey: true,
  },
);
