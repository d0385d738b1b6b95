import { notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { Pipeline } from '../pipelines/pipeline.entity';
import { PipelinesRepository } from '../pipelines/pipelines.repository';
import { Traces } from '../traces/traces.service';
import type { JobDetails } from './job-details';
import { JobRecords } from './job-records.service';
import type { ListJobs, ListPipelineJobs } from './job.params';
import type { Job } from './job.entity';
import { JobsRepository } from './jobs.repository';

/** What people see of a project's jobs. */
@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly pipelines: PipelinesRepository,
    private readonly records: JobRecords,
    private readonly traces: Traces,
  ) {}

  async list(
    project: Project,
    { scope }: ParamsOf<typeof ListJobs>,
    page: PageRequest,
  ): Promise<Page<JobDetails>> {
    return this.records.page(await this.jobs.ofProject(project.id, scope, page));
  }

  /** Throws "404 Not found" for a pipeline that is none of the project's. */
  async ofPipeline(
    project: Project,
    { pipeline_id: id, scope }: ParamsOf<typeof ListPipelineJobs>,
    page: PageRequest,
  ): Promise<Page<JobDetails>> {
    const pipeline = await this.pipelines.find(project.id, id);
    if (!pipeline) throw notFound();
    return this.records.page(await this.jobs.ofPipeline(pipeline.id, scope, page));
  }

  async show(project: Project, id: number): Promise<JobDetails> {
    return this.records.one(await this.require(project, id));
  }

  /** Its log; null where it has none. */
  async trace(project: Project, id: number) {
    return this.traces.read(await this.require(project, id));
  }

  /** Throws 404 where the pipeline was deleted meanwhile, and the job with it. */
  async pipelineOf({ projectId, pipelineId }: Job): Promise<Pipeline> {
    const pipeline = await this.pipelines.find(projectId, pipelineId);
    if (!pipeline) throw notFound();
    return pipeline;
  }

  /** Throws "404 Not found" for a job that is none of the project's. */
  async require(project: Project, id: number): Promise<Job> {
    const job = await this.jobs.findIn(project.id, id);
    if (!job) throw notFound();
    return job;
  }
}
