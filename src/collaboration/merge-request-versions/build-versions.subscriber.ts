import { EventSubscriber, on } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { MergeRequestPipelines } from '../../ci/ci.api';
import { ProjectsRepository } from '../../repository/repository.api';
import { buildOf } from '../merge-request-pipelines/built-merge-request';
import { HeadPipelineLinks } from '../merge-request-pipelines/head-pipeline-links.repository';
import { mergeRequestVersioned, type MergeRequestVersioned } from '../merge-requests/merge-request-events';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { SourceVersions } from './source-versions.service';

/** Has new heads of merge requests built, where the configuration has jobs for that. */
@Injectable()
export class BuildVersions extends EventSubscriber {
  readonly name = 'merge_request_builds';
  override readonly delivery = { expireInSeconds: 120 };
  readonly reactions = [on(mergeRequestVersioned, ({ payload }) => this.build(payload))];

  constructor(
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly projects: ProjectsRepository,
    private readonly sources: SourceVersions,
    private readonly pipelines: MergeRequestPipelines,
    private readonly links: HeadPipelineLinks,
  ) {
    super();
  }

  /** One head is built once, however often this runs; a later head makes this one nobody's business. */
  private async build({ mergeRequestId, headSha, actorId }: MergeRequestVersioned): Promise<void> {
    const mergeRequest = await this.mergeRequests.findById(mergeRequestId);
    const project = mergeRequest && (await this.projects.find(mergeRequest.projectId));
    if (!mergeRequest?.isOpen || mergeRequest.headSha !== headSha || !project) return;
    const source = await this.sources.projectOf(project, mergeRequest);
    const build = source && buildOf(mergeRequest, source, project);
    if (!build) return;
    const pipeline = await this.pipelines.create({
      project: source,
      mergeRequest: build,
      userIds: startersOf(mergeRequest, actorId),
    });
    if (pipeline) await this.links.take(pipeline.id);
  }
}

/** What somebody has pushed to a branch that is lent to them runs for the author, who has lent it. */
function startersOf({ isFromFork, authorId }: MergeRequest, actorId: number | null): number[] {
  const ids = actorId === null || isFromFork ? [actorId, authorId] : [actorId];
  return ids.filter((id) => id !== null);
}
