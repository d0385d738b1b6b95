import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { JobDefinition } from '../configuration/job-definition';
import type { Pipeline } from './pipeline.entity';
import type { PipelineVariable } from './pipeline-variable';
import { PipelineVariablesRepository } from './pipeline-variables.repository';
import { PipelinesRepository } from './pipelines.repository';

/** A job as its variables tell of it. */
export interface JobFacts {
  readonly id: number;
  readonly name: string;
  readonly stage: string;
  readonly isManual: boolean;
  readonly authorId: number | null;
  readonly definition: JobDefinition;
  readonly pipeline: Pipeline;
  /** Of the pipeline. */
  readonly variables: readonly PipelineVariable[];
}

@Injectable()
export class JobFactsRepository {
  constructor(
    private readonly database: Database,
    private readonly pipelines: PipelinesRepository,
    private readonly variables: PipelineVariablesRepository,
  ) {}

  async find(jobId: number): Promise<JobFacts | null> {
    const [row] = await this.database.prepared<
      Omit<JobFacts, 'pipeline' | 'variables'> & { projectId: number; pipelineId: number }
    >(
      'facts_of_job',
      `SELECT status.id, status.name, status.stage, job."when" = 'manual' AS "isManual",
         status.author_id AS "authorId", job.definition, job.project_id AS "projectId", job.pipeline_id AS "pipelineId"
       FROM commit_statuses status JOIN jobs job ON job.id = status.id WHERE status.id = $1`,
      [jobId],
    );
    const pipeline = row ? await this.pipelines.find(row.projectId, row.pipelineId) : null;
    if (!row || !pipeline) return null;
    return { ...row, pipeline, variables: await this.variables.of(pipeline.id) };
  }
}
