import { signedIn, type Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository } from '../../repository/repository.api';
import type { DescribedMergeRequest, ListedMergeRequest } from './described-merge-request';
import { MergeRequestDescriptions, projectsOf } from './merge-request-descriptions.service';
import type { ListMergeRequests } from './merge-request-list.params';
import type { MergeRequestSearch, SearchPlace } from './merge-request-search';
import { MergeRequestSearchRepository } from './merge-request-search.repository';
import type { MergeRequest } from './merge-request.entity';

type ListParams = ParamsOf<typeof ListMergeRequests>;

const EVERYWHERE: SearchPlace = { kind: 'everywhere' };

/** Lists of merge requests, as far as who asks may read them. */
@Injectable()
export class MergeRequestLists {
  constructor(
    private readonly searches: MergeRequestSearchRepository,
    private readonly projects: ProjectsRepository,
    private readonly descriptions: MergeRequestDescriptions,
  ) {}

  /** Of all projects; one's own by default. Only a look at all of them is open to nobody in particular. */
  everywhere(actor: Actor, params: ListParams, page: PageRequest): Promise<Page<ListedMergeRequest>> {
    const { scope = 'created_by_me' } = params;
    if (scope !== 'all') signedIn(actor);
    return this.list(actor, EVERYWHERE, { ...params, scope }, page);
  }

  /** Of a group with those inside it, or of a project whose merge requests the actor may read. */
  async list(
    actor: Actor,
    place: SearchPlace,
    params: ListParams,
    request: PageRequest,
  ): Promise<Page<ListedMergeRequest>> {
    const { order_by: orderBy, sort, ...filter } = params;
    const page = await this.searches.page({ viewer: actor.user, place, filter, orderBy, sort }, request);
    return { ...page, rows: await this.shown(page.rows, params.view === 'simple') };
  }

  /** Newest first, or (those of a milestone) the most urgent first. */
  async at(actor: Actor, place: SearchPlace, request: PageRequest): Promise<Page<DescribedMergeRequest>> {
    const order: Pick<MergeRequestSearch, 'orderBy' | 'sort'> =
      place.kind === 'milestone'
        ? { orderBy: 'label_priority', sort: 'asc' }
        : { orderBy: 'created_at', sort: 'desc' };
    const page = await this.searches.page({ viewer: actor.user, place, filter: {}, ...order }, request);
    const projects = await projectsOf(this.projects, page.rows);
    return { ...page, rows: await this.descriptions.describe(page.rows, projects) };
  }

  private async shown(rows: readonly MergeRequest[], isSimple: boolean): Promise<ListedMergeRequest[]> {
    const projects = await projectsOf(this.projects, rows);
    if (!isSimple) {
      const described = await this.descriptions.describe(rows, projects);
      return described.map((one) => ({ form: 'basic', ...one }));
    }
    return rows.flatMap((mergeRequest): ListedMergeRequest[] => {
      const project = projects.get(mergeRequest.projectId);
      return project ? [{ form: 'simple', mergeRequest, project }] : [];
    });
  }
}
