const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long things are good for, in seconds; see docs/adr/0011-oauth-provider.md. */
export const LIFETIMES = {
  code: 10 * MINUTE,
  accessToken: 2 * HOUR,
  /** Of each refresh token: a client that comes back sooner never has to ask the person again. */
  refreshToken: 90 * DAY,
} as const;
