import { Level, signedIn, type Actor } from '#libs/access';
import { invalidParameter } from '#libs/errors';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { DescribedIssue } from './described-issue';
import { IssueDescriptions } from './issue-descriptions.service';
import type { IssueCountParams, IssueListParams } from './issue-list.params';
import type { IssueSearch, IssueSorting, ListedPlace } from './issue-list';
import { IssueSearchRepository } from './issue-search.repository';
import type { Issue } from './issue.entity';
import type { IssueCounts } from './issue-counts';

const EVERYWHERE: ListedPlace = { in: 'everywhere' };

export const inGroup = ({ id }: { readonly id: number }): ListedPlace => ({ in: 'group', groupId: id });

/** The actor has the level of the project, whose issues they may read. */
export const inProject = ({ user, level }: Actor, { id }: { readonly id: number }): ListedPlace => ({
  in: 'project',
  projectId: id,
  withConfidential: user?.isAdmin === true || level >= Level.reporter,
});

/** Issues as people look for them. */
@Injectable()
export class IssueLists {
  constructor(
    private readonly searches: IssueSearchRepository,
    private readonly descriptions: IssueDescriptions,
    private readonly license: License,
  ) {}

  /** Of all projects; without a scope those that the actor has written. */
  everywhere(actor: Actor, params: IssueListParams, page: PageRequest): Promise<Page<DescribedIssue>> {
    return this.list(actor, EVERYWHERE, { ...params, scope: scopeOf(actor, params) }, page);
  }

  async list(
    actor: Actor,
    place: ListedPlace,
    params: IssueListParams,
    page: PageRequest,
  ): Promise<Page<DescribedIssue>> {
    const search = this.searchOf(actor, place, params);
    const sorting = { orderBy: params.order_by, sort: params.sort };
    return this.described(actor, search, sorting, page, params.with_labels_details);
  }

  /** Those of a milestone that the actor may read, the most important first; the place has all that can have it. */
  ofMilestone(
    actor: Actor,
    place: ListedPlace,
    milestoneId: number,
    page: PageRequest,
  ): Promise<Page<DescribedIssue>> {
    const search = { viewer: actor.user, place, filter: { milestoneId } };
    return this.described(actor, search, { orderBy: 'label_priority', sort: 'asc' }, page, false);
  }

  countEverywhere(actor: Actor, params: IssueCountParams): Promise<IssueCounts> {
    return this.count(actor, EVERYWHERE, { ...params, scope: scopeOf(actor, params) });
  }

  async count(actor: Actor, place: ListedPlace, params: IssueCountParams): Promise<IssueCounts> {
    const counts = await this.searches.countByState(this.searchOf(actor, place, params));
    const opened = counts.get('opened') ?? 0;
    const closed = counts.get('closed') ?? 0;
    return { all: opened + closed, closed, opened };
  }

  private async described(
    actor: Actor,
    search: IssueSearch,
    sorting: IssueSorting,
    request: PageRequest,
    labelDetails: boolean,
  ): Promise<Page<DescribedIssue>> {
    const found: Page<Issue> = await this.searches.page(search, sorting, request);
    const described = await this.descriptions.describe(actor, found.rows, { labelDetails });
    const byId = new Map(described.map((one) => [one.issue, one]));
    return mapPage(found, (issue) => {
      const one = byId.get(issue);
      if (!one) throw new Error('every issue is described');
      return one;
    });
  }

  private searchOf(
    { user }: Actor,
    place: ListedPlace,
    params: IssueListParams | IssueCountParams,
  ): IssueSearch {
    this.requireFewAssignees(params.assignee_username);
    this.requireFewAssignees(params.not?.assignee_username);
    const { weight, ...plain } = params;
    const filter = weight !== undefined && this.license.has('issue_weights') ? params : plain;
    return { viewer: user, place, filter };
  }

  private requireFewAssignees(usernames: readonly string[] = []): void {
    if (usernames.length < 2 || this.license.has('multiple_assignees')) return;
    const found = `${usernames.length}: ${usernames.join(', ')}`;
    throw invalidParameter(`assignee_username allows one value, but found ${found}`);
  }
}

/** Anonymous callers have written nothing: all that they see is all that they can ask for. */
function scopeOf(actor: Actor, { scope = 'created_by_me' }: Pick<IssueCountParams, 'scope'>) {
  if (scope !== 'all') signedIn(actor);
  return scope;
}
