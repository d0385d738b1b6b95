import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/identity.module';
import { CommitStatus } from './commit-statuses/commit-status.entity';
import { CommitStatusesController } from './commit-statuses/commit-statuses.controller';
import { CommitStatusesRepository } from './commit-statuses/commit-statuses.repository';
import { CommitStatuses } from './commit-statuses/commit-statuses.service';
import { BuildContributions } from './contributions/build-contributions.repository';
import { Pipeline } from './pipelines/pipeline.entity';
import { PipelineHookEvent } from './pipelines/pipeline-hook-event';
import { PipelinesRepository } from './pipelines/pipelines.repository';

/** Pipelines and the statuses of commits. */
@Module({
  imports: [TypeOrmModule.forFeature([CommitStatus, Pipeline]), IdentityModule],
  controllers: [CommitStatusesController],
  providers: [
    BuildContributions,
    CommitStatuses,
    CommitStatusesRepository,
    PipelineHookEvent,
    PipelinesRepository,
  ],
  exports: [BuildContributions, PipelinesRepository],
})
export class CiModule {}
