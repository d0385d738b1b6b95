import { isAdmin, type Actor } from '#libs/access';
import { DomainError } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { KeysetPage, Page, PageRequest } from '#libs/paging';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';
import { LicenseDetection } from './license-detection';
import { ProjectDescriptions, type DescriptionOptions } from './project-descriptions.service';
import type { ProjectDetails } from './project-details';
import { PROJECT_ORDERS, type ProjectSearch } from './project-search';
import { ProjectSearchRepository } from './project-search.repository';
import type { Project } from './project.entity';
import type {
  ListForks,
  ListGroupProjects,
  ListProjects,
  ListProjectsOfUser,
  ListStarredProjects,
  ReadProject,
} from './project.params';
import { ProjectsRepository } from './projects.repository';

type ListParams = ParamsOf<typeof ListProjects>;
type GroupListParams = ParamsOf<typeof ListGroupProjects>;
type UserListParams = ParamsOf<typeof ListProjectsOfUser>;
type ForkListParams = ParamsOf<typeof ListForks>;
type StarredListParams = ParamsOf<typeof ListStarredProjects>;
/** All kinds of lists have them. */
type FilterParams = ListParams | GroupListParams | UserListParams | ForkListParams | StarredListParams;
/** Lists that are not about a group. */
type WiderParams = Exclude<FilterParams, GroupListParams>;

/** How the projects of a list are shown. */
interface Shown {
  readonly simple: boolean;
  readonly statistics?: boolean;
  readonly with_custom_attributes?: boolean | undefined;
}

const GUEST_LEVEL = 10;

/** Reads of projects. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly searches: ProjectSearchRepository,
    private readonly projects: ProjectsRepository,
    private readonly descriptions: ProjectDescriptions,
    private readonly licenses: LicenseDetection,
    private readonly license: License,
  ) {}

  /** What the caller may see and asked for. With `pagination=keyset` a walk by id, which stays fast to its end. */
  list(
    actor: Actor,
    params: ListParams,
    page: PageRequest,
  ): Promise<Page<ProjectDetails> | KeysetPage<ProjectDetails>> {
    const seesChecks = this.license.has('checksum_filters');
    const search = {
      ...widerSearchOf(actor, params),
      language: params.with_programming_language,
      repositoryCheckFailed: seesChecks && params.repository_checksum_failed,
      wikiCheckFailed: seesChecks && params.wiki_checksum_failed,
    };
    return params.pagination === 'keyset'
      ? this.walk(actor, params, search, page.perPage)
      : this.page(actor, params, search, page);
  }

  /** The projects in a namespace itself, such as a user's own, as far as they are the caller's to see. */
  listInNamespace(
    actor: Actor,
    namespaceId: number,
    params: UserListParams,
    page: PageRequest,
  ): Promise<Page<ProjectDetails>> {
    const { with_programming_language: language } = params;
    return this.page(actor, params, { ...widerSearchOf(actor, params), namespaceId, language }, page);
  }

  /** The forks of a project, as far as they are the caller's to see. */
  listForks(
    actor: Actor,
    forkedFrom: number,
    params: ForkListParams,
    page: PageRequest,
  ): Promise<Page<ProjectDetails>> {
    const { with_programming_language: language } = params;
    return this.page(actor, params, { ...widerSearchOf(actor, params), forkedFrom, language }, page);
  }

  /** What a user has starred, as far as it is the caller's to see. */
  listStarredBy(
    actor: Actor,
    userId: number,
    params: StarredListParams,
    page: PageRequest,
  ): Promise<Page<ProjectDetails>> {
    return this.page(actor, params, { ...widerSearchOf(actor, params), starredBy: userId }, page);
  }

  /** The projects of a group, as far as they are the caller's to see. */
  listInGroup(
    actor: Actor,
    { id }: Namespace,
    params: GroupListParams,
    page: PageRequest,
  ): Promise<Page<ProjectDetails>> {
    const search = {
      ...searchOf(actor, params),
      inGroup: { id, withSubgroups: params.include_subgroups, withShared: params.with_shared },
      withSecurityReports: params.with_security_reports && this.license.has('security_reports'),
    };
    return this.page(actor, params, search, page);
  }

  async find(actor: Actor, project: Project, params: ParamsOf<typeof ReadProject>): Promise<ProjectDetails> {
    const { statistics, with_custom_attributes: customAttributes } = params;
    const details = await this.describe(actor, project, { statistics, customAttributes });
    if (!params.license) return details;
    return { ...details, license: { found: details.canReadCode ? await this.licenses.of(project) : null } };
  }

  /** As the answer to its creation or change shows it. */
  async describe(
    actor: Actor,
    project: Project,
    more: Omit<DescriptionOptions, 'form'> = {},
  ): Promise<ProjectDetails> {
    const [details] = await this.descriptions.describe(actor, [project], { ...more, form: 'single' });
    if (!details) throw new Error('one project gives one description');
    return details;
  }

  private async page(
    actor: Actor,
    shown: Shown,
    search: ProjectSearch,
    request: PageRequest,
  ): Promise<Page<ProjectDetails>> {
    const page = await this.searches.page(search, request);
    return { ...page, rows: await this.describeAll(actor, page.rows, shown) };
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
    { simple, statistics = false, with_custom_attributes: customAttributes }: Shown,
  ): Promise<ProjectDetails[]> {
    const form = simple ? 'simple' : 'full';
    return this.descriptions.describe(actor, await this.projects.findMany(ids), {
      form,
      statistics,
      customAttributes,
    });
  }
}

const searchOf = (actor: Actor, params: FilterParams): ProjectSearch => ({
  viewer: actor.user,
  archived: params.archived,
  visibility: params.visibility,
  text: params.search,
  owned: params.owned,
  starred: params.starred,
  customAttributes: isAdmin(actor) ? params.custom_attributes : undefined,
  minLevel: params.min_access_level,
  withIssues: params.with_issues_enabled,
  withMergeRequests: params.with_merge_requests_enabled,
  orderBy: PROJECT_ORDERS[params.order_by],
  sort: params.sort,
});

const widerSearchOf = (actor: Actor, params: WiderParams): ProjectSearch => ({
  ...searchOf(actor, params),
  minLevel: params.min_access_level ?? (params.membership ? GUEST_LEVEL : undefined),
  idAfter: params.id_after,
  idBefore: params.id_before,
});
