import path from 'node:path';
import { connectionShares, DatabaseModule } from '#libs/database';
import { EventsModule } from '#libs/events';
import { HttpModule } from '#libs/http';
import { JobsModule } from '#libs/jobs';
import { MailModule } from '#libs/mail';
import { OutboundModule } from '#libs/outbound';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CiModule } from './ci/ci.module';
import { BuildContributions } from './ci/contributions/build-contributions.repository';
import { PipelinesRepository } from './ci/pipelines/pipelines.repository';
import { HealthModule } from './health/health.module';
import { CommentContributions } from './collaboration/contributions/comment-contributions.repository';
import { CollaborationModule } from './collaboration/collaboration.module';
import { AllContributions, Contributions } from './identity/identity.api';
import { IdentityModule } from './identity/identity.module';
import { ReferenceModule } from './reference/reference.module';
import { ProjectContributions } from './repository/contributions/project-contributions.repository';
import { CommitPipelines } from './repository/repository.api';
import { RepositoryModule } from './repository/repository.module';
import { ScimModule } from './scim/scim.module';
import type { Settings } from './settings/settings';
import { SettingsModule } from './settings/settings.module';
import { WebModule } from './web/web.module';

/** What a lower context declares and a higher one implements. */
@Global()
@Module({
  imports: [CiModule, CollaborationModule],
  providers: [
    { provide: CommitPipelines, useExisting: PipelinesRepository },
    {
      provide: Contributions,
      useFactory: (...parts: Contributions[]) => new AllContributions(parts),
      inject: [ProjectContributions, BuildContributions, CommentContributions],
    },
  ],
  exports: [CommitPipelines, Contributions],
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
        MailModule.forRoot({
          smtpUrl: settings.smtpUrl,
          from: settings.mailFrom,
          folder: path.join(settings.dataDir, 'mails'),
        }),
        OutboundModule.forRoot({ allowLocal: settings.allowLocalWebhooks }),
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
        ScimModule,
        Ports,
        WebModule,
      ],
    };
  }
}
