import { createHash, timingSafeEqual } from 'node:crypto';
import type { User } from '../users/user.entity';

/** A sign-in to the web pages that has just begun. */
export interface StartedSession {
  /** Value of the session cookie. */
  readonly cookie: string;
  /** What writing requests must send besides the cookie: pages in a field, scripts as X-CSRF-Token. */
  readonly csrfToken: string;
  /** It never lasts longer; without use it ends earlier, see Sessions. */
  readonly lastsUntil: Date;
}

/** A sign-in that is going on. */
export interface Session {
  readonly id: number;
  readonly user: User;
  readonly csrfToken: string;
}

/**
 * Worked out from the cookie, so that every node can print it into a form while the database knows digests alone.
 * It does not lead back to the cookie.
 */
export const csrfTokenOf = (cookie: string): string =>
  createHash('sha256').update(`form token of ${cookie}`).digest('hex');

/** Whether two secrets are the same, in a time that does not tell how much of them is. */
export function sameSecret(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
