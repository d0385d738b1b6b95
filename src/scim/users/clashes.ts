import { uniqueViolation } from '#libs/database';
import { conflict } from '#libs/errors';

const TAKEN = new Map([
  ['users_email', 'Email'],
  ['users_username', 'Username'],
  ['routes_path', 'Username'],
  ['identities_extern_uid', 'externalId'],
  ['scim_accounts_extern_uid', 'externalId'],
]);

export const externalIdTaken = () => conflict('externalId has already been taken');

/** Somebody else was faster between the look and the change: `conflict`. Any other error is answered as it is. */
export function clash(error: unknown): unknown {
  const what = TAKEN.get(uniqueViolation(error) ?? '');
  return what === undefined ? error : conflict(`${what} has already been taken`);
}
