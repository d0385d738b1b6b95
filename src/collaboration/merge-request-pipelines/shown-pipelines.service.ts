import { PROJECT_POLICY, type Actor } from '#libs/access';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Pipeline, PipelineDetails, type DetailedPipeline, type ListedPipeline } from '../../ci/ci.api';
import { AccessibleProjects, type Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestPipelinesRepository } from './merge-request-pipelines.repository';

/** Pipelines of merge requests, as far as who looks may see them: those of a fork run in the fork. */
@Injectable()
export class ShownPipelines {
  constructor(
    private readonly found: MergeRequestPipelinesRepository,
    private readonly details: PipelineDetails,
    private readonly accessible: AccessibleProjects,
  ) {}

  async ofHead(
    actor: Actor,
    project: Project,
    { headPipelineId }: MergeRequest,
  ): Promise<DetailedPipeline | null> {
    const pipeline = headPipelineId === null ? null : await this.found.find(headPipelineId);
    return pipeline && this.detailed(actor, project, pipeline);
  }

  /** Newest first: those of the commits of the merge request that ran on its branch, or were made for it. */
  async list(
    actor: Actor,
    project: Project,
    mergeRequest: MergeRequest,
    request: PageRequest,
  ): Promise<Page<ListedPipeline>> {
    const place = await this.placeOf(actor, project, mergeRequest.sourceProjectId);
    if (!place) return { rows: [], total: 0, hasNext: false };
    const page = await this.found.page(mergeRequest, request);
    return mapPage(page, (pipeline) => ({ pipeline, project: place }));
  }

  private async detailed(
    actor: Actor,
    project: Project,
    pipeline: Pipeline,
  ): Promise<DetailedPipeline | null> {
    const place = await this.placeOf(actor, project, pipeline.projectId);
    return place && this.details.of(place, pipeline);
  }

  /** The project that the pipelines are in; null where the actor may not see them. */
  private async placeOf(actor: Actor, project: Project, id: number | null): Promise<Project | null> {
    if (id === null) return null;
    if (id === project.id) return PROJECT_POLICY.read_pipelines(actor, project) ? project : null;
    const found = await this.accessible.find(actor, id);
    return found && PROJECT_POLICY.read_pipelines(found.actor, found.project) ? found.project : null;
  }
}
