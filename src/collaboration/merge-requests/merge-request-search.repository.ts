import { Database, hydrate, paginateStatement } from '#libs/database';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { issuableConditions, labelPriorityOf, type Bind } from '../../planning/planning.api';
import type { MergeRequestFilter, MergeRequestSearch } from './merge-request-search';
import { MergeRequest } from './merge-request.entity';
import { placeCondition } from './places-of-merge-requests';
import { readableAcross, readableMergeRequest } from './readable-merge-requests';

/** Finds the merge requests that somebody may read. */
@Injectable()
export class MergeRequestSearchRepository {
  constructor(private readonly database: Database) {}

  async page(search: MergeRequestSearch, request: PageRequest): Promise<Page<MergeRequest>> {
    const values: unknown[] = [];
    const rows = statement(search, (value) => `$${values.push(value)}`);
    const found = await paginateStatement<object>(
      this.database,
      { rows, order: orderOf(search) },
      values,
      request,
    );
    return mapPage(found, (row) => hydrate(MergeRequest, row));
  }
}

function statement({ viewer, place, filter }: MergeRequestSearch, bind: Bind): string {
  const listed = { kind: 'MergeRequest', alias: 'mr', viewerId: viewer?.id ?? null, bind } as const;
  const readable = readability({ viewer, place }, bind);
  const conditions = [
    placeCondition(place, bind),
    ...readable.conditions,
    ...issuableConditions(filter, listed),
    ...ownConditions(filter, bind),
  ];
  const withs = readable.withs.length === 0 ? '' : `WITH ${readable.withs.join(', ')} `;
  return `${withs}SELECT mr.* FROM merge_requests mr WHERE ${conditions.join(' AND ')}`;
}

/** Of one project the caller has been asked about already; for few rows each is looked at, for many their projects are. */
function readability({ viewer, place }: Pick<MergeRequestSearch, 'viewer' | 'place'>, bind: Bind) {
  if (place.kind === 'project') return { withs: [], conditions: [] };
  if (place.kind === 'everywhere' || place.kind === 'group') return readableAcross(viewer, bind);
  return { withs: [], conditions: [readableMergeRequest(viewer, bind)] };
}

/** As isWorkInProgress has it. */
const IS_WORK_IN_PROGRESS = String.raw`mr.title ~* '^\s*(\[WIP\]|WIP:|WIP\s)'`;

function ownConditions(filter: MergeRequestFilter, bind: Bind): string[] {
  const { state, source_branch: source, target_branch: target, wip, approver_ids: approvers } = filter;
  return [
    ...(state === undefined || state === 'all' ? [] : [`mr.state = ${bind(state)}::text`]),
    ...(source ? [`mr.source_branch = ${bind(source)}::text`] : []),
    ...(target ? [`mr.target_branch = ${bind(target)}::text`] : []),
    ...(wip === undefined ? [] : [`${wip === 'yes' ? '' : 'NOT '}${IS_WORK_IN_PROGRESS}`]),
    // A number of approvals is asked for here, and nobody's in particular: no merge request names its approvers.
    ...(isAboutApprovers(approvers) ? ['false'] : []),
  ];
}

const isAboutApprovers = (wanted: readonly string[] = []): boolean =>
  wanted.length > 0 && !(wanted.length === 1 && wanted[0]?.toLowerCase() === 'none');

/** The milestone's lists have the most urgent first; all others go by a time, ties in the same direction. */
function orderOf({ orderBy, sort }: MergeRequestSearch): string {
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  if (orderBy === 'label_priority')
    return `${labelPriorityOf('MergeRequest', 'mr.id', 'mr.project_id')} ${direction} NULLS LAST, mr.id DESC`;
  return `mr.${orderBy} ${direction}, mr.id ${direction}`;
}
