const MINUTE_MS = 60_000;
const LEAST_MS = 30 * MINUTE_MS;
const SPREAD_MS = 30 * MINUTE_MS;
const MOST_MS = 5 * 60 * MINUTE_MS;

/** After so many failures in a row a mirror is left alone until somebody asks for it. */
export const MOST_RETRIES = 14;

/** Whoever asks for an update earlier than this after the last one gets it then. */
export const PAUSE_MS = 5 * MINUTE_MS;

export const isGivenUp = (failures: number): boolean => failures > MOST_RETRIES;

/**
 * When a mirror is updated next: after half an hour to an hour, so that mirrors made at once do not stay together, and
 * after failures in a row ever later, up to some five hours; null once it is given up. `chance` is from 0 to below 1.
 */
export function nextUpdate(failures: number, now = Date.now(), chance = Math.random()): Date | null {
  if (isGivenUp(failures)) return null;
  const pause = Math.min(LEAST_MS * Math.max(1, failures), MOST_MS);
  return new Date(now + pause + Math.floor(SPREAD_MS * chance));
}
