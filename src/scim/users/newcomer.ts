import { DomainError, missing } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { workEmail } from './patch-plan';
import type { CreateScimUser } from './scim-users.params';
import type { SentNames } from './scim-users.repository';

/** Whom an identity provider brings. */
export interface SentUser {
  readonly externUid: string;
  readonly userName: string;
  readonly name: string;
  readonly email: string;
  readonly names: SentNames;
}

/** Throws `missing` without any name, `scim` for somebody who is not to be let in anyway. */
export function sentUser(params: ParamsOf<typeof CreateScimUser>): SentUser {
  const { externalId: externUid, userName, emails, name: parts = {}, active = true } = params;
  const { givenName, familyName } = parts;
  const joined = [givenName, familyName].filter((part) => part?.trim()).join(' ');
  const candidates = [parts.formatted, params['name.formatted'], joined, params.displayName];
  const name = candidates.find((text) => text?.trim());
  if (name === undefined) throw missing('name');
  const email = workEmail(emails)?.value ?? '';
  if (email === '') throw missing('emails');
  if (!active)
    throw new DomainError({
      kind: 'scim',
      scimType: 'invalidValue',
      detail: 'A user cannot be provisioned inactive',
    });
  return { externUid, userName, name, email, names: { userName, givenName, familyName } };
}
