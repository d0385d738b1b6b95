import { Injectable } from '@nestjs/common';
import { JobArtifactsRepository } from '../artifacts/job-artifacts.repository';
import type { Job } from '../jobs/job.entity';
import { JobRelationsRepository } from '../jobs/job-relations.repository';
import { JobsRepository } from '../jobs/jobs.repository';
import { JobVariables } from '../pipelines/job-variables';
import type { TakenJob } from './job-payload';
import type { Runner } from './runner.entity';

/** Gathers what a runner is told of a job. */
@Injectable()
export class TakenJobs {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly relations: JobRelationsRepository,
    private readonly artifacts: JobArtifactsRepository,
    private readonly variables: JobVariables,
  ) {}

  async describe(job: Job, runner: Runner, token: string): Promise<TakenJob> {
    const project = (await this.relations.projects([job])).get(job.projectId);
    const pipeline = (await this.relations.pipelines([job])).get(job.pipelineId);
    if (!project || !pipeline) throw new Error(`job ${job.id} has lost its project or pipeline`);
    const variables = await this.variables.of(job.id);
    if (!variables) throw new Error(`job ${job.id} is gone`);
    const before = await this.dependenciesOf(job);
    const artifacts = await this.artifacts.byJobs(before.map(({ id }) => id));
    const dependencies = before.map((dependency) => ({
      job: dependency,
      archive: artifacts.get(dependency.id)?.find(({ fileType }) => fileType === 'archive') ?? null,
    }));
    return { job, runner, token, project, pipeline, variables, dependencies };
  }

  /** Whether all that it depends on by name is still there: neither erased nor expired. */
  async areDependenciesThere(job: Job): Promise<boolean> {
    const now = new Date();
    const before = await this.dependenciesOf(job);
    return before.every(
      ({ isErased, artifactsExpireAt }) =>
        !isErased && (artifactsExpireAt === null || artifactsExpireAt > now),
    );
  }

  private async dependenciesOf(job: Job): Promise<Job[]> {
    const { dependencies } = job.definition;
    if (dependencies?.length === 0 || (job.needs === null && job.record.stageIndex === 0)) return [];
    const before = await this.jobs.before(job);
    return before.filter(({ record }) => dependencies === null || dependencies.includes(record.name));
  }
}
