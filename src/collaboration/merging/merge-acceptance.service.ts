import type { Actor } from '#libs/access';
import { unauthenticated } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRights } from '../merge-requests/merging-ports';
import { CurrentMergeRequests } from './current-merge-requests.service';
import { HeadPipelines, isUnderWay } from './head-pipelines.repository';
import { MergeWishes } from './merge-wishes.service';
import { Mergeability } from './mergeability.service';
import { Merging } from './merging.service';
import type { MergeOrder } from './merge-order';
import { staleHead } from './merge-refusals';
import type { AcceptMergeRequest } from './merging.params';

type AcceptParams = ParamsOf<typeof AcceptMergeRequest>;

/** Somebody wants a merge request merged, at once or once its pipeline has succeeded. */
@Injectable()
export class MergeAcceptance {
  constructor(
    private readonly current: CurrentMergeRequests,
    private readonly rights: MergeRights,
    private readonly pipelines: HeadPipelines,
    private readonly mergeability: Mergeability,
    private readonly merging: Merging,
    private readonly wishes: MergeWishes,
  ) {}

  /** In the reference's order: 404, right to merge (401), state and rules (405), conflict (406), sha (409). */
  async accept(actor: Actor, project: Project, params: AcceptParams): Promise<MergeRequest> {
    const mergeRequest = await this.current.require(actor, project, params.merge_request_iid);
    if (!(await this.rights.mayMerge(actor, project, mergeRequest.targetBranch))) throw unauthenticated();
    const waits =
      params.merge_when_pipeline_succeeds === true && isUnderWay(await this.pipelines.of(mergeRequest));
    const { head } = await this.mergeability.require(project, mergeRequest, { exceptPipeline: waits });
    if (params.sha !== undefined && params.sha !== head) throw staleHead();
    const order = orderOf(head, mergeRequest, params);
    if (!waits) return this.merging.merge(actor, project, mergeRequest, order);
    return this.wishes.wish(actor, mergeRequest.id, order, params.should_remove_source_branch ?? null);
  }
}

const orderOf = (head: string, mergeRequest: MergeRequest, params: AcceptParams): MergeOrder => ({
  head,
  // As in the reference, only `true` changes what the merge request says itself.
  squash: params.squash === true || mergeRequest.squash,
  mergeCommitMessage: written(params.merge_commit_message),
  squashCommitMessage: written(params.squash_commit_message),
  removesSourceBranch: params.should_remove_source_branch ?? mergeRequest.forceRemoveSourceBranch,
});

const written = (message: string | undefined): string | null =>
  message === undefined || message.trim() === '' ? null : message;
