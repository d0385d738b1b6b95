import type { DataSourceOptions } from 'typeorm';
import { SnakeCaseNaming } from './naming';
import { valueTypes } from './value-types';

type Classes = NonNullable<DataSourceOptions['entities']>;

/** What differs from one data source to another. */
export interface DatabaseOptions {
  readonly url: string;
  /** Most connections of this process's main pool. */
  readonly poolSize?: number;
  readonly entities?: Classes;
  readonly migrations?: NonNullable<DataSourceOptions['migrations']>;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** 0 = none, for migrations. */
  readonly statementTimeoutMs?: number;
}

export const DEFAULT_POOL_SIZE = 20;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** Frees the locks of a transaction whose process hangs. */
const IDLE_IN_TRANSACTION_MS = 60_000;
/** Longer than the server's own limit: it only strikes when the connection is dead. */
const NETWORK_GRACE_MS = 5_000;

/** TypeORM's options for PostgreSQL: snake_case columns, bigint as number, a time limit on everything. */
export function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  const statementTimeout = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  return {
    type: 'postgres',
    url: options.url,
    poolSize: options.poolSize ?? DEFAULT_POOL_SIZE,
    entities: options.entities ?? [],
    migrations: options.migrations ?? [],
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNaming(),
    applicationName: options.applicationName ?? 'service',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    // The schema is the migrations' alone, extensions included.
    synchronize: false,
    installExtensions: false,
    logging: false,
    extra: {
      types: valueTypes,
      keepAlive: true,
      ...(statementTimeout > 0 && {
        statement_timeout: statementTimeout,
        query_timeout: statementTimeout + NETWORK_GRACE_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      }),
    },
  };
}
