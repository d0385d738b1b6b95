import fs from 'node:fs';
import { FilterParser } from 'ldapts';
import { z } from 'zod';

/** One directory that accounts and groups come from. */
export interface LdapProvider {
  /** How identities, links and the API name it. */
  readonly name: string;
  readonly label: string;
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `start_tls` by upgrading, `none` only where the operator says so. */
  readonly encryption: 'tls' | 'start_tls' | 'none';
  readonly tls: {
    readonly verifyCertificates: boolean;
    /** PEM; null for the certificates that Node trusts. */
    readonly ca: string | null;
  };
  /** Null: searches are anonymous. */
  readonly bind: { readonly dn: string; readonly password: string } | null;
  readonly timeoutMs: number;
  /** More entries than this in one listing are an error. */
  readonly maxEntries: number;
  readonly base: string;
  /** RFC 4515; null for everybody below the base. */
  readonly userFilter: string | null;
  /** Attribute that people sign in by. */
  readonly uid: string;
  readonly attributes: {
    readonly username: readonly string[];
    readonly email: readonly string[];
    readonly name: readonly string[];
  };
  /** Null: groups are not synchronised. */
  readonly groups: {
    readonly base: string;
    readonly filter: string;
    readonly nameAttribute: string;
    readonly memberAttributes: readonly string[];
    readonly adminGroup: string | null;
    readonly externalGroups: readonly string[];
  } | null;
  /** Accounts that it has disabled (`userAccountControl`) count as gone. */
  readonly activeDirectory: boolean;
  /** Who signs in for the first time has to be unblocked by an administrator. */
  readonly blockAutoCreatedUsers: boolean;
  /** An account with the same e-mail is the same person. */
  readonly autoLinkUsers: boolean;
  /** `grace@example.com` may sign in as `grace`. */
  readonly allowUsernameOrEmailLogin: boolean;
}

const MOST_PROVIDERS = 20;
const GROUP_CLASSES = ['groupOfNames', 'groupOfUniqueNames', 'groupOfMembers', 'posixGroup', 'group'];
const GROUP_FILTER = `(|${GROUP_CLASSES.map((name) => `(objectClass=${name})`).join('')})`;

const text = () => z.string().trim().min(1).max(1000);
const attribute = () => z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of an attribute');
const attributes = () => z.array(attribute()).min(1).max(10);
const filter = () =>
  text().refine((value) => value.startsWith('(') && isFilter(value), 'must be a filter in parentheses');

function isFilter(value: string): boolean {
  try {
    FilterParser.parseString(value);
    return true;
  } catch {
    return false;
  }
}

const ldapUrl = () =>
  z.string().transform((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    const isPlain = url !== null && url.username === '' && /^\/?$/.test(url.pathname) && url.search === '';
    if (url && isPlain && ['ldap:', 'ldaps:'].includes(url.protocol) && url.hostname !== '') {
      const isSecure = url.protocol === 'ldaps:';
      const port = url.port === '' ? (isSecure ? 636 : 389) : Number(url.port);
      return { isSecure, host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port };
    }
    context.issues.push({
      code: 'custom',
      message: 'must be ldap://host:port or ldaps://host:port',
      input: '',
    });
    return z.NEVER;
  });

const pemFile = () =>
  z.string().transform((file, context) => {
    try {
      return fs.readFileSync(file, 'utf8');
    } catch {
      context.issues.push({ code: 'custom', message: 'must be a file that can be read', input: '' });
      return z.NEVER;
    }
  });

