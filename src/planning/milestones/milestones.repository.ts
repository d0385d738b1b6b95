import { Database, hydrate, paginateStatement, substringPattern } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { nearestFirst, ownIn, placeValues, usableIn, type Place } from '../labels/place';
import { Milestone, type MilestoneState } from './milestone.entity';
import type { MilestoneText } from './milestone-rules';

export interface MilestoneSearch {
  readonly iids?: readonly number[] | undefined;
  readonly state?: MilestoneState | undefined;
  readonly title?: string | undefined;
  /** In title or description. */
  readonly search?: string | undefined;
}

const WITH_PATH = `m.*, coalesce(
  (SELECT r.path FROM routes r WHERE r.project_id = m.project_id),
  (SELECT r.path FROM routes r WHERE r.namespace_id = m.group_id)) AS full_path`;

interface MilestoneRow {
  readonly full_path: string;
}

const toMilestone = (row: MilestoneRow): Milestone =>
  Object.assign(hydrate(Milestone, row), { fullPath: row.full_path });

@Injectable()
export class MilestonesRepository {
  constructor(private readonly database: Database) {}

  /** The place's own, the newest first. */
  async page(place: Place, search: MilestoneSearch, request: PageRequest): Promise<Page<Milestone>> {
    const values: unknown[] = [place.projectId ?? place.namespaceId];
    const conditions = [place.projectId === null ? 'm.group_id = $1' : 'm.project_id = $1'];
    const add = (condition: (parameter: string) => string, value: unknown): void => {
      values.push(value);
      conditions.push(condition(`$${values.length}`));
    };
    if (search.iids !== undefined) add((iids) => `m.iid = ANY(${iids}::bigint[])`, search.iids);
    if (search.state !== undefined) add((state) => `m.state = ${state}`, search.state);
    if (search.title !== undefined) add((title) => `m.title = ${title}`, search.title);
    if (search.search !== undefined && search.search !== '') {
      const isIn = (text: string): string =>
        `(lower(m.title) LIKE ${text} OR lower(m.description) LIKE ${text})`;
      add(isIn, substringPattern(search.search));
    }
    const statement = `SELECT ${WITH_PATH} FROM milestones m WHERE ${conditions.join(' AND ')} ORDER BY m.id DESC`;
    const page = await paginateStatement<MilestoneRow>(this.database, statement, values, request);
    return { ...page, rows: page.rows.map(toMilestone) };
  }

  async byIds(ids: readonly number[]): Promise<Milestone[]> {
    const rows = await this.database.prepared<MilestoneRow>(
      'milestones_by_id',
      `SELECT ${WITH_PATH} FROM milestones m WHERE m.id = ANY($1::bigint[])`,
      [ids],
    );
    return rows.map(toMilestone);
  }

  /** The place's own. */
  async find(place: Place, id: number): Promise<Milestone | null> {
    const [row] = await this.database.prepared<MilestoneRow>(
      'milestone_of_place',
      `SELECT ${WITH_PATH} FROM milestones m WHERE m.id = $3 AND ${ownIn('m')}`,
      [...placeValues(place), id],
    );
    return row ? toMilestone(row) : null;
  }

  /** As `find`; nobody else changes it until the transaction ends. */
  async hold(place: Place, id: number): Promise<Milestone | null> {
    const [row] = await this.database.prepared<MilestoneRow>(
      'hold_milestone',
      `SELECT ${WITH_PATH} FROM milestones m WHERE m.id = $3 AND ${ownIn('m')} FOR NO KEY UPDATE OF m`,
      [...placeValues(place), id],
    );
    return row ? toMilestone(row) : null;
  }

  /** The place's own or a group's above, which nobody removes until the transaction ends. */
  async keepUsable(place: Place, id: number): Promise<Milestone | null> {
    const [row] = await this.database.prepared<MilestoneRow>(
      'keep_milestone',
      `SELECT ${WITH_PATH} FROM milestones m WHERE m.id = $3 AND ${usableIn('m')} FOR KEY SHARE OF m`,
      [...placeValues(place), id],
    );
    return row ? toMilestone(row) : null;
  }

