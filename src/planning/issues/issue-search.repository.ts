import { Level } from '#libs/access';
import { Database, hydrate, paginateStatement } from '#libs/database';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { FewProjectsRepository, memberProjects, type LevelledProject } from '../../repository/repository.api';
import { isAcrossPeople, issuableConditions } from '../issuables/issuable-conditions';
import { Issue, type IssueState } from './issue.entity';
import type { IssueSearch, IssueSorting } from './issue-list';
import { orderOf } from './issue-orders';
import { takesPart, type Bind, type IssueViewer } from './readable-issues';

interface Matching {
  readonly withs: string[];
  readonly conditions: string[];
}

/** Lists of issues, of what the viewer may read. */
@Injectable()
export class IssueSearchRepository {
  constructor(
    private readonly database: Database,
    private readonly fewProjects: FewProjectsRepository,
  ) {}

  async page(search: IssueSearch, sorting: IssueSorting, request: PageRequest): Promise<Page<Issue>> {
    const values: unknown[] = [];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const rows = from(search, bind, 'issue.*', await this.few(search));
    const found = await paginateStatement<object>(
      this.database,
      { rows, order: orderOf(sorting) },
      values,
      request,
    );
    return mapPage(found, (row) => hydrate(Issue, row));
  }

  /** How many there are of each state; states of none are left out. */
  async countByState(search: IssueSearch): Promise<ReadonlyMap<IssueState, number>> {
    const values: unknown[] = [];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const text = from(search, bind, 'issue.state, count(*) AS count', await this.few(search));
    const rows: { state: IssueState; count: number }[] = await this.database.manager.query(
      `${text} GROUP BY issue.state`,
      values,
    );
    return new Map(rows.map(({ state, count }) => [state, count]));
  }

  /** The projects to look in, where these are few: else the list would look at the issues of all others as well. */
  private few({ viewer, place, filter }: IssueSearch): Promise<LevelledProject[] | null> {
    if (place.in === 'project' || !isAcrossPeople(filter)) return Promise.resolve(null);
    const rule = `${openToAll(viewer)} OR p.issues_access <> 'disabled' AND level > 0`;
    return this.fewProjects.where(viewer, rule, place.in === 'group' ? place.groupId : null);
  }
}

function from(
  { viewer, place, filter }: IssueSearch,
  bind: Bind,
  columns: string,
  few: readonly LevelledProject[] | null,
): string {
  const listed = { kind: 'Issue', alias: 'issue', viewerId: viewer?.id ?? null, bind } as const;
  const readable = few ? readableAmong(viewer, few, bind) : readableIn({ viewer, place, filter }, bind);
  const conditions = [
    ...readable.conditions,
    ...issuableConditions(filter, listed),
    ...ownConditions(filter, bind),
  ];
  const withs = readable.withs.length === 0 ? '' : `WITH ${readable.withs.join(', ')} `;
  return `${withs}SELECT ${columns} FROM issues issue WHERE ${['true', ...conditions].join(' AND ')}`;
}

function ownConditions(filter: IssueSearch['filter'], bind: Bind): string[] {
  const { state, confidential, weight, milestoneId } = filter;
  return [
    ...(state === undefined || state === 'all' ? [] : [`issue.state = '${state}'`]),
    ...(confidential === undefined ? [] : [confidential ? 'issue.confidential' : 'NOT issue.confidential']),
    ...(weight === undefined ? [] : [weighs(weight, bind)]),
    ...(milestoneId === undefined ? [] : [hasMilestone(milestoneId, bind)]),
  ];
}

/** As a list of ids: a plan that began with the projects would look at the milestone once for each of them. */
const hasMilestone = (milestoneId: number, bind: Bind): string =>
  `issue.id = ANY(ARRAY(SELECT own.id FROM issues own WHERE own.milestone_id = ${bind(milestoneId)}::bigint))`;

function weighs(weight: number | 'None' | 'Any', bind: Bind): string {
  if (typeof weight === 'number') return `issue.weight = ${bind(weight)}::bigint`;
  return weight === 'None' ? 'issue.weight IS NULL' : 'issue.weight IS NOT NULL';
}

/** SQL over the project `p`: its issues are for everybody who is somebody like the viewer. */
function openToAll(viewer: IssueViewer | null): string {
  const open = viewer && !viewer.isExternal ? `IN ('public', 'internal')` : `= 'public'`;
  return `p.visibility ${open} AND p.issues_access = 'enabled'`;
}

/** In projects that are known with the viewer's levels, so that the server can tell how many issues there are. */
function readableAmong(
  viewer: IssueViewer | null,
  projects: readonly LevelledProject[],
  bind: Bind,
): Matching {
  const among = (some: readonly LevelledProject[]): string =>
    `issue.project_id = ANY(${bind(some.map(({ id }) => id))}::bigint[])`;
  const conditions = [among(projects)];
  if (viewer) {
    const reported = among(projects.filter(({ level }) => level >= Level.reporter));
    conditions.push(openOrMine(viewer, bind, reported));
  } else conditions.push('NOT issue.confidential');
  return { withs: [], conditions };
}

/** Of one project the level is known already; across projects those that the viewer is a member of are gathered first. */
function readableIn({ viewer, place }: IssueSearch, bind: Bind): Matching {
  if (place.in === 'project') {
    const conditions = [`issue.project_id = ${bind(place.projectId)}::bigint`];
    if (!place.withConfidential) conditions.push(openOrMine(viewer, bind, null));
    return { withs: [], conditions };
  }
  const inGroup = place.in === 'group' ? ` AND n.traversal_ids @> ARRAY[${bind(place.groupId)}::bigint]` : '';
  const projects = (condition: string): string => `issue.project_id IN (
    SELECT p.id FROM projects p JOIN namespaces n ON n.id = p.namespace_id
    WHERE NOT p.pending_delete AND NOT n.pending_delete AND ${condition}${inGroup})`;
  if (viewer?.isAdmin) return { withs: [], conditions: [projects(`p.issues_access <> 'disabled'`)] };
  const open = openToAll(viewer);
  if (!viewer) return { withs: [], conditions: [projects(open), 'NOT issue.confidential'] };
  const isMember = 'p.id IN (SELECT member.id FROM member_project member)';
  return {
    withs: [memberProjects(`${bind(viewer.id)}::bigint`)],
    conditions: [
      projects(`(${open} OR p.issues_access <> 'disabled' AND ${isMember})`),
      openOrMine(viewer, bind, REPORTED),
    ],
  };
}

const REPORTED = `issue.project_id IN (SELECT member.id FROM member_project member WHERE member.level >= ${Level.reporter})`;

/** `orElse` is what else makes a confidential issue readable. */
function openOrMine(viewer: IssueViewer | null, bind: Bind, orElse: string | null): string {
  if (!viewer) return 'NOT issue.confidential';
  const others = orElse === null ? '' : ` OR ${orElse}`;
  return `(NOT issue.confidential OR ${takesPart(`${bind(viewer.id)}::bigint`, 'issue')}${others})`;
}
