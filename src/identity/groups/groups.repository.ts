import { Database, paginate, substringPattern } from '#libs/database';
import type { Visibility } from '#libs/access';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { attributeConditions, type AttributeFilter } from '../custom-attributes/attribute-conditions';
import { groupsOfMember } from '../members/groups-of-member';
import { LIVE_MEMBER } from '../members/live-member';
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
  /** The group they are directly in. */
  readonly parentId?: number | undefined;
  readonly without: readonly number[];
  readonly search?: string | undefined;
  readonly customAttributes?: AttributeFilter | undefined;
  readonly orderBy: 'name' | 'path' | 'id';
  readonly sort: 'asc' | 'desc';
}

type Query = SelectQueryBuilder<Namespace>;

const INSIDE = groupsOfMember(':userId', ':level');
/** With those above, which show themselves to whoever is in something inside. */
const AROUND = `${INSIDE}
  UNION
  SELECT unnest(joined.traversal_ids) FROM namespaces joined WHERE NOT joined.pending_delete AND joined.id IN (
    SELECT m.source_id FROM members m
    WHERE m.user_id = :userId AND m.source_kind = 'namespace' AND ${LIVE_MEMBER})`;

/** As a list of ids it leads to the rows by their key; as a set it is looked up for rows that something else leads to. */
const IS_IN_LIST = 'n.id = ANY(ARRAY(SELECT mine.id FROM mine))';
const IS_IN_SET = 'n.id IN (SELECT mine.id FROM mine)';

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
    narrowToScope(query, filter);
    narrowToFacts(query, filter);
    query.orderBy(`n.${filter.orderBy}`, filter.sort === 'asc' ? 'ASC' : 'DESC');
    if (filter.orderBy !== 'id') query.addOrderBy('n.id', 'ASC');
    const page = await paginate(query, request);
    await this.namespaces.attachNames(page.rows);
    return page;
  }

  /** Whether a sibling has the name; `exceptId` is the group that is to have it. */
  async nameIsTaken(name: string, parentId: number | null, exceptId: number | null = null): Promise<boolean> {
    const rows = await this.database.prepared(
      'group_name_is_taken',
      `SELECT 1 FROM namespaces
       WHERE kind = 'group' AND coalesce(parent_id, 0) = $2 AND name = $1 AND id IS DISTINCT FROM $3`,
      [name, parentId ?? 0, exceptId],
    );
    return rows.length > 0;
  }

  /** The greatest visibility of a group directly inside; null where there is none. */
  async mostVisibleInside(groupId: number): Promise<Visibility | null> {
    const [row] = await this.database.prepared<{ visibility: Visibility }>(
      'most_visible_subgroup',
      `SELECT visibility FROM namespaces WHERE parent_id = $1 AND NOT pending_delete
       ORDER BY array_position(ARRAY['public', 'internal', 'private'], visibility) LIMIT 1`,
      [groupId],
    );
    return row?.visibility ?? null;
  }

  /** Changes columns other than the path. */
  async update(id: number, changes: GroupColumns): Promise<void> {
    await this.database.manager.update(Namespace, { id }, { ...changes, updatedAt: new Date() });
  }
}

export type GroupColumns = Partial<
  Pick<
    Namespace,
    | 'name'
    | 'description'
    | 'visibility'
    | 'lfsEnabled'
    | 'requestAccessEnabled'
    | 'membershipLock'
    | 'shareWithGroupLock'
    | 'fileTemplateProjectId'
    | 'sharedRunnersMinutesLimit'
    | 'extraSharedRunnersMinutesLimit'
  >
>;

function narrowToScope(query: Query, filter: GroupFilter): void {
  const { scope } = filter;
  switch (scope.of) {
    case 'everything':
      return;
    case 'open':
      query.andWhere(openCondition(scope));
      return;
    case 'level':
      withMine(query, INSIDE, scope.userId, scope.level).andWhere(isMine(filter));
      return;
    case 'member':
      withMine(query, AROUND, scope.userId, 0).andWhere(
        scope.open ? `(${IS_IN_SET} OR ${openCondition(scope.open)})` : isMine(filter),
      );
  }
}

/**
 * The caller's groups are gathered before anything else and then only looked up: whatever the list is ordered by, the
 * number of groups of others does not matter.
 */
function withMine(query: Query, mine: string, userId: number, level: number): Query {
  return query
    .addCommonTableExpression(mine, 'mine', { columnNames: ['id'], materialized: true })
    .setParameters({ userId, level });
}

const isMine = ({ parentId, search, customAttributes }: GroupFilter): string =>
  parentId === undefined && !search && !customAttributes ? IS_IN_LIST : IS_IN_SET;

function narrowToFacts(query: Query, filter: GroupFilter): void {
  const { parentId, without, search, customAttributes } = filter;
  if (parentId !== undefined) query.andWhere('n.parentId = :parentId', { parentId });
  if (without.length > 0) query.andWhere('n.id <> ALL(:without::bigint[])', { without });
  if (search) {
    const pattern = substringPattern(search);
    query.andWhere('(lower(n.name) LIKE :pattern OR lower(n.path) LIKE :pattern)', { pattern });
  }
  let count = 0;
  const placeholder = (value: string): string => {
    const name = `attribute${(count += 1)}`;
    query.setParameter(name, value);
    return `:${name}`;
  };
  for (const condition of attributeConditions('group', 'n.id', customAttributes ?? {}, placeholder))
    query.andWhere(condition);
}
