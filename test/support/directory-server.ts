import { Server } from 'node:net';
import ldap from 'ldapjs';
import {
  AndFilter,
  EqualityFilter,
  type Filter,
  FilterParser,
  OrFilter,
  PresenceFilter,
  SubstringFilter,
} from 'ldapts';
import { normalizedDn } from '../../src/identity/ldap/distinguished-name';
import { DIRECTORY_CERTIFICATE, DIRECTORY_KEY } from './directory-certificate';

export const BASE = 'dc=example,dc=com';
const READER = { dn: `cn=reader,${BASE}`, password: 'reader-password' };
const PAGED_RESULTS = '1.2.840.113556.1.4.319';
/** Active Directory's own is 1,500. */
const RANGE = 5;

type Attributes = Record<string, string[]>;

interface Stored {
  readonly dn: string;
  readonly attributes: Attributes;
  readonly password: string | null;
}

/** What ldapjs gives to a handler of a search. */
interface SearchCall {
  readonly dn: { toString(): string };
  readonly scopeName: string;
  readonly filter: { toString(): string };
  readonly attributes: readonly string[];
  readonly sizeLimit: number;
  readonly controls: readonly { readonly type: string; readonly value: { size: number; cookie: Buffer } }[];
  readonly connection: object;
}

interface SearchAnswer {
  readonly attributes: string[];
  readonly controls: unknown[];
  send(entry: { dn: string; attributes: Attributes }): void;
  end(status?: number): void;
}

interface BindCall {
  readonly dn: { toString(): string };
  readonly credentials: string;
  readonly connection: object;
}

type Next = (error?: unknown) => void;

const PAGES_CONTROL: unknown = Reflect.get(ldap, 'PagedResultsControl');

function pagesControl(cookie: string): unknown {
  if (typeof PAGES_CONTROL !== 'function') throw new Error('ldapjs has no control for pages');
  return Reflect.construct(PAGES_CONTROL, [{ value: { size: 0, cookie: Buffer.from(cookie) } }]);
}

/** A directory that speaks LDAP over TCP, with a service account, people and groups; it tells what it was asked. */
export class DirectoryServer {
  /** Filters, as text. */
  readonly searches: string[] = [];
  /** Distinguished names that somebody tried a password for. */
  readonly binds: string[] = [];
  /** Takes requests and never answers them. */
  isHanging = false;
  /** Tells members of large groups in pieces. */
  tellsRanges = false;

  private readonly entries = new Map<string, Stored>();
  /** Connections of the service account. */
  private readonly trusted = new WeakSet();
  private server: ldap.Server | undefined;
  private port = 0;

  private constructor(private readonly isSecure: boolean) {}

  /** On a free port. `secure`: TLS from the first byte, with a certificate for `localhost`. */
  static async start({ secure = false } = {}): Promise<DirectoryServer> {
    const directory = new DirectoryServer(secure);
    directory.store(READER.dn, { cn: ['reader'], objectClass: ['applicationProcess'] }, READER.password);
    await directory.listen();
    return directory;
  }

  /** The part of LDAP_CONFIG that means this directory. */
  provider(fields: object = {}): object {
    return {
      url: `${this.isSecure ? 'ldaps' : 'ldap'}://localhost:${this.port}`,
      encryption: this.isSecure ? 'tls' : 'none',
      bindDn: READER.dn,
      bindPassword: READER.password,
      timeoutSeconds: 2,
      base: `ou=people,${BASE}`,
      uid: 'uid',
      groupBase: `ou=groups,${BASE}`,
      ...fields,
    };
  }

  get listeningPort(): number {
    return this.port;
  }

  /** Somebody whose password is their uid with `-password`. Answers the distinguished name. */
  person(uid: string, attributes: Attributes = {}): string {
    const dn = `uid=${uid},ou=people,${BASE}`;
    const own = {
      uid: [uid],
      cn: [`Name of ${uid}`],
      mail: [`${uid}@corp.example`],
      objectClass: ['inetOrgPerson'],
    };
    this.store(dn, { ...own, ...attributes }, `${uid}-password`);
    return dn;
  }

  /** Answers the distinguished name. */
  group(cn: string, members: readonly string[], attribute = 'member'): string {
    const dn = `cn=${cn},ou=groups,${BASE}`;
    const objectClass = [attribute === 'memberUid' ? 'posixGroup' : 'groupOfNames'];
    this.store(dn, { cn: [cn], objectClass, [attribute]: [...members] }, null);
    return dn;
  }

  remove(dn: string): void {
    this.entries.delete(normalizedDn(dn) ?? '');
  }

  /** Forgets people, groups and what it was asked. */
  clear(): void {
    for (const { dn } of [...this.entries.values()]) if (dn !== READER.dn) this.remove(dn);
    this.searches.length = 0;
    this.binds.length = 0;
  }

