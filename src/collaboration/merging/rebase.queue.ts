import { defineQueue } from '#libs/jobs';

export interface RebaseJob {
  readonly mergeRequestId: number;
  readonly userId: number;
}

export const rebases = defineQueue<RebaseJob>('collaboration.rebases', {
  expireInSeconds: 600,
  retryLimit: 2,
});
