import { Database } from '#libs/database';
import { Events } from '#libs/events';
import { Injectable } from '@nestjs/common';
import type { NewJobs } from '../configuration/new-job';
import { jobChanged } from '../jobs/job-changed.event';
import { PipelinesRepository, type NewPipeline } from './pipelines.repository';
import type { Pipeline } from './pipeline.entity';
import { PipelineJobsRepository } from './pipeline-jobs.repository';
import type { PipelineOrder } from './pipeline-order';
import { PipelineProcessing } from './pipeline-processing';
import { PipelineVariablesRepository } from './pipeline-variables.repository';

/** Makes pipelines, their variables and jobs, and has them begin. */
@Injectable()
export class PipelineCreation {
  constructor(
    private readonly database: Database,
    private readonly pipelines: PipelinesRepository,
    private readonly jobs: PipelineJobsRepository,
    private readonly variables: PipelineVariablesRepository,
    private readonly processing: PipelineProcessing,
    private readonly events: Events,
  ) {}

  /** One with jobs, which begin at once. */
  run(order: PipelineOrder, jobs: NewJobs, isProtected: boolean): Promise<Pipeline | null> {
    return this.make(order, { protected: isProtected, status: 'created' }, async (pipeline) => {
      await this.addJobs(pipeline, jobs);
      await this.processing.carryOn(pipeline.id);
      await this.processing.recount(pipeline);
    });
  }

  /** One without jobs, that whoever reports statuses moves; or that has ended before it began. */
  empty(
    order: PipelineOrder,
    values: Pick<NewPipeline, 'status' | 'yamlErrors' | 'protected'>,
  ): Promise<Pipeline | null> {
    const hasEnded = values.status === 'failed' || values.status === 'skipped';
    return this.make(order, { ...values, finishedAt: hasEnded ? new Date() : null }, (pipeline) =>
      this.processing.tell(pipeline),
    );
  }

  /** Null where the event has made it before. */
  private make(
    order: PipelineOrder,
    values: Pick<NewPipeline, 'status' | 'yamlErrors' | 'protected' | 'finishedAt'>,
    begin: (pipeline: Pipeline) => Promise<void>,
  ): Promise<Pipeline | null> {
    const { project, ref, tag, commit, beforeSha, source, actor, eventId, mergeRequest } = order;
    return this.database.transaction(async () => {
      if (eventId !== null && (await this.pipelines.madeBy(eventId, order))) return null;
      const pipeline = await this.pipelines.create({
        projectId: project.id,
        ref,
        tag,
        sha: commit.sha,
        beforeSha,
        source,
        userId: actor.user?.id ?? null,
        committedAt: new Date(commit.committer.time * 1000),
        mergeRequestId: mergeRequest?.id ?? null,
        madeByEvent: eventId,
        ...values,
      });
      await this.variables.add(pipeline.id, order.variables);
      await begin(pipeline);
      return pipeline;
    });
  }

  private async addJobs(pipeline: Pipeline, jobs: NewJobs): Promise<void> {
    const { projectId, id: pipelineId } = pipeline;
    const ids = await this.jobs.create(pipeline, jobs);
    await this.events.emitAll(
      ids.map((jobId) => ({
        name: jobChanged.name,
        payload: { projectId, pipelineId, jobId, status: 'created' },
      })),
    );
  }
}
