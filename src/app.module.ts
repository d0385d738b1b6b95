import { connectionShares, DatabaseModule } from '#libs/database';
import { EventsModule } from '#libs/events';
import { HttpModule } from '#libs/http';
import { JobsModule } from '#libs/jobs';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CiModule } from './ci/ci.module';
import { PipelinesRepository } from './ci/pipelines/pipelines.repository';
import { HealthModule } from './health/health.module';
import { CollaborationModule } from './collaboration/collaboration.module';
import { IdentityModule } from './identity/identity.module';
import { ReferenceModule } from './reference/reference.module';
import { CommitPipelines } from './repository/repository.api';
import { RepositoryModule } from './repository/repository.module';
import type { Settings } from './settings/settings';
import { SettingsModule } from './settings/settings.module';

/** What a lower context declares and a higher one implements. */
@Global()
@Module({
  imports: [CiModule],
  providers: [{ provide: CommitPipelines, useExisting: PipelinesRepository }],
  exports: [CommitPipelines],
})
class Ports {}

/** The whole application over one database. */
@Module({})
export class AppModule {
  static forRoot(settings: Settings, databaseUrl: string): DynamicModule {
    const connections = connectionShares(settings.webConcurrency);
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(settings),
        DatabaseModule.forRoot({
          url: databaseUrl,
          poolSize: connections.main,
          lockPoolSize: connections.locks,
        }),
        JobsModule.forRoot({ url: databaseUrl, poolSize: connections.jobs }),
        EventsModule,
        HttpModule.forRoot({
          externalUrl: settings.externalUrl,
          tier: settings.tier,
          tokens: { impersonation: settings.impersonationEnabled },
        }),
        HealthModule,
        ReferenceModule,
        IdentityModule,
        RepositoryModule,
        CiModule,
        CollaborationModule,
        Ports,
      ],
    };
  }
}
