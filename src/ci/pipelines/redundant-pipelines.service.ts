import { Injectable } from '@nestjs/common';
import type { Pipeline } from './pipeline.entity';
import { PipelineControl } from './pipeline-control.service';
import { PipelineSearchRepository } from './pipeline-search.repository';

/** Older pipelines of a branch that has gone on. */
@Injectable()
export class RedundantPipelines {
  constructor(
    private readonly search: PipelineSearchRepository,
    private readonly control: PipelineControl,
  ) {}

  /**
   * As projects of the reference do unless told otherwise: cancels older pipelines of the same ref and other commits,
   * if none of their jobs that may not be interrupted has begun.
   */
  async cancelBefore(pipeline: Pipeline): Promise<void> {
    for (const id of await this.search.redundantBefore(pipeline)) await this.control.cancelIfIdle(id);
  }
}
