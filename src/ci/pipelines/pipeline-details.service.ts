import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import type { Project } from '../../repository/repository.api';
import type { DetailedPipeline } from './described-pipeline';
import type { Pipeline } from './pipeline.entity';

/** Gathers what the full record of a pipeline shows. */
@Injectable()
export class PipelineDetails {
  constructor(private readonly users: UserDirectory) {}

  async of(project: Pick<Project, 'fullPath'>, pipeline: Pipeline): Promise<DetailedPipeline> {
    const users = await this.users.byIds([pipeline.userId]);
    return { project, pipeline, user: users.get(pipeline.userId ?? 0) ?? null };
  }
}
