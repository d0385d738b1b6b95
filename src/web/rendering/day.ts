/** Moments are shown by their day in UTC: which is exact enough, and the same for every reader. */
export const day = (moment: Date): string => moment.toISOString().slice(0, 10);
