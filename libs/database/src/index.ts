export { connectionShares, type ConnectionShares } from './connection-shares';
export { Transactional } from '@nestjs-cls/transactional';
export { AdvisoryLocks, type LockOptions } from './advisory-locks';
export type { AfterCommitAction } from './after-commit';
export { Database } from './database';
export { DatabaseModule, type DatabaseModuleOptions } from './database.module';
export { dataSourceOptions, type DatabaseOptions } from './data-source';
export {
  startEmbeddedPostgres,
  type EmbeddedOptions,
  type EmbeddedPostgres,
} from './embedded/embedded-postgres';
export { ensureDatabase } from './ensure-database';
export { StartupError } from './embedded/startup-error';
export { DatabaseHealth } from './health';
export { hydrate } from './hydrate';
export { InternalIds, type Sequence } from './internal-ids';
export { lockId, type LockKey } from './lock-id';
export { migrate, withMigrationLock } from './migrate';
export { countUpToLimit, paginate, paginateByKey, type KeysetPage } from './paginate';
export { paginateStatement, type OrderedStatement, type PagedStatement } from './paginate-statement';
export { substringPattern } from './substring-pattern';
export { uniqueViolation } from './unique-violation';
export { valueTypes } from './value-types';
