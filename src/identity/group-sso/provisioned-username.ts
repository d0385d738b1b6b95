import { randomInt } from 'node:crypto';
import { cleanedUsername } from '../ldap/directory-username';
import { PathRules } from '../paths/path-rules';

/** Numbers that are tried in order, before such as are hardly ever taken. */
const NEAT_NUMBERS = 9;
const WILD_NUMBERS = 5;
const LARGEST = 1_000_000_000;

/** What an identity provider calls somebody, as a username may look: an address without its end, say. */
export const usernameOf = (userName: string): string => cleanedUsername(userName);

/**
 * `grace`, `grace1`, ... `grace9`, then a few with large numbers: no more tries however many are called so. Where many
 * are just being called so (`isContended`), the large ones at once.
 */
export function* usernameCandidates(userName: string, isContended: boolean): Generator<string> {
  const first = usernameOf(userName);
  const numbered = function* (): Generator<string> {
    if (!isContended) yield first;
    for (let number = 1; number <= NEAT_NUMBERS && !isContended; number++) yield `${first}${number}`;
    for (let attempt = 0; attempt < WILD_NUMBERS; attempt++) yield `${first}${randomInt(LARGEST)}`;
  };
  for (const candidate of numbered()) if (PathRules.reservation(candidate, true) === null) yield candidate;
}
