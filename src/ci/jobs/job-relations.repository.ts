import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository, type Project } from '../../repository/repository.api';
import { Pipeline } from '../pipelines/pipeline.entity';
import type { Job } from './job.entity';

/** What jobs belong to, for their records. */
@Injectable()
export class JobRelationsRepository {
  constructor(
    private readonly database: Database,
    private readonly projectRows: ProjectsRepository,
  ) {}

  /** By id. */
  async projects(jobs: readonly Job[]): Promise<ReadonlyMap<number, Project>> {
    const found = await this.projectRows.findMany([...new Set(jobs.map(({ projectId }) => projectId))]);
    return new Map(found.map((project) => [project.id, project]));
  }

  /** By id. */
  async pipelines(jobs: readonly Job[]): Promise<ReadonlyMap<number, Pipeline>> {
    const ids = [...new Set(jobs.map(({ pipelineId }) => pipelineId))];
    if (ids.length === 0) return new Map();
    const found = await this.database.manager
      .createQueryBuilder(Pipeline, 'pipeline')
      .where('pipeline.id = ANY(:ids)', { ids })
      .getMany();
    return new Map(found.map((pipeline) => [pipeline.id, pipeline]));
  }
}
