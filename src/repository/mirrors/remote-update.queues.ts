import { defineQueue } from '#libs/jobs';

const HOUR = 60 * 60;
const FIVE_MINUTES = 5 * 60;

/** Brings a project up to date with the remote it comes from; not queued while one for the same project waits. */
export const remoteUpdates = defineQueue<{ readonly projectId: number }>('repository.update_from_remote', {
  expireInSeconds: HOUR,
  onePerKey: true,
  concurrency: 4,
});

/** Queues the updates that are due. */
export const remoteSchedule = defineQueue<object>('repository.schedule_remote_updates', {
  expireInSeconds: FIVE_MINUTES,
  everyMinutes: 1,
  onePerKey: true,
});
