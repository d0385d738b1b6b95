import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound, requireUnmodified } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { JobMoves } from '../jobs/job-moves';
import type { Pipeline } from './pipeline.entity';
import { PipelineJobsRepository } from './pipeline-jobs.repository';
import { PipelineProcessing } from './pipeline-processing';
import { PipelinesRepository } from './pipelines.repository';
import { RefRights } from './ref-rights';
import { isFinished, type CiStatus } from './status';

const RETRIED: readonly CiStatus[] = ['failed', 'canceled'];

/** Retrying, stopping and removing pipelines. */
@Injectable()
export class PipelineControl {
  constructor(
    private readonly database: Database,
    private readonly pipelines: PipelinesRepository,
    private readonly jobs: PipelineJobsRepository,
    private readonly processing: PipelineProcessing,
    private readonly moves: JobMoves,
    private readonly rights: RefRights,
  ) {}

  /**
   * Runs failed and canceled jobs again, on behalf of the caller; what others reported of failures may be reported
   * again. Specification, States: then it is pending.
   */
  retry(actor: Actor, project: Project, pipelineId: number): Promise<Pipeline> {
    return this.change(actor, project, pipelineId, async (pipeline) => {
      const jobs = await this.jobs.latest(pipeline.id);
      const again = jobs.filter(({ status }) => RETRIED.includes(status)).map(({ id }) => id);
      if (again.length > 0) {
        const copies = await this.moves.retry(again, signedIn(actor).id);
        await this.processing.reconsiderAfter(copies, pipeline.id);
      }
      const reopened = await this.jobs.reopenExternal(pipeline.id);
      const wasEmpty = jobs.length === 0 && RETRIED.includes(pipeline.status) && !pipeline.yamlErrors;
      // Somebody else may have done so a moment ago: then it is pending already, and stays so.
      if (again.length === 0 && reopened === 0 && !wasEmpty) return;
      await this.processing.carryOn(pipeline.id);
      await this.processing.recount(pipeline, { isRetried: true });
    });
  }

  /** Stops what has not ended, jobs and others' statuses alike. */
  cancel(actor: Actor, project: Project, pipelineId: number): Promise<Pipeline> {
    return this.change(actor, project, pipelineId, (pipeline) => this.stop(pipeline));
  }

  /** For a pipeline that has become redundant; unless one of its jobs may by now no longer be interrupted. */
  async cancelIfIdle(pipelineId: number): Promise<void> {
    await this.database.transaction(async () => {
      const pipeline = await this.processing.lock(pipelineId);
      if (pipeline && (await this.jobs.mayBeInterrupted(pipelineId))) await this.stop(pipeline);
    });
  }

  async remove(project: Project, pipelineId: number, unmodifiedSince: Date | null): Promise<void> {
    await this.database.transaction(async () => {
      const pipeline = await this.locked(project, pipelineId);
      requireUnmodified(pipeline.updatedAt, unmodifiedSince);
      // Running jobs lose their tokens.
      await this.moves.cancel(await this.unfinished(pipeline.id));
      await this.moves.removeFiles(pipeline.id);
      await this.pipelines.remove(pipeline);
    });
  }

  /** What has ended stays as it is, and the jobs that it still offers with it. */
  private async stop(pipeline: Pipeline): Promise<void> {
    if (isFinished(pipeline.status)) return;
    await this.moves.cancel(await this.unfinished(pipeline.id));
    await this.jobs.cancelExternal(pipeline.id);
    await this.processing.recount(pipeline, { isCanceled: true });
  }

  private async unfinished(pipelineId: number): Promise<number[]> {
    const jobs = await this.jobs.latest(pipelineId);
    return jobs.filter(({ status }) => !isFinished(status)).map(({ id }) => id);
  }

  private change(
    actor: Actor,
    project: Project,
    pipelineId: number,
    work: (pipeline: Pipeline) => Promise<void>,
  ): Promise<Pipeline> {
    return this.database.transaction(async () => {
      const pipeline = await this.locked(project, pipelineId);
      if (!(await this.rights.mayRun(actor, project, pipeline))) throw forbidden();
      await work(pipeline);
      return pipeline;
    });
  }

  private async locked(project: Project, pipelineId: number): Promise<Pipeline> {
    const pipeline = await this.processing.lock(pipelineId);
    if (pipeline?.projectId !== project.id) throw notFound();
    return pipeline;
  }
}
