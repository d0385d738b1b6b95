import { AndFilter, EqualityFilter, FilterParser, type Filter } from 'ldapts';
import type { LdapProvider } from '../../settings/settings';
import type { DirectoryConnection } from './directory-connection';
import { valuesOf, type DirectoryEntry } from './directory-entry';
import { dnsOfUids } from './directory-person';
import { normalizedDn } from './distinguished-name';

type GroupSettings = NonNullable<LdapProvider['groups']>;

/** Groups in groups in groups: more levels than this are taken for a mistake. */
const MOST_LEVELS = 20;
/** Pieces in which Active Directory tells the members of a large group. */
const MOST_RANGES = 1000;

/** Which names are groups', by provider: normalised name to the directory's spelling. Shared by all groups of one run. */
export type GroupListings = Map<string, ReadonlyMap<string, string>>;

/** Groups of one directory. */
export class DirectoryGroups {
  constructor(
    private readonly provider: LdapProvider,
    private readonly settings: GroupSettings,
    private readonly directory: DirectoryConnection,
    private readonly listings: GroupListings,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Normalised names of the people in the group, those in groups inside of it included; null where there is no such
   * group. Throws where two groups have the name, and where there are more people than the provider's `maxEntries`.
   */
  async membersOf(cn: string): Promise<ReadonlySet<string> | null> {
    const { base, nameAttribute } = this.settings;
    const filter = this.groupFilter(new EqualityFilter({ attribute: nameAttribute, value: cn }));
    const attributes = this.settings.memberAttributes;
    const found = await this.directory.search(base, { scope: 'sub', filter, attributes, most: 2 });
    const [group] = found;
    if (found.length > 1) throw new Error(`${this.provider.name} has several groups of one name`);
    return group ? this.people(group) : null;
  }

  /** Goes down level by level; a group that was met before is not entered again, so that circles end. */
  private async people(group: DirectoryEntry): Promise<ReadonlySet<string>> {
    const people = new Set<string>();
    const uids = new Set<string>();
    const met = new Set([normalizedDn(group.dn)]);
    let level = [group];
    for (let depth = 0; level.length > 0; depth++) {
      if (depth === MOST_LEVELS) throw new Error(`groups are nested more than ${MOST_LEVELS} levels deep`);
      const inner: DirectoryEntry[] = [];
      for (const entry of level) {
        for (const member of await this.members(entry)) {
          const dn = normalizedDn(member);
          if (dn === null) uids.add(member);
          else if (!met.has(dn)) {
            const nested = await this.group(dn);
            if (nested) met.add(dn);
            if (nested) inner.push(nested);
            else people.add(dn);
          }
        }
        this.refuseTooMany(people.size + uids.size);
      }
      level = inner;
    }
    for (const dn of await dnsOfUids(this.provider, this.directory, [...uids])) people.add(dn);
    return people;
  }

  /** What the member attributes hold: names of people and groups, or what people sign in by. */
  private async members(entry: DirectoryEntry): Promise<string[]> {
    const members: string[] = [];
    for (const attribute of this.settings.memberAttributes) {
      members.push(...valuesOf(entry, [attribute]), ...(await this.ranged(entry, attribute)));
    }
    return members;
  }

  /** Active Directory tells long lists as `member;range=0-1499`, to be asked for piece by piece. */
  private async ranged(entry: DirectoryEntry, attribute: string): Promise<string[]> {
    const members: string[] = [];
    let piece = rangeIn(entry, attribute);
    for (let count = 0; piece; count++) {
      if (count === MOST_RANGES) throw new Error('a group is told in too many pieces');
      members.push(...piece.values);
      this.refuseTooMany(members.length);
      piece = piece.next === null ? null : await this.rangeFrom(entry.dn, attribute, piece.next);
    }
    return members;
  }

  private async rangeFrom(dn: string, attribute: string, from: number): Promise<Range | null> {
    const attributes = [`${attribute};range=${from}-*`];
    const [entry] = await this.directory.search(dn, {
      scope: 'base',
      filter: this.groupFilter(),
      attributes,
      most: 1,
    });
    if (!entry) throw new Error('a group has gone while it was read');
    return rangeIn(entry, attribute);
  }

  /** The group of that name; null where the name is a person's. */
  private async group(dn: string): Promise<DirectoryEntry | null> {
    this.signal.throwIfAborted();
    const spelled = (await this.listing()).get(dn);
    if (spelled === undefined) return null;
    const attributes = this.settings.memberAttributes;
    const asked = { scope: 'base', filter: this.groupFilter(), attributes, most: 1 } as const;
    const [entry] = await this.directory.search(spelled, asked);
    return entry ?? null;
  }

  private async listing(): Promise<ReadonlyMap<string, string>> {
    const known = this.listings.get(this.provider.name) ?? (await this.listGroups());
    this.listings.set(this.provider.name, known);
    return known;
  }

  private async listGroups(): Promise<ReadonlyMap<string, string>> {
    const dns = new Map<string, string>();
    const asked = { filter: this.groupFilter(), attributes: ['1.1'] };
    for await (const page of this.directory.pages(this.settings.base, asked)) {
      this.signal.throwIfAborted();
      for (const { dn } of page) {
        const normalized = normalizedDn(dn);
        if (normalized !== null) dns.set(normalized, dn);
      }
    }
    return dns;
  }

  private groupFilter(narrower?: Filter): Filter {
    const groups = FilterParser.parseString(this.settings.filter);
    return narrower ? new AndFilter({ filters: [groups, narrower] }) : groups;
  }

  private refuseTooMany(count: number): void {
    const { maxEntries } = this.provider;
    if (count > maxEntries) throw new Error(`a group has more than ${maxEntries} members (maxEntries)`);
  }
}

interface Range {
  readonly values: readonly string[];
  /** Where the next piece begins; null after the last one. */
  readonly next: number | null;
}

function rangeIn({ attributes }: DirectoryEntry, attribute: string): Range | null {
  const start = `${attribute.toLowerCase()};range=`;
  const name = [...attributes.keys()].find((key) => key.startsWith(start));
  const end = name === undefined ? undefined : /^\d+-(\d+|\*)$/.exec(name.slice(start.length))?.[1];
  if (name === undefined || end === undefined) return null;
  return { values: attributes.get(name) ?? [], next: end === '*' ? null : Number(end) + 1 };
}
