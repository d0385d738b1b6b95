import { Database, hydrate, paginateStatement } from '#libs/database';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { isAcrossPeople, issuableConditions, labelPriorityOf, type Bind } from '../../planning/planning.api';
import { FewProjectsRepository } from '../../repository/repository.api';
import { ApproverFilter } from '../approvals/approver-filter.repository';
import type { MergeRequestFilter, MergeRequestSearch } from './merge-request-search';
import { MergeRequest } from './merge-request.entity';
import { placeCondition } from './places-of-merge-requests';
import { readableAcross, readableMergeRequest, readableOfLevel } from './readable-merge-requests';

/** Finds the merge requests that somebody may read. */
@Injectable()
export class MergeRequestSearchRepository {
  constructor(
    private readonly database: Database,
    private readonly approvers: ApproverFilter,
    private readonly fewProjects: FewProjectsRepository,
  ) {}

  async page(search: MergeRequestSearch, request: PageRequest): Promise<Page<MergeRequest>> {
    const values: unknown[] = [];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const further = await this.approverConditions(search, bind);
    const rows = statement(search, bind, further, await this.few(search));
    const found = await paginateStatement<object>(
      this.database,
      { rows, order: orderOf(search) },
      values,
      request,
    );
    return mapPage(found, (row) => hydrate(MergeRequest, row));
  }

  /** The projects to look in, where these are few: else the list would look at the merge requests of all others as well. */
  private async few({ viewer, place, filter }: MergeRequestSearch): Promise<number[] | null> {
    const isWide = place.kind === 'everywhere' || place.kind === 'group';
    if (!isWide || !isAcrossPeople(filter)) return null;
    const groupId = place.kind === 'group' ? place.id : null;
    const found = await this.fewProjects.where(viewer, readableOfLevel(viewer), groupId);
    return found && found.map(({ id }) => id);
  }

  private async approverConditions({ place, filter }: MergeRequestSearch, bind: Bind): Promise<string[]> {
    if (filter.approver_ids === undefined) return [];
    const projectId = place.kind === 'project' ? place.id : null;
    return this.approvers.conditions(projectId, filter.approver_ids, bind);
  }
}

function statement(
  { viewer, place, filter }: MergeRequestSearch,
  bind: Bind,
  further: readonly string[],
  few: readonly number[] | null,
): string {
  const listed = { kind: 'MergeRequest', alias: 'mr', viewerId: viewer?.id ?? null, bind } as const;
  const readable = readability({ viewer, place }, bind, few);
  const conditions = [
    placeCondition(place, bind),
    ...readable.conditions,
    ...issuableConditions(filter, listed),
    ...ownConditions(filter, bind),
    ...further,
  ];
  const withs = readable.withs.length === 0 ? '' : `WITH ${readable.withs.join(', ')} `;
  return `${withs}SELECT mr.* FROM merge_requests mr WHERE ${conditions.join(' AND ')}`;
}

/** Of one project the caller has been asked about already; for few rows each is looked at, for many their projects are. */
function readability(
  { viewer, place }: Pick<MergeRequestSearch, 'viewer' | 'place'>,
  bind: Bind,
  few: readonly number[] | null,
) {
  if (place.kind === 'project') return { withs: [], conditions: [] };
  if (few) return { withs: [], conditions: [`mr.project_id = ANY(${bind(few)}::bigint[])`] };
  if (place.kind === 'everywhere' || place.kind === 'group') return readableAcross(viewer, bind);
  return { withs: [], conditions: [readableMergeRequest(viewer, bind)] };
}

/** As isWorkInProgress has it. */
const IS_WORK_IN_PROGRESS = String.raw`mr.title ~* '^\s*(\[WIP\]|WIP:|WIP\s)'`;

function ownConditions(filter: MergeRequestFilter, bind: Bind): string[] {
  const { state, source_branch: source, target_branch: target, wip } = filter;
  return [
    ...(state === undefined || state === 'all' ? [] : [`mr.state = ${bind(state)}::text`]),
    ...(source ? [`mr.source_branch = ${bind(source)}::text`] : []),
    ...(target ? [`mr.target_branch = ${bind(target)}::text`] : []),
    ...(wip === undefined ? [] : [`${wip === 'yes' ? '' : 'NOT '}${IS_WORK_IN_PROGRESS}`]),
  ];
}

/** The milestone's lists have the most urgent first; all others go by a time, ties in the same direction. */
function orderOf({ orderBy, sort }: MergeRequestSearch): string {
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  if (orderBy === 'label_priority')
    return `${labelPriorityOf('MergeRequest', 'mr.id', 'mr.project_id')} ${direction} NULLS LAST, mr.id DESC`;
  return `mr.${orderBy} ${direction}, mr.id ${direction}`;
}
