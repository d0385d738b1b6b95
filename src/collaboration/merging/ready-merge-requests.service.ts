import { notAllowed, notFound } from '#libs/errors';
import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { SourceVersions } from '../merge-request-versions/source-versions.service';
import { staleHead } from './merge-refusals';
import { Mergeability } from './mergeability.service';

/** A merge request that can be merged now, and the two commits to join. */
export interface ReadyMergeRequest {
  readonly mergeRequest: MergeRequest;
  readonly head: Sha;
  readonly target: Sha;
}

/** Merge requests as they are under the lock of the target's repository. */
@Injectable()
export class ReadyMergeRequests {
  constructor(
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly sources: SourceVersions,
    private readonly mergeability: Mergeability,
  ) {}

  /** Throws 404 where it is gone, 405 where a branch is, 409 where the source has moved on, and what Mergeability throws. */
  async require(
    project: Project,
    id: number,
    seen: { readonly head: Sha; readonly targetBranch: string },
  ): Promise<ReadyMergeRequest> {
    const mergeRequest = await this.mergeRequests.findById(id);
    if (!mergeRequest) throw notFound();
    if (mergeRequest.targetBranch !== seen.targetBranch) throw notAllowed();
    const { head, target } = await this.mergeability.require(project, mergeRequest);
    const source = await this.sources.projectOf(project, mergeRequest);
    const tips = await this.sources.tips(project, source, mergeRequest);
    if (tips.source === null) throw notAllowed();
    if (tips.source !== seen.head || head !== seen.head) throw staleHead();
    return { mergeRequest, head, target };
  }

  /** Whether the target branch is where it was when that was found. */
  async isUnmoved(project: Project, { mergeRequest, target }: ReadyMergeRequest): Promise<boolean> {
    return (await this.sources.tips(project, null, mergeRequest)).target === target;
  }
}