  /** As `keepUsable`, by title; of namesakes the nearest. */
  async keepUsableByTitle(place: Place, title: string): Promise<Milestone | null> {
    const [row] = await this.database.prepared<MilestoneRow>(
      'keep_milestone_by_title',
      `SELECT ${WITH_PATH} FROM milestones m WHERE m.title = $3 AND ${usableIn('m')}
       ORDER BY ${nearestFirst('m')} LIMIT 1 FOR KEY SHARE OF m`,
      [...placeValues(place), title],
    );
    return row ? toMilestone(row) : null;
  }

  /**
   * Locks the titles of the place: others who would give one there wait until the transaction ends. False when the place
   * is gone, or the project is elsewhere by now.
   */
  async holdTitles({ projectId, namespaceId }: Place): Promise<boolean> {
    const namespaces = await this.database.prepared(
      'hold_titles_of_milestones',
      'SELECT 1 FROM namespaces WHERE id = $1 AND NOT pending_delete FOR NO KEY UPDATE',
      [namespaceId],
    );
    if (projectId === null || namespaces.length === 0) return namespaces.length > 0;
    const projects = await this.database.prepared(
      'keep_project_of_milestones',
      'SELECT 1 FROM projects WHERE id = $1 AND namespace_id = $2 AND NOT pending_delete FOR KEY SHARE',
      [projectId, namespaceId],
    );
    return projects.length > 0;
  }

  /** Whether a title is in use in the project or its group; for a group, in it or the projects right inside. */
  async isTitleTaken({ projectId, namespaceId }: Place, title: string, exceptId = 0): Promise<boolean> {
    const rows = await this.database.prepared(
      'milestone_title_is_taken',
      `SELECT 1 FROM milestones m WHERE m.title = $3 AND m.id <> $4 AND (
         m.group_id = $2 OR m.project_id = $1::bigint
         OR $1::bigint IS NULL AND m.project_id = ANY(ARRAY(SELECT p.id FROM projects p WHERE p.namespace_id = $2)))
       LIMIT 1`,
      [projectId, namespaceId, title, exceptId],
    );
    return rows.length > 0;
  }

  async isTitleTakenByGroup(groupId: number, title: string): Promise<boolean> {
    const rows = await this.database.prepared(
      'milestone_title_is_taken_by_group',
      'SELECT 1 FROM milestones WHERE group_id = $1 AND title = $2',
      [groupId, title],
    );
    return rows.length > 0;
  }

  /** Throws the driver's error when the title is taken. */
  async insert({ projectId, namespaceId }: Place, iid: number, milestone: MilestoneText): Promise<Milestone> {
    const { title, description, startDate, dueDate, state } = milestone;
    const [row] = await this.database.prepared<MilestoneRow>(
      'new_milestone',
      `WITH m AS (
         INSERT INTO milestones (project_id, group_id, iid, title, description, start_date, due_date, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *)
       SELECT ${WITH_PATH} FROM m`,
      [
        projectId,
        projectId === null ? namespaceId : null,
        iid,
        title,
        description,
        startDate,
        dueDate,
        state,
      ],
    );
    if (!row) throw new Error('the statement always gives a row');
    return toMilestone(row);
  }

  /** Throws the driver's error when the title is taken. */
  async update(id: number, milestone: MilestoneText): Promise<Milestone | null> {
    const { title, description, startDate, dueDate, state } = milestone;
    const [row] = await this.database.prepared<MilestoneRow>(
      'change_milestone',
      `WITH m AS (
         UPDATE milestones SET title = $2, description = $3, start_date = $4, due_date = $5, state = $6,
           updated_at = now() WHERE id = $1 RETURNING *)
       SELECT ${WITH_PATH} FROM m`,
      [id, title, description, startDate, dueDate, state],
    );
    return row ? toMilestone(row) : null;
  }
}
