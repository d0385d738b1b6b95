import { DomainError } from '#libs/errors';
import { flatten, type Filter } from 'scim2-parse-filter';
import { attributeName, parseExpression } from './attribute-path';
import type { ScimUser } from './scim-user';

/** Attributes by which a user is found; each has an index. */
export type Key = 'id' | 'userName' | 'email';

export interface UserFilter {
  readonly key: Key;
  readonly value: string;
  /** Whether whom the key has found is the one that was meant, in all that the filter says. */
  readonly matches: (user: ScimUser) => boolean;
}

interface Condition {
  readonly attribute: string;
  readonly value: string;
}

const KEYS: Readonly<Record<string, Key>> = {
  id: 'id',
  externalid: 'id',
  username: 'userName',
  emails: 'email',
  'emails.value': 'email',
};

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Everything a condition may be about. */
const TESTS: Readonly<Record<string, (user: ScimUser, value: string) => boolean>> = {
  id: (user, value) => same(user.externUid, value),
  externalid: (user, value) => same(user.externUid, value),
  username: (user, value) => same(user.username, value) || same(user.sentUserName ?? '', value),
  emails: (user, value) => same(user.email, value),
  'emails.value': (user, value) => same(user.email, value),
  'emails.type': (_user, value) => same(value, 'work'),
  'emails.primary': (_user, value) => same(value, 'true'),
  active: (user, value) => same(value, String(user.active)),
};

/**
 * Reads a filter of `eq` comparisons, several of them joined by `and`. Throws `scim` for every other operator or
 * attribute, and where nothing in it says who is meant.
 */
export function readFilter(text: string): UserFilter {
  const conditions = conditionsOf(parsed(text));
  const unknown = conditions.find(({ attribute }) => !Object.hasOwn(TESTS, attribute));
  if (unknown) throw invalidFilter(`The attribute ${unknown.attribute} cannot be filtered by`);
  const wanted = conditions.find(({ attribute }) => Object.hasOwn(KEYS, attribute));
  const key = wanted && KEYS[wanted.attribute];
  if (!key) throw invalidFilter('The filter must compare id, externalId, userName or emails');
  return {
    key,
    value: wanted.value,
    matches: (user) => conditions.every(({ attribute, value }) => TESTS[attribute]?.(user, value) ?? false),
  };
}

export const invalidFilter = (detail: string): DomainError =>
  new DomainError({ kind: 'scim', scimType: 'invalidFilter', detail });

function parsed(text: string): Filter {
  let filter: Filter;
  try {
    filter = parseExpression(text);
  } catch {
    throw invalidFilter('The filter cannot be read');
  }
  refuseOtherOperators(filter);
  return flatten(filter);
}

/** Before the filter is flattened: that never ends for a negation. */
function refuseOtherOperators(filter: Filter): void {
  if (filter.op === 'and') filter.filters.forEach(refuseOtherOperators);
  else if (filter.op === '[]') refuseOtherOperators(filter.valFilter);
  else if (filter.op !== 'eq') throw invalidFilter(`The operator ${filter.op} is not supported, only eq`);
}

function conditionsOf(filter: Filter): Condition[] {
  if (filter.op === 'and') return filter.filters.flatMap(conditionsOf);
  if (filter.op !== 'eq') throw invalidFilter(`The operator ${filter.op} is not supported, only eq`);
  return [{ attribute: attributeName(filter.attrPath), value: String(filter.compValue) }];
}
