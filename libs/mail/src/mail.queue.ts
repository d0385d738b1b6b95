import { defineQueue } from '#libs/jobs';

/** Delivers one mail. With its doubled pauses it is tried for more than two hours. */
export const deliveries = defineQueue<{ readonly mailId: string }>('mail.deliver', {
  expireInSeconds: 120,
  retryLimit: 10,
  retryDelaySeconds: 10,
  concurrency: 2,
});
