import { Database, paginate, paginateByKey, substringPattern } from '#libs/database';
import type { Visibility } from '#libs/access';
import type { KeysetRequest, Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { attributeConditions } from '../../identity/identity.api';
import { Project } from './project.entity';
import type { InGroup, ProjectSearch, Viewer } from './project-search';
import { IN_PLACES, IS_REACHED, MAY_BE_REACHED, PLACES, REACHED } from './reached-projects';

type Query = SelectQueryBuilder<Project>;

const LEAST_LEVEL = 10;
const OWNER_LEVEL = 50;

/** Finds the ids of projects: what records tell of them is loaded afterwards, by id. */
@Injectable()
export class ProjectSearchRepository {
  constructor(private readonly database: Database) {}

  /** Ties go to the larger id. */
  async page(search: ProjectSearch, request: PageRequest): Promise<Page<number>> {
    const page = await paginate(this.ordered(search), request, this.openAmong(search));
    return { ...page, rows: page.rows.map(({ id }) => id) };
  }

  /** The one that a page would begin with, uncounted. */
  async first(search: ProjectSearch): Promise<number | null> {
    const [found] = await this.ordered(search).limit(1).getMany();
    return found?.id ?? null;
  }

  async pageByKey(
    search: ProjectSearch,
    request: KeysetRequest,
  ): Promise<{ ids: number[]; hasNext: boolean }> {
    const { rows, hasNext } = await paginateByKey(this.matching(search), 'project.id', request);
    return { ids: rows.map(({ id }) => id), hasNext };
  }

  private ordered(search: ProjectSearch): Query {
    const query = this.matching(search).orderBy(
      `project.${search.orderBy}`,
      search.sort === 'asc' ? 'ASC' : 'DESC',
    );
    return search.orderBy === 'id' ? query : query.addOrderBy('project.id', 'DESC');
  }

  /** Of projects that are open or reached, the open ones; null where it is other ones that are looked for. */
  private openAmong(search: ProjectSearch): Query | null {
    const { viewer, owned, minLevel, visibility, withIssues, withMergeRequests } = search;
    const isOther = owned || minLevel !== undefined || visibility !== undefined;
    if (!viewer || viewer.isAdmin || isOther || withIssues || withMergeRequests) return null;
    const open = openTo(viewer);
    return this.matching({ ...search, viewer: { ...viewer, isAdmin: true } }).andWhere(
      'project.visibility IN (:...open)',
      { open },
    );
  }

  private matching(search: ProjectSearch): Query {
    const query = this.database.manager
      .createQueryBuilder(Project, 'project')
      .select('project.id')
      .where('NOT project.pendingDelete')
      // Those few are gathered once, so that no row needs a look at its namespace.
      .andWhere('project.namespaceId NOT IN (SELECT gone.id FROM namespaces gone WHERE gone.pending_delete)');
    narrowToViewer(query, search);
    narrowToFacts(query, search);
    narrowToFeatures(query, search);
    narrowToGroup(query, search);
    narrowToStarred(query, search);
    narrowToFindings(query, search);
    narrowToAttributes(query, search);
    return query;
  }
}

function narrowToViewer(query: Query, { viewer, owned, minLevel, visibility }: ProjectSearch): void {
  if (!viewer) {
    query.andWhere(`project.visibility = 'public'`);
    if (owned || minLevel !== undefined) query.andWhere('false');
    return;
  }
  if (viewer.isAdmin && !owned && minLevel === undefined) return;
  const level = owned ? OWNER_LEVEL : (minLevel ?? LEAST_LEVEL);
  const once = { columnNames: ['id'], materialized: true };
  query
    .addCommonTableExpression(PLACES, 'places', once)
    .addCommonTableExpression(REACHED, 'reached', once)
    .setParameters({ userId: viewer.id, level });
  if (owned) query.andWhere(IN_PLACES);
  else if (minLevel !== undefined) query.andWhere(IS_REACHED);
  else narrowToVisible(query, openTo(viewer), visibility);
}

const openTo = ({ isExternal }: Viewer): readonly Visibility[] =>
  isExternal ? ['public'] : ['public', 'internal'];

/** Open to the viewer, or reached by them; which of the two it can be, the visibility that is asked for may tell. */
function narrowToVisible(query: Query, open: readonly Visibility[], wanted: Visibility | undefined): void {
  if (wanted === undefined)
    query.andWhere(`(project.visibility IN (:...open) OR ${MAY_BE_REACHED})`, { open });
  else if (!open.includes(wanted)) query.andWhere(IS_REACHED);
}

function narrowToFacts(query: Query, search: ProjectSearch): void {
  const { archived, visibility, text, namespaceId, sharedWithGroupId, forkedFrom, idAfter, idBefore } =
    search;
  if (archived !== undefined) query.andWhere('project.archived = :archived', { archived });
  if (visibility !== undefined) query.andWhere('project.visibility = :visibility', { visibility });
  if (namespaceId !== undefined) query.andWhere('project.namespaceId = :namespaceId', { namespaceId });
  if (forkedFrom !== undefined) query.andWhere('project.forkedFromProjectId = :forkedFrom', { forkedFrom });
  if (idAfter !== undefined) query.andWhere('project.id > :minId', { minId: idAfter });
  if (idBefore !== undefined) query.andWhere('project.id < :maxId', { maxId: idBefore });
  if (sharedWithGroupId !== undefined) {
    query.andWhere(anyOf(sharedWith(':sharedWithGroupId')), { sharedWithGroupId });
  }
  if (text) {
    query.andWhere(
      '(lower(project.name) LIKE :pattern OR lower(project.path) LIKE :pattern OR lower(project.description) LIKE :pattern)',
      { pattern: substringPattern(text) },
    );
  }
}

const sharedWith = (groupId: string): string => `
  SELECT share.project_id FROM project_shares share WHERE share.group_id = ${groupId}
    AND (share.expires_at IS NULL OR share.expires_at > current_date)`;

const DIRECTLY = 'project.namespaceId = :groupId';
const INSIDE = `project.namespaceId = ANY(ARRAY(
  SELECT inside.id FROM namespaces inside WHERE inside.traversal_ids @> ARRAY[:groupId::bigint]))`;

/** Gathered first and then looked up: however many other projects there are. */
const anyOf = (ids: string): string => `project.id = ANY(ARRAY(${ids}))`;

/** Two conditions on indexed columns: few rows are looked up by both, many are walked in the order of the list. */
const isInGroup = ({ withSubgroups, withShared }: InGroup): string => {
  const own = withSubgroups ? INSIDE : DIRECTLY;
  return withShared ? `(${own} OR ${anyOf(sharedWith(':groupId'))})` : own;
};

function narrowToGroup(query: Query, { inGroup }: ProjectSearch): void {
  if (inGroup) query.andWhere(isInGroup(inGroup), { groupId: inGroup.id });
}

/** The planner knows who has starred much, and so what to begin with. */
const STARRED =
  'project.id IN (SELECT star.project_id FROM project_stars star WHERE star.user_id = :starredBy)';
const STARRED_BY_VIEWER = STARRED.replace(':starredBy', ':starringViewer');

/** Both can be asked for at once: what another has starred, as far as the viewer has starred it too. */
function narrowToStarred(query: Query, { viewer, starred, starredBy }: ProjectSearch): void {
  if (starredBy !== undefined) query.andWhere(STARRED, { starredBy });
  if (starred) query.andWhere(STARRED_BY_VIEWER, { starringViewer: viewer?.id ?? null });
}

const IN_LANGUAGE =
  'project.id IN (SELECT found.project_id FROM project_languages found WHERE found.key = lower(:language))';
const FAILED_CHECK =
  'SELECT failed.project_id FROM repository_checks failed WHERE failed.failure IS NOT NULL AND failed.kind = ';
const FAILED_REPOSITORY = `${FAILED_CHECK}'repository'`;
const FAILED_WIKI = `${FAILED_CHECK}'wiki'`;
/** Of any job; jobs are told by the kind of report which of their artifacts are one. */
const HAS_SECURITY_REPORT = `EXISTS (SELECT 1 FROM job_artifacts report WHERE report.project_id = project.id
  AND report.file_type IN ('sast', 'dependency_scanning', 'container_scanning', 'dast', 'license_management'))`;

/** What jobs have found out about the repositories. */
function narrowToFindings(query: Query, search: ProjectSearch): void {
  if (search.language !== undefined) query.andWhere(IN_LANGUAGE, { language: search.language });
  if (search.repositoryCheckFailed) query.andWhere(anyOf(FAILED_REPOSITORY));
  if (search.wikiCheckFailed) query.andWhere(anyOf(FAILED_WIKI));
  if (search.withSecurityReports) query.andWhere(HAS_SECURITY_REPORT);
}

function narrowToFeatures(query: Query, search: ProjectSearch): void {
  if (search.withIssues) query.andWhere(available('issuesAccess', search));
  if (search.withMergeRequests) query.andWhere(available('mergeRequestsAccess', search));
}

/** The feature is on, and open to the viewer where it is for members alone. */
function available(
  feature: 'issuesAccess' | 'mergeRequestsAccess',
  { viewer, owned, minLevel }: ProjectSearch,
): string {
  const column = `project.${feature}`;
  if (!viewer) return `${column} = 'enabled'`;
  const isMemberOfAll = viewer.isAdmin || owned === true || minLevel !== undefined;
  return isMemberOfAll
    ? `${column} <> 'disabled'`
    : `(${column} = 'enabled' OR (${column} = 'private' AND ${MAY_BE_REACHED}))`;
}

function narrowToAttributes(query: Query, { customAttributes = {} }: ProjectSearch): void {
  const values: string[] = [];
  const conditions = attributeConditions(
    'project',
    'project.id',
    customAttributes,
    (value) => `:attribute${values.push(value)}`,
  );
  for (const condition of conditions) query.andWhere(condition);
  query.setParameters(Object.fromEntries(values.map((value, index) => [`attribute${index + 1}`, value])));
}
