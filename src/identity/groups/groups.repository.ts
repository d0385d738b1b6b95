import { Database, paginate, substringPattern } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { LIVE_MEMBER } from '../members/live-member';
import type { SelectQueryBuilder } from 'typeorm';
import { Namespace } from '../namespaces/namespace.entity';
import { NamespacesRepository } from '../namespaces/namespaces.repository';

/** Which groups a list is made from. */
export type GroupScope =
  | { readonly of: 'everything' }
  /** What its visibility shows to the caller. */
  | { readonly of: 'open'; readonly withInternal: boolean }
  /** Groups the user is in, those around them, and if `open` is given also what visibility shows. */
  | {
      readonly of: 'member';
      readonly userId: number;
      readonly open: { readonly withInternal: boolean } | null;
    }
  /** Groups in which the user has at least the level, and what is inside of them. */
  | { readonly of: 'level'; readonly userId: number; readonly level: number };

export interface GroupFilter {
  readonly scope: GroupScope;
  readonly without: readonly number[];
  readonly search?: string | undefined;
  readonly orderBy: 'name' | 'path' | 'id';
  readonly sort: 'asc' | 'desc';
}

const JOINED = `
  SELECT m.source_id FROM members m
  WHERE m.user_id = :userId AND m.source_kind = 'namespace' AND m.access_level >= :level
    AND ${LIVE_MEMBER}`;
const INSIDE_JOINED = `n.traversal_ids && ARRAY(${JOINED})`;
const AROUND_JOINED = `(${INSIDE_JOINED} OR n.id IN (
  SELECT unnest(joined.traversal_ids) FROM namespaces joined WHERE joined.id IN (${JOINED})))`;

const openCondition = ({ withInternal }: { withInternal: boolean }): string =>
  withInternal ? `n.visibility IN ('public', 'internal')` : `n.visibility = 'public'`;

@Injectable()
export class GroupsRepository {
  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesRepository,
  ) {}

  async page(filter: GroupFilter, request: PageRequest): Promise<Page<Namespace>> {
    const query = this.database.manager
      .createQueryBuilder(Namespace, 'n')
      .where(`n.kind = 'group' AND NOT n.pendingDelete`);
    narrowToScope(query, filter.scope);
    if (filter.without.length > 0)
      query.andWhere('n.id <> ALL(:without::bigint[])', { without: filter.without });
    if (filter.search) {
      const pattern = substringPattern(filter.search);
      query.andWhere('(lower(n.name) LIKE :pattern OR lower(n.path) LIKE :pattern)', { pattern });
    }
    query.orderBy(`n.${filter.orderBy}`, filter.sort === 'asc' ? 'ASC' : 'DESC');
    if (filter.orderBy !== 'id') query.addOrderBy('n.id', 'ASC');
    const page = await paginate(query, request);
    await this.namespaces.attachNames(page.rows);
    return page;
  }

  async nameIsTaken(name: string, parentId: number | null): Promise<boolean> {
    const rows = await this.database.prepared(
      'group_name_is_taken',
      `SELECT 1 FROM namespaces WHERE kind = 'group' AND coalesce(parent_id, 0) = $2 AND name = $1`,
      [name, parentId ?? 0],
    );
    return rows.length > 0;
  }
}

function narrowToScope(query: SelectQueryBuilder<Namespace>, scope: GroupScope): void {
  switch (scope.of) {
    case 'everything':
      return;
    case 'open':
      query.andWhere(openCondition(scope));
      return;
    case 'level':
      query.andWhere(INSIDE_JOINED, { userId: scope.userId, level: scope.level });
      return;
    case 'member': {
      const open = scope.open ? ` OR ${openCondition(scope.open)}` : '';
      query.andWhere(`(${AROUND_JOINED}${open})`, { userId: scope.userId, level: 0 });
    }
  }
}
