import { Database, paginate, paginateByKey, substringPattern } from '#libs/database';
import type { Visibility } from '#libs/access';
import type { KeysetRequest, Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { attributeConditions } from '../../identity/identity.api';
import { Project } from './project.entity';
import type { InGroup, ProjectSearch } from './project-search';
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
    const page = await paginate(this.ordered(search), request);
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

  private matching(search: ProjectSearch): Query {
    const query = this.database.manager
      .createQueryBuilder(Project, 'project')
      .select('project.id')
      .where('NOT project.pendingDelete')
      .andWhere(
        'NOT EXISTS (SELECT 1 FROM namespaces gone WHERE gone.id = project.namespaceId AND gone.pending_delete)',
      );
    narrowToViewer(query, search);
    narrowToFacts(query, search);
    narrowToFeatures(query, search);
    narrowToGroup(query, search);
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
  else narrowToVisible(query, viewer.isExternal ? ['public'] : ['public', 'internal'], visibility);
}

/** Open to the viewer, or reached by them; which of the two it can be, the visibility that is asked for may tell. */
function narrowToVisible(query: Query, open: readonly Visibility[], wanted: Visibility | undefined): void {
  if (wanted === undefined)
    query.andWhere(`(project.visibility IN (:...open) OR ${MAY_BE_REACHED})`, { open });
  else if (!open.includes(wanted)) query.andWhere(IS_REACHED);
}

function narrowToFacts(query: Query, search: ProjectSearch): void {
  const { archived, visibility, text, namespaceId, sharedWithGroupId, idAfter, idBefore } = search;
  if (archived !== undefined) query.andWhere('project.archived = :archived', { archived });
  if (visibility !== undefined) query.andWhere('project.visibility = :visibility', { visibility });
  if (namespaceId !== undefined) query.andWhere('project.namespaceId = :namespaceId', { namespaceId });
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

const DIRECTLY = 'SELECT p.id FROM projects p WHERE p.namespace_id = :groupId';
const INSIDE = `SELECT p.id FROM projects p WHERE p.namespace_id = ANY(ARRAY(
  SELECT inside.id FROM namespaces inside WHERE inside.traversal_ids @> ARRAY[:groupId::bigint]))`;

/** Gathered first and then looked up: however many other projects there are. */
const anyOf = (ids: string): string => `project.id = ANY(ARRAY(${ids}))`;

const idsInGroup = ({ withSubgroups, withShared }: InGroup): string => {
  const own = withSubgroups ? INSIDE : DIRECTLY;
  return withShared ? `${own} UNION ALL ${sharedWith(':groupId')}` : own;
};

function narrowToGroup(query: Query, { viewer, inGroup, starred, withSecurityReports }: ProjectSearch): void {
  if (inGroup) query.andWhere(anyOf(idsInGroup(inGroup)), { groupId: inGroup.id });
  if (starred) {
    const stars = 'SELECT star.project_id FROM project_stars star WHERE star.user_id = :starredBy';
    query.andWhere(anyOf(stars), { starredBy: viewer?.id ?? null });
  }
  // Reports come with the jobs of CI, of which there are none yet.
  if (withSecurityReports) query.andWhere('false');
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
