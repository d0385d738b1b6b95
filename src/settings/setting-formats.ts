import path from 'node:path';
import { TIERS, type Tier } from '#libs/tiers';
import { z } from 'zod';

/** The tiers' names where the product is sold as a hosted service. */
const HOSTED_NAMES: Readonly<Record<string, Tier>> = {
  free: 'core',
  bronze: 'starter',
  silver: 'premium',
  gold: 'ultimate',
};

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const STORAGE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** A text read by `parse`, which answers `undefined` for what it does not accept. */
const read = <T>(accepted: string, parse: (text: string) => T | undefined) =>
  z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', message: `must be ${accepted}`, input: text });
    return z.NEVER;
  });

/** A decimal number without sign, spaces or other notations. */
export const wholeNumber = (least: number, most: number) =>
  read(`a whole number from ${least} to ${most}`, (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
    return value >= least && value <= most ? value : undefined;
  });

export const oneOf = <T extends string>(values: readonly T[]) =>
  read(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text));

export const yesOrNo = () =>
  read('true or false', (text) => (text === 'true' ? true : text === 'false' ? false : undefined));

export const tier = () =>
  read(
    `one of ${TIERS.join(', ')} (or ${Object.keys(HOSTED_NAMES).join(', ')})`,
    (text) =>
      TIERS.find((name) => name === text) ??
      (Object.hasOwn(HOSTED_NAMES, text) ? HOSTED_NAMES[text] : undefined),
  );

/** Secrets are not shown when refused, hence no value in the sentence. */
export const secret = (least: number) =>
  read(`at least ${least} characters long, without spaces at its ends`, (text) =>
    text.length >= least && text === text.trim() ? text : undefined,
  );

export const hostName = () =>
  read('an IP address or host name without port', (text) =>
    /^[A-Za-z0-9.:%_-]+$/.test(text) ? text : undefined,
  );

/** The start of URLs: no slash at the end, no query, no user. */
export const baseUrl = () =>
  read('an http or https URL without query, fragment and user', (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
    if (text.includes('?') || text.includes('#') || url.username !== '' || url.password !== '')
      return undefined;
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  });

export const databaseUrl = () =>
  read('a URL postgres://user:password@host:port/database', (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isPostgres = url !== undefined && ['postgres:', 'postgresql:'].includes(url.protocol);
    return isPostgres && url.pathname.length > 1 ? text : undefined;
  });

export const smtpUrl = () =>
  read('a URL smtp://user:password@host:port or smtps://…', (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== '' ? text : undefined;
  });

/** Without a display name, which would need quotes. */
export const mailAddress = () =>
  read('a mail address', (text) =>
    /^[^@\s<>"(),:;]{1,64}@[^@\s<>"(),:;]{1,253}$/.test(text) ? text : undefined,
  );

/** `example.com,example.org`, in any letter case. */
export const mailDomains = () =>
  read('mail domains, example.com,example.org', (text) => {
    const domains = text.split(',').map((part) => part.trim().toLowerCase());
    return domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
      ? new Set(domains)
      : undefined;
  });

export const directory = () =>
  read('a path', (text) => (text.includes('\0') ? undefined : path.resolve(text)));

/** `name=/path,name2=/path2`, in the order given. Relative paths count from the working directory. */
export const storages = () =>
  read('name=/path,name2=/path2 with different names of letters, digits, "-" and "_"', (text) => {
    const entries = text.split(',').map((part): [string, string] => {
      const [name = '', ...rest] = part.trim().split('=');
      return [name, rest.join('=')];
    });
    const named = new Map(entries.map(([name, folder]) => [name, path.resolve(folder)]));
    const isComplete = entries.every(([name, folder]) => STORAGE_NAME.test(name) && folder !== '');
    return isComplete && named.size === entries.length ? named : undefined;
  });
