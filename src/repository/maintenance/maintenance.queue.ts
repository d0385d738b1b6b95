import { defineQueue } from '#libs/jobs';

const TWO_HOURS = 2 * 60 * 60;

/** Packs one repository; not queued while one for the same project waits. */
export const maintenance = defineQueue<{ readonly projectId: number }>('repository.maintain', {
  expireInSeconds: TWO_HOURS,
  onePerKey: true,
});

/** A repository is packed after so many writes: each may have left loose objects or a pack of its own. */
const WRITES_BETWEEN = 200;

export const isMaintenanceDue = (writes: number): boolean => writes > 0 && writes % WRITES_BETWEEN === 0;
