import { signedIn, type Actor } from '#libs/access';
import { DomainError } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { UserSummary } from '../../identity/identity.api';
import type { Project } from '../../repository/repository.api';
import { ParticipantsRepository } from '../issuables/participants.repository';
import { Subscriptions } from '../subscriptions/subscriptions.service';
import type { DescribedIssue } from './described-issue';
import { IssueDescriptions } from './issue-descriptions.service';
import { IssueLookup } from './issue-lookup.service';

/** Who takes part in issues, and who wants to hear of them. */
@Injectable()
export class IssueFollowing {
  constructor(
    private readonly lookup: IssueLookup,
    private readonly descriptions: IssueDescriptions,
    private readonly subscriptions: Subscriptions,
    private readonly participants: ParticipantsRepository,
  ) {}

  async participantsOf(
    actor: Actor,
    project: Project,
    iid: number,
    page: PageRequest,
  ): Promise<Page<UserSummary>> {
    const issue = await this.lookup.require(actor, project, iid);
    return this.participants.page({ kind: 'Issue', id: issue.id }, issue.description, page);
  }

  /** Throws `not_modified` where it is so already. */
  async follow(actor: Actor, project: Project, iid: number, subscribed: boolean): Promise<DescribedIssue> {
    const issue = await this.lookup.require(actor, project, iid);
    const isNew = await this.subscriptions.change(signedIn(actor), 'Issue', issue, subscribed);
    if (!isNew) throw new DomainError({ kind: 'not_modified' });
    return this.descriptions.describeOne(actor, issue);
  }
}
