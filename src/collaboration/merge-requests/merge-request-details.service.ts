import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { Subscriptions } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import { ContributionsRepository } from './contributions.repository';
import { Divergence } from '../merge-request-versions/divergence.service';
import { MergeRequestDescriptions } from './merge-request-descriptions.service';
import type { DetailsWish, MergeRequestDetails } from './merge-request-details';
import type { MergeRequest } from './merge-request.entity';
import { MergeRights } from './merging-ports';
import { ShownPipelines } from '../merge-request-pipelines/shown-pipelines.service';

/** Gathers what the record of one merge request tells. */
@Injectable()
export class MergeRequestDetailsService {
  constructor(
    private readonly descriptions: MergeRequestDescriptions,
    private readonly subscriptions: Subscriptions,
    private readonly pipelines: ShownPipelines,
    private readonly contributions: ContributionsRepository,
    private readonly rights: MergeRights,
    private readonly divergence: Divergence,
  ) {}

  /** The actor, with their level in the project, may read it. */
  async details(
    actor: Actor,
    project: Project,
    mergeRequest: MergeRequest,
    wish: DetailsWish = {},
  ): Promise<MergeRequestDetails> {
    const described = await this.descriptions.describeOne(mergeRequest, project);
    const heard = await this.subscriptions.heardOf(actor, 'MergeRequest', [mergeRequest]);
    return {
      ...described,
      isSubscribed: heard.has(mergeRequest.id),
      headPipeline: await this.pipelines.ofHead(actor, project, mergeRequest),
      isFirstContribution: await this.contributions.isFirst(mergeRequest),
      canMerge: await this.rights.mayMerge(actor, project, mergeRequest.targetBranch),
      divergedCommitsCount: wish.divergedCommitsCount
        ? await this.divergence.count(project, mergeRequest)
        : null,
      showsRebase: wish.rebaseInProgress ?? false,
      showsHtml: wish.html ?? false,
    };
  }
}
