import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import { badRequest, forbidden } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import {
  MergeRequestPipelines,
  PipelineDetails,
  type DetailedPipeline,
  type ListedPipeline,
} from '../../ci/ci.api';
import type { Project } from '../../repository/repository.api';
import { buildOf } from './built-merge-request';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import { ShownPipelines } from './shown-pipelines.service';
import { SourceVersions } from '../merge-request-versions/source-versions.service';

/** Pipelines of merge requests, as people ask for them. */
@Injectable()
export class MadePipelines {
  constructor(
    private readonly found: MergeRequests,
    private readonly shown: ShownPipelines,
    private readonly sources: SourceVersions,
    private readonly pipelines: MergeRequestPipelines,
    private readonly details: PipelineDetails,
  ) {}

  /** Newest first. */
  async list(actor: Actor, project: Project, iid: number, page: PageRequest): Promise<Page<ListedPipeline>> {
    const mergeRequest = await this.found.require(actor, project, iid);
    return this.shown.list(actor, project, mergeRequest, page);
  }

  /** Throws 403 for who may not push, and 400 where the configuration has nothing for merge requests. */
  async make(actor: Actor, project: Project, iid: number): Promise<DetailedPipeline> {
    const userIds = [signedIn(actor).id];
    const mergeRequest = await this.found.require(actor, project, iid);
    if (!PROJECT_POLICY.push_code(actor, project)) throw forbidden();
    const source = await this.sources.projectOf(project, mergeRequest);
    const build = source && buildOf(mergeRequest, source, project);
    const pipeline =
      build && (await this.pipelines.create({ project: source, mergeRequest: build, userIds, again: true }));
    if (!pipeline) throw badRequest('There are no jobs for this merge request');
    return this.details.of(source, pipeline);
  }
}
