import { DomainError } from '#libs/errors';
import { emptyBag, isBag, type ParameterBag, type ParameterValue } from '#libs/http';

/** As the schema writes them; RFC 7643, 2.1: names mean the same in any letter case. */
const NAMES = [
  ...['schemas', 'id', 'externalId', 'userName', 'displayName', 'name.formatted', 'active', 'meta'],
  ...['name', 'formatted', 'givenName', 'familyName', 'emails', 'value', 'type', 'primary', 'display'],
  ...['Operations', 'op', 'path'],
];
const CANONICAL = new Map(NAMES.map((name) => [name.toLowerCase(), name]));

/** Attributes whose insides have names too. What PATCH gives as `value` has paths in their place, which are read later. */
const NESTED = new Set(['name', 'emails', 'Operations']);

/**
 * The body with its attribute names in the letter case of the schema. Throws `scim` where one is given twice in different
 * letter cases: what is checked and what is stored could be two different things.
 */
export function canonicalNames(body: ParameterBag): ParameterBag {
  const result = emptyBag();
  for (const [name, value] of Object.entries(body)) {
    const canonical = CANONICAL.get(name.toLowerCase()) ?? name;
    if (canonical in result)
      throw new DomainError({
        kind: 'scim',
        scimType: 'invalidSyntax',
        detail: `${canonical} is given twice`,
      });
    result[canonical] = NESTED.has(canonical) ? insides(value) : value;
  }
  return result;
}

function insides(value: ParameterValue): ParameterValue {
  if (Array.isArray(value))
    return value.map((element) => (isBag(element) ? canonicalNames(element) : element));
  return isBag(value) ? canonicalNames(value) : value;
}
