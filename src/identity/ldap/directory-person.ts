import { AndFilter, EqualityFilter, type Filter, FilterParser, OrFilter, PresenceFilter } from 'ldapts';
import type { LdapProvider } from '../../settings/settings';
import { normalizedDn } from './distinguished-name';
import type { DirectoryConnection } from './directory-connection';
import { firstOf, valuesOf, type DirectoryEntry } from './directory-entry';

/** Somebody as their directory describes them. */
export interface DirectoryPerson {
  readonly provider: string;
  /** As the directory spells it: what to bind with. */
  readonly dn: string;
  /** The name under which the account is kept: the normalised DN. */
  readonly externUid: string;
  /** What they sign in by. */
  readonly uids: readonly string[];
  /** Null where the directory tells none. */
  readonly username: string | null;
  readonly email: string | null;
  readonly name: string | null;
  /** Disabled in Active Directory. */
  readonly isDisabled: boolean;
}

const ACCOUNT_CONTROL = 'userAccountControl';
const ACCOUNT_DISABLED = 2;

export const personAttributes = (provider: LdapProvider): string[] => [
  ...new Set([
    provider.uid,
    ...provider.attributes.username,
    ...provider.attributes.email,
    ...provider.attributes.name,
    ...(provider.activeDirectory ? [ACCOUNT_CONTROL] : []),
  ]),
];

/** People whom the provider's filter lets in, and of them those that `narrower` means. */
export function peopleFilter({ userFilter, uid }: LdapProvider, narrower: readonly Filter[] = []): Filter {
  const everybody =
    userFilter === null ? new PresenceFilter({ attribute: uid }) : FilterParser.parseString(userFilter);
  return narrower.length === 0 ? everybody : new AndFilter({ filters: [everybody, ...narrower] });
}

/** Null for an entry whose name cannot be read. */
export function personOf(provider: LdapProvider, entry: DirectoryEntry): DirectoryPerson | null {
  const externUid = normalizedDn(entry.dn);
  if (externUid === null) return null;
  const control = Number(firstOf(entry, [ACCOUNT_CONTROL]) ?? 0);
  return {
    provider: provider.name,
    dn: entry.dn,
    externUid,
    uids: valuesOf(entry, [provider.uid]),
    username: firstOf(entry, [...provider.attributes.username, provider.uid]),
    email: firstOf(entry, provider.attributes.email),
    name: firstOf(entry, provider.attributes.name),
    isDisabled: provider.activeDirectory && (control & ACCOUNT_DISABLED) !== 0,
  };
}

/** The one person who signs in by this name; null for nobody, and where several do. The value is data, never filter text. */
export async function personByLogin(
  provider: LdapProvider,
  directory: DirectoryConnection,
  login: string,
): Promise<DirectoryPerson | null> {
  const filter = peopleFilter(provider, [new EqualityFilter({ attribute: provider.uid, value: login })]);
  const attributes = personAttributes(provider);
  const found = await directory.search(provider.base, { scope: 'sub', filter, attributes, most: 2 });
  const [entry] = found;
  return entry && found.length === 1 ? personOf(provider, entry) : null;
}

/** Who has this distinguished name; null for nobody, and for whom the provider's filter keeps out. */
export async function personByDn(
  provider: LdapProvider,
  directory: DirectoryConnection,
  dn: string,
): Promise<DirectoryPerson | null> {
  const attributes = personAttributes(provider);
  const asked = { scope: 'base', filter: peopleFilter(provider), attributes, most: 1 } as const;
  const [entry] = await directory.search(dn, asked);
  const person = entry && personOf(provider, entry);
  return person && isBelow(person.externUid, provider.base) ? person : null;
}

const MOST_AT_ONCE = 100;

/** The normalised names of people by what they sign in by; those who are not found are left out. */
export async function dnsOfUids(
  provider: LdapProvider,
  directory: DirectoryConnection,
  uids: readonly string[],
): Promise<string[]> {
  const dns: string[] = [];
  for (let start = 0; start < uids.length; start += MOST_AT_ONCE) {
    const some = uids.slice(start, start + MOST_AT_ONCE);
    const filters = some.map((value) => new EqualityFilter({ attribute: provider.uid, value }));
    const filter = peopleFilter(provider, [new OrFilter({ filters })]);
    const most = MOST_AT_ONCE * 2;
    const found = await directory.search(provider.base, { scope: 'sub', filter, attributes: ['1.1'], most });
    dns.push(...found.map(({ dn }) => normalizedDn(dn)).filter((dn) => dn !== null));
  }
  return dns;
}

/** A name of somewhere else would be outside of what the operator configured. */
function isBelow(externUid: string, base: string): boolean {
  const top = normalizedDn(base);
  return top !== null && (externUid === top || externUid.endsWith(`,${top}`));
}
