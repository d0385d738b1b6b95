import path from 'node:path';
import type { Tier } from '#libs/tiers';
import { z } from 'zod';
import {
  baseUrl,
  databaseUrl,
  directory,
  hostName,
  LOG_LEVELS,
  mailAddress,
  mailDomains,
  oneOf,
  secret,
  smtpUrl,
  storages,
  tier,
  wholeNumber,
  yesOrNo,
  type LogLevel,
} from './setting-formats';
import { ldapProviders, type LdapProvider } from './ldap-config';
import type { SettingName } from './settings-help';

export type { LdapProvider } from './ldap-config';
export type { LogLevel } from './setting-formats';

/** What the service is told by its environment, read once at start. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Without a slash at its end. */
  readonly externalUrl: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL of the data directory. */
  readonly databaseUrl: string | null;
  /** Absolute path by storage name; the first one takes new repositories. */
  readonly repositoryStorages: ReadonlyMap<string, string>;
  /** Absolute: where files lie that users send to projects. */
  readonly uploadsDir: string;
  /** The most that one such file may have. */
  readonly uploadLimitBytes: number;
  /** The most that an archive of a CI job's artifacts may have. */
  readonly artifactLimitBytes: number;
  /** CI runners that serve every project register with it; null where there are none. */
  readonly runnersToken: string | null;
  readonly tier: Tier;
  readonly initialRootToken: string | null;
  readonly initialRootPassword: string | null;
  readonly allowLocalWebhooks: boolean;
  /** Administrators' tokens for other users are accepted. */
  readonly impersonationEnabled: boolean;
  /** Users whom SCIM has put to sleep stay visible to their identity provider, as inactive ones. */
  readonly scimKeepInactive: boolean;
  /** In small letters. Users whom SCIM brings with an address there need not confirm it. */
  readonly scimTrustedDomains: ReadonlySet<string>;
  /** With the password in it. Null: mails are written to files of the data directory. */
  readonly smtpUrl: string | null;
  /** Address of the sender of mails. */
  readonly mailFrom: string;
  /** Server processes on this machine. */
  readonly webConcurrency: number;
  readonly logLevel: LogLevel;
  /** Directories that people sign in by, in the order in which they are asked; none by default. */
  readonly ldapProviders: readonly LdapProvider[];
  /** How often accounts and groups are compared with the directories. */
  readonly ldapSyncMinutes: number;
}

/** The settings do not make sense; the message lists every problem by the name of its variable. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

const MIN_TOKEN_LENGTH = 20;
const MIN_PASSWORD_LENGTH = 8;
const MEBIBYTE = 1024 * 1024;

const environment = z.object({
  PORT: wholeNumber(1, 65_535).prefault('3000'),
  HOST: hostName().prefault('127.0.0.1'),
  EXTERNAL_URL: baseUrl().optional(),
  DATA_DIR: directory().prefault('./data'),
  DATABASE_URL: databaseUrl().optional(),
  REPOSITORY_STORAGES: storages().optional(),
  UPLOADS_DIR: directory().optional(),
  UPLOAD_LIMIT_MB: wholeNumber(1, 10_240).prefault('10'),
  ARTIFACT_LIMIT_MB: wholeNumber(1, 10_240).prefault('100'),
  RUNNERS_TOKEN: secret(MIN_TOKEN_LENGTH).optional(),
  TIER: tier().prefault('ultimate'),
  INITIAL_ROOT_TOKEN: secret(MIN_TOKEN_LENGTH).optional(),
  INITIAL_ROOT_PASSWORD: secret(MIN_PASSWORD_LENGTH).optional(),
  ALLOW_LOCAL_WEBHOOKS: yesOrNo().prefault('false'),
  IMPERSONATION_ENABLED: yesOrNo().prefault('true'),
  SCIM_KEEP_INACTIVE: yesOrNo().prefault('false'),
  SCIM_TRUSTED_DOMAINS: mailDomains().optional(),
  SMTP_URL: smtpUrl().optional(),
  MAIL_FROM: mailAddress().optional(),
  WEB_CONCURRENCY: wholeNumber(1, 64).prefault('1'),
  LOG_LEVEL: oneOf(LOG_LEVELS).prefault('info'),
  LDAP_CONFIG: ldapProviders().optional(),
  LDAP_SYNC_MINUTES: wholeNumber(1, 10_080).prefault('60'),
} satisfies Record<SettingName, z.ZodType>);

/** Reads all settings; an empty value counts as unset. Throws SettingsError with all problems at once. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { data, error } = environment.safeParse(given);
  if (error)
    throw new SettingsError(error.issues.map(({ path: [name], message }) => `${String(name)} ${message}`));
  const externalUrl = data.EXTERNAL_URL ?? `http://localhost:${data.PORT}`;
  return {
    port: data.PORT,
    host: data.HOST,
    externalUrl,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL ?? null,
    repositoryStorages:
      data.REPOSITORY_STORAGES ?? new Map([['default', path.join(data.DATA_DIR, 'repositories')]]),
    uploadsDir: data.UPLOADS_DIR ?? path.join(data.DATA_DIR, 'uploads'),
    uploadLimitBytes: data.UPLOAD_LIMIT_MB * MEBIBYTE,
    artifactLimitBytes: data.ARTIFACT_LIMIT_MB * MEBIBYTE,
    runnersToken: data.RUNNERS_TOKEN ?? null,
    tier: data.TIER,
    initialRootToken: data.INITIAL_ROOT_TOKEN ?? null,
    initialRootPassword: data.INITIAL_ROOT_PASSWORD ?? null,
    allowLocalWebhooks: data.ALLOW_LOCAL_WEBHOOKS,
    impersonationEnabled: data.IMPERSONATION_ENABLED,
    scimKeepInactive: data.SCIM_KEEP_INACTIVE,
    scimTrustedDomains: data.SCIM_TRUSTED_DOMAINS ?? new Set(),
    smtpUrl: data.SMTP_URL ?? null,
    mailFrom: data.MAIL_FROM ?? `noreply@${new URL(externalUrl).hostname}`,
    webConcurrency: data.WEB_CONCURRENCY,
    logLevel: data.LOG_LEVEL,
    ldapProviders: data.LDAP_CONFIG ?? [],
    ldapSyncMinutes: data.LDAP_SYNC_MINUTES,
  };
}
