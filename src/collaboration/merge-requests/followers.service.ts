import { signedIn, type Actor } from '#libs/access';
import { DomainError } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { UserSummary } from '../../identity/identity.api';
import { ParticipantsRepository, Subscriptions } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import type { MergeRequestDetails } from './merge-request-details';
import { MergeRequestDetailsService } from './merge-request-details.service';
import { MergeRequests } from './merge-requests.service';

/** Who takes part in merge requests and wants to hear of them. */
@Injectable()
export class Followers {
  constructor(
    private readonly found: MergeRequests,
    private readonly people: ParticipantsRepository,
    private readonly subscriptions: Subscriptions,
    private readonly records: MergeRequestDetailsService,
  ) {}

  async participants(
    actor: Actor,
    project: Project,
    iid: number,
    page: PageRequest,
  ): Promise<Page<UserSummary>> {
    const { id, description } = await this.found.require(actor, project, iid);
    return this.people.page({ kind: 'MergeRequest', id }, description, page);
  }

  /** Throws `not_modified` where it was so already. */
  async follow(
    actor: Actor,
    project: Project,
    iid: number,
    subscribed: boolean,
  ): Promise<MergeRequestDetails> {
    const user = signedIn(actor);
    const mergeRequest = await this.found.require(actor, project, iid);
    if (!(await this.subscriptions.change(user, 'MergeRequest', mergeRequest, subscribed)))
      throw new DomainError({ kind: 'not_modified' });
    return this.records.details(actor, project, mergeRequest);
  }
}
