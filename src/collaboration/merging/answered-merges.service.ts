import type { Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { MergeRequestDetailsService } from '../merge-requests/merge-request-details.service';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import { MergeAcceptance } from './merge-acceptance.service';
import { MergeWishes } from './merge-wishes.service';
import type { AcceptMergeRequest, MergeRequestPath } from './merging.params';

/** What is asked of merge requests about merging, answered with the record as it is afterwards. */
@Injectable()
export class AnsweredMerges {
  constructor(
    private readonly acceptance: MergeAcceptance,
    private readonly wishes: MergeWishes,
    private readonly mergeRequests: MergeRequests,
    private readonly records: MergeRequestDetailsService,
  ) {}

  async accept(actor: Actor, project: Project, params: ParamsOf<typeof AcceptMergeRequest>) {
    return this.records.details(actor, project, await this.acceptance.accept(actor, project, params));
  }

  async cancelWish(actor: Actor, project: Project, params: ParamsOf<typeof MergeRequestPath>) {
    const seen = await this.mergeRequests.require(actor, project, params.merge_request_iid);
    return this.records.details(actor, project, await this.wishes.cancel(actor, project, seen));
  }
}
