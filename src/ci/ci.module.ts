import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/identity.module';
import { ARTIFACTS } from './artifacts/artifacts.providers';
import { CommitStatus } from './commit-statuses/commit-status.entity';
import { CommitStatusesController } from './commit-statuses/commit-statuses.controller';
import { CommitStatusesRepository } from './commit-statuses/commit-statuses.repository';
import { CommitStatuses } from './commit-statuses/commit-statuses.service';
import { ReportedPipelines } from './commit-statuses/reported-pipelines.service';
import { BuildContributions } from './contributions/build-contributions.repository';
import { JOBS } from './jobs/jobs.providers';
import { PIPELINES } from './pipelines/pipelines.providers';
import { RUNNERS } from './runners/runners.providers';

/** Pipelines, their jobs and the statuses of commits. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ...ARTIFACTS.entities,
      ...JOBS.entities,
      ...PIPELINES.entities,
      ...RUNNERS.entities,
      CommitStatus,
    ]),
    IdentityModule,
  ],
  controllers: [
    ...PIPELINES.controllers,
    ...JOBS.controllers,
    ...ARTIFACTS.controllers,
    ...RUNNERS.controllers,
    CommitStatusesController,
  ],
  providers: [
    ...PIPELINES.published,
    ...PIPELINES.providers,
    ...JOBS.providers,
    ...ARTIFACTS.providers,
    ...RUNNERS.providers,
    BuildContributions,
    CommitStatuses,
    CommitStatusesRepository,
    ReportedPipelines,
  ],
  exports: [...PIPELINES.published, BuildContributions],
})
export class CiModule {}
