import { ClsPluginTransactional } from '@nestjs-cls/transactional';
import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClsModule } from 'nestjs-cls';
import { DataSource } from 'typeorm';
import { AdvisoryLocks } from './advisory-locks';
import { Database } from './database';
import { dataSourceOptions, type DatabaseOptions } from './data-source';
import { DatabaseHealth } from './health';
import { InternalIds } from './internal-ids';
import { TransactionAdapter } from './transaction-adapter';

export interface DatabaseModuleOptions extends DatabaseOptions {
  /** Connections for advisory locks, beside the main pool: how many repositories this process writes at once. */
  readonly lockPoolSize?: number;
}

const DEFAULT_LOCK_POOL_SIZE = 16;

/** Connects to an already migrated database and provides Database, InternalIds and DatabaseHealth everywhere. */
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseModuleOptions): DynamicModule {
    const locks = {
      provide: AdvisoryLocks,
      useFactory: () =>
        new AdvisoryLocks(
          options.url,
          options.lockPoolSize ?? DEFAULT_LOCK_POOL_SIZE,
          options.applicationName ?? 'service',
        ),
    };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          // Entities come from the contexts: each names its own in TypeOrmModule.forFeature.
          useFactory: () => ({ ...dataSourceOptions(options), retryAttempts: 0, autoLoadEntities: true }),
          dataSourceFactory: async (found) =>
            new DataSource({ ...dataSourceOptions(options), entities: found?.entities ?? [] }).initialize(),
        }),
        // The plugin without the rest of the module: a context exists inside of transactions only, and the module's
        // guard and interceptor would be on every request's way even where they do nothing.
        ClsModule.registerPlugins([new ClsPluginTransactional({ adapter: new TransactionAdapter() })]),
      ],
      providers: [Database, DatabaseHealth, InternalIds, locks],
      exports: [Database, DatabaseHealth, InternalIds],
    };
  }
}
