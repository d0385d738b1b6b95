import { atLeast, type Actor } from '#libs/access';
import { forbidden, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { DetailedPipeline, ListedPipeline } from './described-pipeline';
import { PipelineControl } from './pipeline-control.service';
import { PipelineDetails } from './pipeline-details.service';
import { PipelineRequests } from './pipeline-requests.service';
import { PipelineSearches } from './pipeline-searches.service';
import type { PipelineVariable } from './pipeline-variable';
import { PipelineVariablesRepository } from './pipeline-variables.repository';
import type { CreatePipeline, ListPipelines } from './pipeline.params';
import { PipelinesRepository } from './pipelines.repository';

/** Pipelines as people see them. */
@Injectable()
export class Pipelines {
  constructor(
    private readonly pipelines: PipelinesRepository,
    private readonly searches: PipelineSearches,
    private readonly given: PipelineVariablesRepository,
    private readonly control: PipelineControl,
    private readonly requests: PipelineRequests,
    private readonly details: PipelineDetails,
  ) {}

  async list(
    project: Project,
    params: ParamsOf<typeof ListPipelines>,
    page: PageRequest,
  ): Promise<Page<ListedPipeline>> {
    const found = await this.searches.find(project, params, page);
    return mapPage(found, (pipeline) => ({ pipeline, project }));
  }

  async find(project: Project, id: number): Promise<DetailedPipeline> {
    return this.details.of(project, await this.require(project, id));
  }

  /** The newest of a branch or tag. */
  async latest(project: Project, ref: string | undefined): Promise<DetailedPipeline> {
    const wanted = ref || project.defaultBranch;
    const pipeline = wanted === null ? null : await this.pipelines.newestOn(project.id, wanted);
    if (!pipeline) throw notFound();
    return this.details.of(project, pipeline);
  }

  /** Their values are secrets, which maintainers know and whoever gave them. */
  async variables(actor: Actor, project: Project, id: number): Promise<PipelineVariable[]> {
    const pipeline = await this.require(project, id);
    const isOwn = actor.user !== null && pipeline.userId === actor.user.id;
    if (!isOwn && !atLeast('maintainer')(actor, project)) throw forbidden();
    return this.given.of(pipeline.id);
  }

  async create(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof CreatePipeline>,
  ): Promise<DetailedPipeline> {
    return this.details.of(project, await this.requests.create(actor, project, params));
  }

  async retry(actor: Actor, project: Project, id: number): Promise<DetailedPipeline> {
    return this.details.of(project, await this.control.retry(actor, project, id));
  }

  async cancel(actor: Actor, project: Project, id: number): Promise<DetailedPipeline> {
    return this.details.of(project, await this.control.cancel(actor, project, id));
  }

  remove(project: Project, id: number, unmodifiedSince: Date | null): Promise<void> {
    return this.control.remove(project, id, unmodifiedSince);
  }

  private async require(project: Project, id: number) {
    const pipeline = await this.pipelines.find(project.id, id);
    if (!pipeline) throw notFound();
    return pipeline;
  }
}
