import { Injectable } from '@nestjs/common';
import { Repositories, type Project } from '../../repository/repository.api';
import type { Pipeline } from './pipeline.entity';
import { PipelineControl } from './pipeline-control.service';
import { PipelineSearchRepository } from './pipeline-search.repository';

/** Older pipelines of a branch that has gone on. */
@Injectable()
export class RedundantPipelines {
  constructor(
    private readonly repositories: Repositories,
    private readonly search: PipelineSearchRepository,
    private readonly control: PipelineControl,
  ) {}

  /**
   * As projects of the reference do unless told otherwise: cancels older pipelines of the same ref, but for where it is
   * now, if none of their jobs that may not be interrupted has begun. Of two pushes at once the earlier one may get its
   * pipeline last, which is no reason to cancel that of the later.
   */
  async cancelBefore(project: Project, pipeline: Pipeline): Promise<void> {
    const { ref, tag } = pipeline;
    const fullName = ref.startsWith('refs/') ? ref : `refs/${tag ? 'tags' : 'heads'}/${ref}`;
    const head = (await this.repositories.open(project).resolve(fullName)) ?? pipeline.sha;
    for (const id of await this.search.redundantBefore(pipeline, head)) await this.control.cancelIfIdle(id);
  }
}
