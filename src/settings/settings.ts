import path from 'node:path';
import type { Tier } from '#libs/tiers';
import { z } from 'zod';
import {
  baseUrl,
  databaseUrl,
  directory,
  hostName,
  LOG_LEVELS,
  oneOf,
  secret,
  storages,
  tier,
  wholeNumber,
  yesOrNo,
  type LogLevel,
} from './setting-formats';
import type { SettingName } from './settings-help';

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
  readonly tier: Tier;
  readonly initialRootToken: string | null;
  readonly initialRootPassword: string | null;
  readonly allowLocalWebhooks: boolean;
  /** Administrators' tokens for other users are accepted. */
  readonly impersonationEnabled: boolean;
  /** Server processes on this machine. */
  readonly webConcurrency: number;
  readonly logLevel: LogLevel;
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

const environment = z.object({
  PORT: wholeNumber(1, 65_535).prefault('3000'),
  HOST: hostName().prefault('127.0.0.1'),
  EXTERNAL_URL: baseUrl().optional(),
  DATA_DIR: directory().prefault('./data'),
  DATABASE_URL: databaseUrl().optional(),
  REPOSITORY_STORAGES: storages().optional(),
  TIER: tier().prefault('ultimate'),
  INITIAL_ROOT_TOKEN: secret(MIN_TOKEN_LENGTH).optional(),
  INITIAL_ROOT_PASSWORD: secret(MIN_PASSWORD_LENGTH).optional(),
  ALLOW_LOCAL_WEBHOOKS: yesOrNo().prefault('false'),
  IMPERSONATION_ENABLED: yesOrNo().prefault('true'),
  WEB_CONCURRENCY: wholeNumber(1, 64).prefault('1'),
  LOG_LEVEL: oneOf(LOG_LEVELS).prefault('info'),
} satisfies Record<SettingName, z.ZodType>);

/** Reads all settings; an empty value counts as unset. Throws SettingsError with all problems at once. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { data, error } = environment.safeParse(given);
  if (error)
    throw new SettingsError(error.issues.map(({ path: [name], message }) => `${String(name)} ${message}`));
  return {
    port: data.PORT,
    host: data.HOST,
    externalUrl: data.EXTERNAL_URL ?? `http://localhost:${data.PORT}`,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL ?? null,
    repositoryStorages:
      data.REPOSITORY_STORAGES ?? new Map([['default', path.join(data.DATA_DIR, 'repositories')]]),
    tier: data.TIER,
    initialRootToken: data.INITIAL_ROOT_TOKEN ?? null,
    initialRootPassword: data.INITIAL_ROOT_PASSWORD ?? null,
    allowLocalWebhooks: data.ALLOW_LOCAL_WEBHOOKS,
    impersonationEnabled: data.IMPERSONATION_ENABLED,
    webConcurrency: data.WEB_CONCURRENCY,
    logLevel: data.LOG_LEVEL,
  };
}
