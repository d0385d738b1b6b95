import { isSha } from '../names';

/**
 * Refuses what is not a full lower-case sha before it becomes an argument of git. The application resolves names
 * first, so reaching this is a defect of the caller: throws TypeError.
 */
export function assertSha(sha: string): void {
  if (!isSha(sha) || sha !== sha.toLowerCase()) throw new TypeError('not a full sha');
}
