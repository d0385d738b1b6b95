import path from 'node:path';
import { connectionShares, DatabaseModule } from '#libs/database';
import { EventsModule } from '#libs/events';
import { HttpModule } from '#libs/http';
import { JobsModule } from '#libs/jobs';
import { MailModule } from '#libs/mail';
import { OutboundModule } from '#libs/outbound';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { BuiltMergeRequests } from './ci/ci.api';
import { CiModule } from './ci/ci.module';
import { BuildContributions } from './ci/contributions/build-contributions.repository';
import { PipelinesRepository } from './ci/pipelines/pipelines.repository';
import { HealthModule } from './health/health.module';
import { AwardContributions } from './collaboration/award-emoji/award-contributions.repository';
import { AwardVotes } from './collaboration/award-emoji/award-votes.repository';
import { SnippetContributions } from './collaboration/snippets/snippet-contributions.repository';
import { ClosingMergeRequestCounts } from './collaboration/closing-issues/closing-merge-requests.repository';
import { LendingMergeRequests } from './collaboration/merge-request-forks/lending-merge-requests.repository';
import { MergeRequestContributions } from './collaboration/merge-requests/merge-request-contributions.repository';
import { MergeRequestsForPipelines } from './collaboration/merge-request-pipelines/merge-requests-for-pipelines.service';
import { SeparatedMergeRequests } from './collaboration/merge-request-forks/separated-merge-requests.service';
import { MergeRequestMilestones } from './collaboration/merge-requests/merge-request-milestones.repository';
import { CollaborationModule } from './collaboration/collaboration.module';
import { CrossReferences } from './collaboration/notes/cross-references.service';
import { HandedOverDiscussions } from './collaboration/notes/handed-over-discussions.service';
import { NoteContributions } from './collaboration/notes/note-contributions.repository';
import { NoteMoves } from './collaboration/notes/note-moves.repository';
import { SystemNotesRepository } from './collaboration/notes/system-notes.repository';
import { AllContributions, Contributions } from './identity/identity.api';
import { IdentityModule } from './identity/identity.module';
import { ReferenceModule } from './reference/reference.module';
import {
  Awards,
  ClosingMergeRequests,
  DiscussionMoves,
  Mentions,
  MilestoneBearers,
  ResolvableDiscussions,
  SystemNotes,
} from './planning/planning.api';
import { EpicContributions } from './planning/epics/epic-contributions.repository';
import { IssueContributions } from './planning/issues/issue-contributions.repository';
import { PlanningOfMovedProjects } from './planning/milestones/moved-projects.service';
import { LabelEventContributions } from './planning/label-events/label-event-contributions.repository';
import { PlanningModule } from './planning/planning.module';
import { ProjectContributions } from './repository/contributions/project-contributions.repository';
import { CommitPipelines, LentBranches, MovedProjects, SeparatedForks } from './repository/repository.api';
import { RepositoryModule } from './repository/repository.module';
import { ScimModule } from './scim/scim.module';
import type { Settings } from './settings/settings';
import { SettingsModule } from './settings/settings.module';
import { WebModule } from './web/web.module';

/** What a lower context declares and a higher one implements. */
@Global()
@Module({
  imports: [CiModule, CollaborationModule, PlanningModule],
  providers: [
    { provide: BuiltMergeRequests, useExisting: MergeRequestsForPipelines },
    { provide: CommitPipelines, useExisting: PipelinesRepository },
    { provide: ClosingMergeRequests, useExisting: ClosingMergeRequestCounts },
    { provide: LentBranches, useExisting: LendingMergeRequests },
    { provide: MovedProjects, useExisting: PlanningOfMovedProjects },
    { provide: MilestoneBearers, useExisting: MergeRequestMilestones },
    { provide: DiscussionMoves, useExisting: NoteMoves },
    { provide: Mentions, useExisting: CrossReferences },
    { provide: ResolvableDiscussions, useExisting: HandedOverDiscussions },
    { provide: SeparatedForks, useExisting: SeparatedMergeRequests },
    { provide: SystemNotes, useExisting: SystemNotesRepository },
    { provide: Awards, useExisting: AwardVotes },
    {
      provide: Contributions,
      useFactory: (...parts: Contributions[]) => new AllContributions(parts),
      inject: [
        ProjectContributions,
        AwardContributions,
        EpicContributions,
        LabelEventContributions,
        IssueContributions,
        SnippetContributions,
        BuildContributions,
        MergeRequestContributions,
        NoteContributions,
      ],
    },
  ],
  exports: [
    BuiltMergeRequests,
    CommitPipelines,
    Awards,
    ClosingMergeRequests,
    DiscussionMoves,
    LentBranches,
    Mentions,
    MilestoneBearers,
    MovedProjects,
    ResolvableDiscussions,
    SeparatedForks,
    SystemNotes,
    Contributions,
  ],
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
        PlanningModule,
        CiModule,
        CollaborationModule,
        ScimModule,
        Ports,
        WebModule,
      ],
    };
  }
}