  /** Closes the port; `resume` opens the same one again. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server) await new Promise<void>((resolve) => server.close(resolve));
  }

  resume(): Promise<void> {
    return this.listen();
  }

  private store(dn: string, attributes: Attributes, password: string | null): void {
    this.entries.set(normalizedDn(dn) ?? dn, { dn, attributes, password });
  }

  private async listen(): Promise<void> {
    const tls = this.isSecure ? { certificate: DIRECTORY_CERTIFICATE, key: DIRECTORY_KEY } : {};
    const server = ldap.createServer(tls);
    server.bind(BASE, (call: BindCall, answer: SearchAnswer, next: Next) => this.bind(call, answer, next));
    server.search(BASE, (call: SearchCall, answer: SearchAnswer, next: Next) =>
      this.search(call, answer, next),
    );
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = portOf(server);
    this.server = server;
  }

  /** Like lax directories, it takes a bind without password for an anonymous one, and agrees. */
  private bind({ dn, credentials, connection }: BindCall, answer: SearchAnswer, next: Next): void {
    const known = this.entries.get(normalizedDn(dn.toString()) ?? '');
    const isReader = known?.dn === READER.dn;
    if (!isReader) this.binds.push(dn.toString());
    if (this.isHanging) return;
    const isRight = credentials === '' || (known?.password ?? null) === credentials;
    if (isReader && isRight && credentials !== '') this.trusted.add(connection);
    if (isRight) answer.end();
    else next(new ldap.InvalidCredentialsError());
  }

  private search(call: SearchCall, answer: SearchAnswer, next: Next): void {
    this.searches.push(call.filter.toString());
    if (this.isHanging) return;
    if (!this.trusted.has(call.connection)) {
      next(new ldap.InsufficientAccessRightsError());
      return;
    }
    const found = this.found(call);
    if (!found) {
      next(new ldap.NoSuchObjectError());
      return;
    }
    const { size, from } = pageOf(call);
    answer.attributes.push('*');
    const page = found.slice(from, from + size);
    for (const { dn, attributes } of page)
      answer.send({ dn, attributes: this.told(attributes, call.attributes) });
    if (size < Number.MAX_SAFE_INTEGER && call.controls.length > 0)
      answer.controls.push(pagesControl(from + size < found.length ? String(from + size) : ''));
    const isCut = call.sizeLimit > 0 && call.controls.length === 0 && found.length > call.sizeLimit;
    answer.end(isCut ? 4 : 0);
  }

  private found({ dn, scopeName, filter }: SearchCall): Stored[] | null {
    const base = normalizedDn(dn.toString()) ?? '';
    const wanted = filterOf(filter.toString());
    if (scopeName === 'base') {
      const entry = this.entries.get(base);
      return entry ? [entry].filter(({ attributes }) => matches(wanted, attributes)) : null;
    }
    return [...this.entries]
      .filter(([name, { attributes }]) => name.endsWith(`,${base}`) && matches(wanted, attributes))
      .map(([, entry]) => entry);
  }

  /** The attributes asked for, long lists of members in pieces if this is one of those directories. */
  private told(attributes: Attributes, asked: readonly string[]): Attributes {
    const told: Attributes = {};
    for (const name of asked) {
      const [plain = '', range] = name.split(';range=');
      const own = Object.keys(attributes).find((key) => key.toLowerCase() === plain.toLowerCase());
      const values = own === undefined ? [] : (attributes[own] ?? []);
      if (own === undefined) continue;
      if (!this.tellsRanges || values.length <= RANGE) told[own] = values;
      else {
        const start = Number(range?.split('-')[0] ?? 0);
        const isLast = start + RANGE >= values.length;
        told[`${own};range=${start}-${isLast ? '*' : start + RANGE - 1}`] = values.slice(
          start,
          start + RANGE,
        );
      }
    }
    return told;
  }
}

/** ldapjs has turned what came over the wire into text, and loses its way with backslashes: that is nobody's name. */
function filterOf(text: string): Filter {
  try {
    return FilterParser.parseString(text);
  } catch {
    return new OrFilter({ filters: [] });
  }
}

/** As directories compare names: in any letter case. */
function matches(filter: Filter, attributes: Attributes): boolean {
  if (filter instanceof AndFilter) return filter.filters.every((one) => matches(one, attributes));
  if (filter instanceof OrFilter) return filter.filters.some((one) => matches(one, attributes));
  if (filter instanceof PresenceFilter) return valuesOf(attributes, filter.attribute).length > 0;
  if (filter instanceof SubstringFilter)
    return valuesOf(attributes, filter.attribute).some((one) => filter.matches({ [filter.attribute]: one }));
  if (!(filter instanceof EqualityFilter)) throw new Error('this directory knows no such filter');
  // The parser takes each escaped byte for a character.
  const value = Buffer.from(filter.value.toString(), 'latin1').toString().toLowerCase();
  return valuesOf(attributes, filter.attribute).some((one) => one.toLowerCase() === value);
}

const valuesOf = (attributes: Attributes, name: string): string[] =>
  Object.entries(attributes)
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, values]) => values);

function pageOf({ controls, sizeLimit }: SearchCall): { size: number; from: number } {
  const asked = controls.find(({ type }) => type === PAGED_RESULTS);
  if (!asked) return { size: sizeLimit || Number.MAX_SAFE_INTEGER, from: 0 };
  return { size: asked.value.size, from: Number(asked.value.cookie.toString() || 0) };
}

/** The port; from here on the directory keeps no process alive, also where a test did not get to stop it. */
function portOf(server: ldap.Server): number {
  const inner: unknown = Reflect.get(server, 'server');
  if (!(inner instanceof Server)) throw new Error('ldapjs has no server');
  const address = inner.unref().address();
  if (address === null || typeof address === 'string') throw new Error('the directory has no port');
  return address.port;
}
