import { EventSubscriber, on, type NewEvent } from '#libs/events';
import { Jobs } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { pipelineChanged, type PipelineChanged } from '../../ci/ci.api';
import { awaitedMerges } from './awaited-merge.queue';
import { HeadPipelines } from './head-pipelines.repository';

/** Has merged what waits for a pipeline that has succeeded. */
@Injectable()
export class AwaitedPipelines extends EventSubscriber {
  readonly name = 'collaboration.awaited_pipelines';
  readonly reactions = [on(pipelineChanged, ({ payload }) => this.changed(payload))];

  constructor(
    private readonly pipelines: HeadPipelines,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  override concerns({ payload }: NewEvent): Promise<boolean> {
    return Promise.resolve('status' in payload && payload.status === 'success');
  }

  private async changed({ pipelineId, status }: PipelineChanged): Promise<void> {
    if (status !== 'success') return;
    const waiting = await this.pipelines.waitingFor(pipelineId);
    await this.jobs.enqueueAll(
      waiting.map((mergeRequestId) => ({
        queue: awaitedMerges,
        data: { mergeRequestId },
        key: String(mergeRequestId),
      })),
    );
  }
}
