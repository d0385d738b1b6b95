import { Database, paginate, paginateByKey, substringPattern } from '#libs/database';
import type { KeysetRequest, Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { LIVE_MEMBER } from '../../identity/identity.api';
import { Project } from './project.entity';
import type { ProjectSearch } from './project-search';

type Query = SelectQueryBuilder<Project>;

/** The namespaces below those in which the user is a member of at least `:level`. */
const namespacesFrom = (level: string): string => `
  SELECT below.id FROM members m JOIN namespaces below ON below.traversal_ids @> ARRAY[m.source_id]
  WHERE m.source_kind = 'namespace' AND m.user_id = :userId AND m.access_level >= ${level} AND ${LIVE_MEMBER}`;

const OWN_NAMESPACE = 'SELECT own.id FROM namespaces own WHERE own.owner_id = :userId';

/** Projects in which the user has at least the level, on whichever way. */
const reachedFrom = (level: string): string => `(
  project.namespaceId IN (${OWN_NAMESPACE})
  OR project.namespaceId IN (${namespacesFrom(level)})
  OR project.id IN (
    SELECT m.source_id FROM members m
    WHERE m.source_kind = 'project' AND m.user_id = :userId AND m.access_level >= ${level} AND ${LIVE_MEMBER})
  OR project.id IN (
    SELECT share.project_id
    FROM members m
    JOIN namespaces g ON g.traversal_ids @> ARRAY[m.source_id]
    JOIN project_shares share ON share.group_id = g.id
    WHERE m.source_kind = 'namespace' AND m.user_id = :userId AND ${LIVE_MEMBER}
      AND least(share.group_access, m.access_level) >= ${level}
      AND (share.expires_at IS NULL OR share.expires_at > current_date)))`;

const REACHED = reachedFrom('10');

/** Finds the ids of projects: what records tell of them is loaded afterwards, by id. */
@Injectable()
export class ProjectSearchRepository {
  constructor(private readonly database: Database) {}

  /** Ties go to the larger id. */
  async page(search: ProjectSearch, request: PageRequest): Promise<Page<number>> {
    const query = this.matching(search).orderBy(
      `project.${search.orderBy}`,
      search.sort === 'asc' ? 'ASC' : 'DESC',
    );
    if (search.orderBy !== 'id') query.addOrderBy('project.id', 'DESC');
    const page = await paginate(query, request);
    return { ...page, rows: page.rows.map(({ id }) => id) };
  }

  async pageByKey(
    search: ProjectSearch,
    request: KeysetRequest,
  ): Promise<{ ids: number[]; hasNext: boolean }> {
    const { rows, hasNext } = await paginateByKey(this.matching(search), 'project.id', request);
    return { ids: rows.map(({ id }) => id), hasNext };
  }

  private matching(search: ProjectSearch): Query {
    const query = this.database.manager
      .createQueryBuilder(Project, 'project')
      .select('project.id')
      .where('NOT project.pendingDelete')
      .andWhere(
        'EXISTS (SELECT 1 FROM namespaces live WHERE live.id = project.namespaceId AND NOT live.pending_delete)',
      );
    narrowToViewer(query, search);
    narrowToFacts(query, search);
    narrowToFeatures(query, search);
    return query;
  }
}

function narrowToViewer(query: Query, { viewer, owned, minLevel }: ProjectSearch): void {
  if (!viewer) {
    query.andWhere(`project.visibility = 'public'`);
    if (owned || minLevel !== undefined) query.andWhere('false');
    return;
  }
  query.setParameter('userId', viewer.id);
  if (owned)
    query.andWhere(
      `(project.namespaceId IN (${OWN_NAMESPACE}) OR project.namespaceId IN (${namespacesFrom('50')}))`,
    );
  if (minLevel !== undefined) query.andWhere(reachedFrom(':minLevel'), { minLevel });
  if (viewer.isAdmin || owned || minLevel !== undefined) return;
  const open = viewer.isExternal ? ['public'] : ['public', 'internal'];
  query.andWhere(`(project.visibility IN (:...open) OR ${REACHED})`, { open });
}

function narrowToFacts(query: Query, search: ProjectSearch): void {
  const { archived, visibility, text, namespaceId, sharedWithGroupId, idAfter, idBefore } = search;
  if (archived !== undefined) query.andWhere('project.archived = :archived', { archived });
  if (visibility !== undefined) query.andWhere('project.visibility = :visibility', { visibility });
  if (namespaceId !== undefined) query.andWhere('project.namespaceId = :namespaceId', { namespaceId });
  if (idAfter !== undefined) query.andWhere('project.id > :minId', { minId: idAfter });
  if (idBefore !== undefined) query.andWhere('project.id < :maxId', { maxId: idBefore });
  if (sharedWithGroupId !== undefined) {
    query.andWhere(
      `project.id IN (SELECT share.project_id FROM project_shares share WHERE share.group_id = :sharedWithGroupId
         AND (share.expires_at IS NULL OR share.expires_at > current_date))`,
      { sharedWithGroupId },
    );
  }
  if (text) {
    query.andWhere(
      '(lower(project.name) LIKE :pattern OR lower(project.path) LIKE :pattern OR lower(project.description) LIKE :pattern)',
      { pattern: substringPattern(text) },
    );
  }
}

function narrowToFeatures(query: Query, { viewer, withIssues, withMergeRequests }: ProjectSearch): void {
  if (withIssues) query.andWhere(available('issuesAccess', viewer));
  if (withMergeRequests) query.andWhere(available('mergeRequestsAccess', viewer));
}

/** The feature is on, and open to the viewer where it is for members alone. */
function available(feature: 'issuesAccess' | 'mergeRequestsAccess', viewer: ProjectSearch['viewer']): string {
  const column = `project.${feature}`;
  if (!viewer) return `${column} = 'enabled'`;
  return viewer.isAdmin
    ? `${column} <> 'disabled'`
    : `(${column} = 'enabled' OR (${column} = 'private' AND ${REACHED}))`;
}
