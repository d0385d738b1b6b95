import { Database, hydrate, InternalIds, paginate, substringPattern } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { labelCondition, type WantedLabels } from '../labels/label-conditions';
import { Epic, type EpicState } from './epic.entity';

export interface EpicFilter {
  /** The groups whose epics are wanted; the caller sees them all. */
  readonly groupIds: readonly number[];
  readonly authorId?: number | undefined;
  readonly labels: WantedLabels | null;
  readonly state?: EpicState | undefined;
  /** Part of the title or description. */
  readonly search?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
  readonly orderBy: 'createdAt' | 'updatedAt';
  readonly sort: 'asc' | 'desc';
}

/** The first and last day of the milestones of an epic's issues. */
export interface MilestoneDays {
  readonly startDate: string | null;
  readonly dueDate: string | null;
}

export type NewEpic = Pick<
  Epic,
  | 'groupId'
  | 'authorId'
  | 'title'
  | 'description'
  | 'startDateIsFixed'
  | 'startDateFixed'
  | 'dueDateIsFixed'
  | 'dueDateFixed'
>;
export type EpicColumns = Partial<
  Omit<NewEpic, 'groupId' | 'authorId'> & Pick<Epic, 'state' | 'closedAt' | 'closedById'>
>;

@Injectable()
export class EpicsRepository {
  constructor(
    private readonly database: Database,
    private readonly internalIds: InternalIds,
  ) {}

  page(filter: EpicFilter, request: PageRequest): Promise<Page<Epic>> {
    // Ties the same way round, so that one index serves both directions.
    const direction = filter.sort === 'asc' ? 'ASC' : 'DESC';
    const query = this.database.manager
      .createQueryBuilder(Epic, 'epic')
      .where('epic.groupId = ANY(:groupIds::bigint[])', { groupIds: filter.groupIds })
      .orderBy(`epic.${filter.orderBy}`, direction)
      .addOrderBy('epic.id', direction);
    narrow(query, filter);
    return paginate(query, request);
  }

  find(groupId: number, iid: number): Promise<Epic | null> {
    return this.one('epic_by_iid', 'SELECT * FROM epics WHERE group_id = $1 AND iid = $2::bigint', [
      groupId,
      iid,
    ]);
  }

  findById(id: number): Promise<Epic | null> {
    return this.one('epic_by_id', 'SELECT * FROM epics WHERE id = $1', [id]);
  }

  /** Locked until the transaction ends. */
  findForChange(id: number): Promise<Epic | null> {
    return this.one('epic_for_change', 'SELECT * FROM epics WHERE id = $1 FOR NO KEY UPDATE', [id]);
  }

  /** Call it in a transaction. Null where the group is just being removed. */
  async insert(columns: NewEpic): Promise<Epic | null> {
    const { groupId, authorId, title, description, ...dates } = columns;
    const group = await this.database.prepared(
      'group_for_epic',
      'SELECT 1 FROM namespaces WHERE id = $1 AND NOT pending_delete FOR SHARE',
      [groupId],
    );
    if (group.length === 0) return null;
    const iid = await this.internalIds.next({ scopeKind: 'group', scopeId: groupId, usage: 'epics' });
    return this.one(
      'new_epic',
      `INSERT INTO epics (group_id, iid, author_id, title, description,
         start_date_is_fixed, start_date_fixed, due_date_is_fixed, due_date_fixed)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING *`,
      [
        groupId,
        iid,
        authorId,
        title,
        description,
        dates.startDateIsFixed,
        dates.startDateFixed,
        dates.dueDateIsFixed,
        dates.dueDateFixed,
      ],
    );
  }

  async update(id: number, columns: EpicColumns): Promise<void> {
    await this.database.manager.update(Epic, { id }, { ...columns, updatedAt: new Date() });
  }

  async remove(id: number): Promise<void> {
    await this.database.prepared('remove_epic', 'DELETE FROM epics WHERE id = $1', [id]);
  }

  /** Of many epics in one query; those without any such day are left out. */
  async milestoneDays(epicIds: readonly number[]): Promise<ReadonlyMap<number, MilestoneDays>> {
    const rows = await this.database.prepared<MilestoneDays & { id: number }>(
      'milestone_days_of_epics',
      `SELECT link.epic_id AS id, min(m.start_date) AS "startDate", max(m.due_date) AS "dueDate"
       FROM epic_issues link JOIN issues i ON i.id = link.issue_id JOIN milestones m ON m.id = i.milestone_id
       WHERE link.epic_id = ANY($1::bigint[]) GROUP BY link.epic_id`,
      [epicIds],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  private async one(name: string, text: string, values: readonly unknown[]): Promise<Epic | null> {
    const [row] = await this.database.prepared(name, text, values);
    return row ? hydrate(Epic, row) : null;
  }
}

function narrow(query: SelectQueryBuilder<Epic>, filter: EpicFilter): void {
  const { authorId, state, search, labels } = filter;
  if (authorId !== undefined) query.andWhere('epic.authorId = :authorId', { authorId });
  if (state !== undefined) query.andWhere('epic.state = :state', { state });
  if (search) {
    query.andWhere('(lower(epic.title) LIKE :pattern OR lower(epic.description) LIKE :pattern)', {
      pattern: substringPattern(search),
    });
  }
  narrowToTimes(query, filter);
  if (labels === null) return;
  const values: unknown[] = [];
  query.andWhere(
    labelCondition('Epic', 'epic.id', labels, (value) => `:label${values.push(value) - 1}`),
    Object.fromEntries(values.map((value, index) => [`label${index}`, value])),
  );
}

/** As the reference: both ends belong to the span. */
function narrowToTimes(
  query: SelectQueryBuilder<Epic>,
  { createdAfter, createdBefore, updatedAfter, updatedBefore }: EpicFilter,
): void {
  if (createdAfter) query.andWhere('epic.createdAt >= :createdAfter', { createdAfter });
  if (createdBefore) query.andWhere('epic.createdAt <= :createdBefore', { createdBefore });
  if (updatedAfter) query.andWhere('epic.updatedAt >= :updatedAfter', { updatedAfter });
  if (updatedBefore) query.andWhere('epic.updatedAt <= :updatedBefore', { updatedBefore });
}
