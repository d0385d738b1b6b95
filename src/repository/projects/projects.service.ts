import type { Actor } from '#libs/access';
import { DomainError } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { KeysetPage, Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { LicenseDetection } from './license-detection';
import { ProjectDescriptions } from './project-descriptions.service';
import type { ProjectDetails } from './project-details';
import { PROJECT_ORDERS, type ProjectSearch } from './project-search';
import { ProjectSearchRepository } from './project-search.repository';
import type { Project } from './project.entity';
import type { ListProjects, ReadProject } from './project.params';
import { ProjectsRepository } from './projects.repository';

type ListParams = ParamsOf<typeof ListProjects>;

const GUEST_LEVEL = 10;

/** Reads of projects. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly searches: ProjectSearchRepository,
    private readonly projects: ProjectsRepository,
    private readonly descriptions: ProjectDescriptions,
    private readonly licenses: LicenseDetection,
  ) {}

  /** What the caller may see and asked for. With `pagination=keyset` a walk by id, which stays fast to its end. */
  list(
    actor: Actor,
    params: ListParams,
    page: PageRequest,
  ): Promise<Page<ProjectDetails> | KeysetPage<ProjectDetails>> {
    const search = searchOf(actor, params);
    return params.pagination === 'keyset'
      ? this.walk(actor, params, search, page.perPage)
      : this.page(actor, params, search, page);
  }

  async find(actor: Actor, project: Project, params: ParamsOf<typeof ReadProject>): Promise<ProjectDetails> {
    const details = await this.describe(actor, project, params.statistics);
    return params.license ? { ...details, license: { found: await this.licenses.of(project) } } : details;
  }

  /** As the answer to its creation or change shows it. */
  async describe(actor: Actor, project: Project, statistics = false): Promise<ProjectDetails> {
    const [details] = await this.descriptions.describe(actor, [project], { form: 'single', statistics });
    if (!details) throw new Error('one project gives one description');
    return details;
  }

  private async page(
    actor: Actor,
    params: ListParams,
    search: ProjectSearch,
    request: PageRequest,
  ): Promise<Page<ProjectDetails>> {
    const page = await this.searches.page(search, request);
    return { ...page, rows: await this.describeAll(actor, page.rows, params) };
  }

  private async walk(
    actor: Actor,
    params: ListParams,
    search: ProjectSearch,
    perPage: number,
  ): Promise<KeysetPage<ProjectDetails>> {
    if (params.order_by !== 'id') {
      throw new DomainError({
        kind: 'not_allowed',
        message: 'Keyset pagination is not yet available for this type of request',
      });
    }
    const { sort, id_after: idAfter = null, id_before: idBefore = null } = params;
    const { ids, hasNext } = await this.searches.pageByKey(search, { perPage, sort, idAfter, idBefore });
    const last = ids.at(-1);
    const position = sort === 'asc' ? 'id_after' : 'id_before';
    return {
      rows: await this.describeAll(actor, ids, params),
      next: hasNext && last !== undefined ? { [position]: String(last) } : null,
    };
  }

  private async describeAll(
    actor: Actor,
    ids: readonly number[],
    params: ListParams,
  ): Promise<ProjectDetails[]> {
    const form = params.simple ? 'simple' : 'full';
    return this.descriptions.describe(actor, await this.projects.findMany(ids), {
      form,
      statistics: params.statistics,
    });
  }
}

const searchOf = ({ user }: Actor, params: ListParams): ProjectSearch => ({
  viewer: user,
  archived: params.archived,
  visibility: params.visibility,
  text: params.search,
  owned: params.owned,
  minLevel: params.min_access_level ?? (params.membership ? GUEST_LEVEL : undefined),
  withIssues: params.with_issues_enabled,
  withMergeRequests: params.with_merge_requests_enabled,
  idAfter: params.id_after,
  idBefore: params.id_before,
  orderBy: PROJECT_ORDERS[params.order_by],
  sort: params.sort,
});
