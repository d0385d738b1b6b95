import type { Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { RequestOrigin } from '../issuables/request-origin';
import { ResolvableDiscussions } from '../noteables/resolvable-discussions';
import type { DescribedIssue } from './described-issue';
import { IssueChanges } from './issue-changes.service';
import { IssueCreation } from './issue-creation.service';
import { IssueDescriptions } from './issue-descriptions.service';
import { IssueLookup } from './issue-lookup.service';
import { IssueOriginsRepository } from './issue-origins.repository';
import type { CreateIssue, UpdateIssue } from './issue.params';

/** Issues of a project, one at a time. */
@Injectable()
export class Issues {
  constructor(
    private readonly lookup: IssueLookup,
    private readonly descriptions: IssueDescriptions,
    private readonly creation: IssueCreation,
    private readonly changes: IssueChanges,
    private readonly discussions: ResolvableDiscussions,
    private readonly origins: IssueOriginsRepository,
  ) {}

  async show(actor: Actor, project: Project, iid: number): Promise<DescribedIssue> {
    return this.descriptions.describeOne(actor, await this.lookup.require(actor, project, iid));
  }

  /** Throws "404 UserAgentDetail Not Found". */
  async origin(actor: Actor, project: Project, iid: number): Promise<RequestOrigin> {
    const { id } = await this.lookup.require(actor, project, iid);
    const origin = await this.origins.find(id);
    if (!origin) throw notFound('UserAgentDetail');
    return origin;
  }

  /** Discussions of a merge request that the parameters name are resolved: they go on in the issue. */
  async create(
    actor: Actor,
    project: Project,
    params: CreateIssue,
    origin: RequestOrigin,
  ): Promise<DescribedIssue> {
    const { merge_request_to_resolve_discussions_of: mergeRequestIid, discussion_to_resolve: discussionId } =
      params;
    const issue = await this.creation.create(actor, project, stripped(params), async (created) => {
      await this.origins.record(created, origin);
      if (mergeRequestIid === undefined) return;
      const taken = { mergeRequestIid, discussionId: discussionId ?? null };
      await this.discussions.resolve(actor, project, taken, created);
    });
    return this.descriptions.describeOne(actor, issue);
  }

  async update(actor: Actor, project: Project, params: UpdateIssue): Promise<DescribedIssue> {
    const { id } = await this.lookup.require(actor, project, params.issue_iid);
    return this.descriptions.describeOne(
      actor,
      await this.changes.update(actor, project, id, stripped(params)),
    );
  }
}

/** A title counts without the blanks around it. */
const stripped = <T extends { readonly title?: string | undefined }>(params: T): T =>
  params.title === undefined ? params : { ...params, title: params.title.trim() };
