import { Events } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { JobMoves } from '../jobs/job-moves';
import { nextMoves } from './next-moves';
import { pipelineChanged } from './pipeline-changed.event';
import type { Pipeline } from './pipeline.entity';
import { PipelineJobsRepository } from './pipeline-jobs.repository';
import { PipelinesRepository } from './pipelines.repository';

/**
 * Has the jobs of pipelines run in their order. Who changes a job's status does so in a transaction that first locks
 * the pipeline and last has it advance, so that of two jobs that end at once neither is overlooked.
 */
@Injectable()
export class PipelineProcessing {
  constructor(
    private readonly pipelines: PipelinesRepository,
    private readonly jobs: PipelineJobsRepository,
    private readonly moves: JobMoves,
    private readonly events: Events,
  ) {}

  /** Keeps everybody else from changing the pipeline's jobs until the transaction ends; null where it is gone. */
  lock(pipelineId: number): Promise<Pipeline | null> {
    return this.pipelines.lock(pipelineId);
  }

  /** Lets the jobs whose turn has come go on, and recounts the pipeline. In the transaction of the change. */
  async advance(pipelineId: number): Promise<void> {
    const pipeline = await this.lock(pipelineId);
    if (!pipeline) return;
    await this.carryOn(pipelineId);
    await this.recount(pipeline);
  }

  /** Later jobs that were skipped have another chance once these, which run again, have ended. */
  async reconsiderAfter(jobIds: readonly number[], pipelineId: number): Promise<void> {
    const jobs = await this.jobs.latest(pipelineId);
    const stages = jobs.filter(({ id }) => jobIds.includes(id)).map(({ stageIndex }) => stageIndex);
    const first = Math.min(...stages);
    const skipped = jobs.filter(({ status, stageIndex }) => status === 'skipped' && stageIndex > first);
    if (skipped.length > 0) await this.moves.reopen(skipped.map(({ id }) => id));
  }

  /** Takes the status that its jobs and others' statuses add up to, and tells of it. */
  async recount(pipeline: Pipeline, why: { isRetried?: boolean; isCanceled?: boolean } = {}): Promise<void> {
    const { status: before } = pipeline;
    const now = new Date();
    const figures = await this.pipelines.figures(pipeline.id);
    pipeline.recount(figures, now);
    const isRunning = figures.statuses.some(({ status }) => status === 'running');
    if (why.isRetried && !isRunning) pipeline.awaitRetry();
    if (why.isCanceled) pipeline.cancel(now);
    await this.pipelines.save(pipeline);
    if (pipeline.status !== before) await this.tell(pipeline);
  }

  /** Of a pipeline that is new, or has another status. */
  async tell({ projectId, id: pipelineId, status }: Pipeline): Promise<void> {
    await this.events.emit(pipelineChanged, { projectId, pipelineId, status });
  }

  /** Lets the jobs whose turn has come go on; the caller recounts. */
  async carryOn(pipelineId: number): Promise<void> {
    const { enqueue, offer, schedule, skip } = nextMoves(await this.jobs.latest(pipelineId));
    if (skip.length > 0) await this.moves.skip(skip);
    if (offer.length > 0) await this.moves.offer(offer);
    if (schedule.length > 0) {
      const now = Date.now();
      await this.moves.schedule(
        schedule.map(({ id, seconds }) => ({ id, startAfter: new Date(now + seconds * 1000) })),
      );
    }
    if (enqueue.length > 0) await this.moves.enqueue(enqueue);
  }
}