const provider = z
  .strictObject({
    label: text().optional(),
    url: ldapUrl(),
    encryption: z.enum(['tls', 'start_tls', 'none']).optional(),
    tls: z
      .strictObject({ verifyCertificates: z.boolean().default(true), caFile: pemFile().optional() })
      .prefault({}),
    bindDn: text().optional(),
    bindPassword: z.string().min(1).max(1000).optional(),
    timeoutSeconds: z.number().min(0.1).max(120).default(10),
    maxEntries: z.int().min(1).max(1_000_000).default(50_000),
    base: text(),
    userFilter: filter().optional(),
    uid: attribute(),
    attributes: z
      .strictObject({
        username: attributes().optional(),
        email: attributes().optional(),
        name: attributes().optional(),
      })
      .prefault({}),
    groupBase: text().optional(),
    groupFilter: filter().optional(),
    groupNameAttribute: attribute().default('cn'),
    groupMemberAttributes: attributes().default(['member', 'uniqueMember', 'memberUid', 'submember']),
    adminGroup: text().optional(),
    externalGroups: z.array(text()).max(100).default([]),
    activeDirectory: z.boolean().default(true),
    blockAutoCreatedUsers: z.boolean().default(false),
    autoLinkUsers: z.boolean().default(false),
    allowUsernameOrEmailLogin: z.boolean().default(false),
  })
  .refine(({ bindDn, bindPassword }) => (bindDn === undefined) === (bindPassword === undefined), {
    path: ['bindPassword'],
    message: 'must be given together with bindDn',
  })
  .refine(({ url, encryption }) => encryption === undefined || (encryption === 'tls') === url.isSecure, {
    path: ['encryption'],
    message: 'must be tls with ldaps://, start_tls or none with ldap://',
  })
  .refine(
    ({ groupBase, adminGroup, externalGroups }) =>
      groupBase !== undefined || (adminGroup === undefined && externalGroups.length === 0),
    { path: ['groupBase'], message: 'must be given for adminGroup and externalGroups' },
  );

const PROVIDER_NAME = /^ldap[a-z0-9_-]{0,60}$/;

const config = z
  .record(z.string().regex(PROVIDER_NAME, 'must begin with "ldap", in lower case'), provider)
  .refine(
    (providers) => Object.keys(providers).length <= MOST_PROVIDERS,
    `has more than ${MOST_PROVIDERS} providers`,
  );

function providerOf(name: string, given: z.infer<typeof provider>): LdapProvider {
  const { url, attributes: named, bindDn, bindPassword } = given;
  return {
    name,
    label: given.label ?? name,
    host: url.host,
    port: url.port,
    encryption: given.encryption ?? (url.isSecure ? 'tls' : 'start_tls'),
    tls: { verifyCertificates: given.tls.verifyCertificates, ca: given.tls.caFile ?? null },
    bind: bindDn !== undefined && bindPassword !== undefined ? { dn: bindDn, password: bindPassword } : null,
    timeoutMs: Math.round(given.timeoutSeconds * 1000),
    maxEntries: given.maxEntries,
    base: given.base,
    userFilter: given.userFilter ?? null,
    uid: given.uid,
    attributes: {
      username: named.username ?? ['uid', 'userid', 'sAMAccountName'],
      email: named.email ?? ['mail', 'email', 'userPrincipalName'],
      name: named.name ?? ['cn', 'displayName'],
    },
    groups: groupsOf(given),
    activeDirectory: given.activeDirectory,
    blockAutoCreatedUsers: given.blockAutoCreatedUsers,
    autoLinkUsers: given.autoLinkUsers,
    allowUsernameOrEmailLogin: given.allowUsernameOrEmailLogin,
  };
}

function groupsOf(given: z.infer<typeof provider>): LdapProvider['groups'] {
  if (given.groupBase === undefined) return null;
  return {
    base: given.groupBase,
    filter: given.groupFilter ?? GROUP_FILTER,
    nameAttribute: given.groupNameAttribute,
    memberAttributes: given.groupMemberAttributes,
    adminGroup: given.adminGroup ?? null,
    externalGroups: given.externalGroups,
  };
}

/**
 * The providers, in the order in which sign-in asks them: `{"ldapmain": {...}}` as JSON itself, or as the path of a
 * file that holds it. What is refused names the provider and the field, and never repeats a value.
 */
export const ldapProviders = () =>
  z.string().transform((given, context): readonly LdapProvider[] => {
    const refuse = (message: string): never => {
      context.issues.push({ code: 'custom', message, input: '' });
      return z.NEVER;
    };
    const content = given.trimStart().startsWith('{') ? given : readFile(given);
    if (content === null) return refuse('must be JSON, or a file that can be read');
    const json = parseJson(content);
    if (json === undefined) return refuse('must be JSON of the form {"ldapmain": {…}}');
    const { data, error } = config.safeParse(json);
    if (error) return refuse(`must be right: ${error.issues.map(sentence).join('; ')}`);
    return Object.entries(data).map(([name, fields]) => providerOf(name, fields));
  });

/** Names of unknown fields are part of what zod says; values never are. */
const sentence = (issue: z.core.$ZodIssue): string => {
  const place = issue.path.join('.');
  const said =
    issue.code === 'invalid_key' ? issue.issues.map(({ message }) => message).join(', ') : issue.message;
  return place === '' ? said : `${place}: ${said}`;
};

function readFile(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The parser's own message would quote the text, and with it a password. */
function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
