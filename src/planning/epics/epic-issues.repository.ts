import { Database, hydrate, paginateStatement } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { readableIssue, type IssueViewer } from '../issues/readable-issues';
import type { PlacedEpic } from './epic-references';
import { Epic } from './epic.entity';
import { EpicIssue } from './epic-issue.entity';

/** The distance between two that are moved apart. */
const DISTANCE = 500;
const START = 1_073_741_823;

const PLACED = 'SELECT e.*, r.path AS group_path FROM epics e JOIN routes r ON r.namespace_id = e.group_id';

/** An issue's epic, as `PLACED` selects it. */
interface PlacedRow {
  group_path: string;
}

const placedOf = (row: PlacedRow): PlacedEpic => ({ epic: hydrate(Epic, row), groupPath: row.group_path });

/** Which issues belong to which epic, and in which order. */
@Injectable()
export class EpicIssuesRepository {
  constructor(private readonly database: Database) {}

  /** The links of an epic to issues that the viewer may read, in the epic's order. */
  async page(epicId: number, viewer: IssueViewer | null, request: PageRequest): Promise<Page<EpicIssue>> {
    const values: unknown[] = [epicId];
    const readable = readableIssue(viewer, (value) => `$${values.push(value)}`, 'issue');
    const statement = `
      SELECT link.* FROM epic_issues link JOIN issues issue ON issue.id = link.issue_id
      WHERE link.epic_id = $1 AND ${readable} ORDER BY link.relative_position, link.id`;
    const page = await paginateStatement<object>(this.database, statement, values, request);
    return { ...page, rows: page.rows.map((row) => hydrate(EpicIssue, row)) };
  }

  /** Of many issues in one query, by the issue's id; those without an epic are left out. */
  async epicsOf(issueIds: readonly number[]): Promise<ReadonlyMap<number, PlacedEpic>> {
    const rows = await this.database.prepared<PlacedRow & { of_issue: number }>(
      'epics_of_issues',
      `SELECT link.issue_id AS of_issue, placed.* FROM epic_issues link
       JOIN (${PLACED}) AS placed ON placed.id = link.epic_id WHERE link.issue_id = ANY($1::bigint[])`,
      [issueIds],
    );
    return new Map(rows.map((row) => [row.of_issue, placedOf(row)]));
  }

  async placed(epicId: number): Promise<PlacedEpic | null> {
    return this.onePlaced('placed_epic', `${PLACED} WHERE e.id = $1`, [epicId]);
  }

  async placedByIid(groupId: number, iid: number): Promise<PlacedEpic | null> {
    return this.onePlaced('placed_epic_by_iid', `${PLACED} WHERE e.group_id = $1 AND e.iid = $2::bigint`, [
      groupId,
      iid,
    ]);
  }

  /** In the order of the ids, so that two who hold several do not wait for each other; until the transaction ends. */
  async hold(epicIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.database.prepared<{ id: number }>(
      'hold_epics',
      'SELECT id FROM epics WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
      [epicIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Keeps an issue from being moved between epics until the transaction ends; false where it is gone. */
  async holdIssue(id: number): Promise<boolean> {
    const text = 'SELECT 1 FROM issues WHERE id = $1 FOR NO KEY UPDATE';
    return (await this.database.prepared('hold_issue_of_epic', text, [id])).length > 0;
  }

  /** Whether the namespace is the group or one inside of it. */
  async isInside(namespaceId: number, groupId: number): Promise<boolean> {
    const text = 'SELECT 1 FROM namespaces WHERE id = $1 AND traversal_ids @> ARRAY[$2::bigint]';
    return (await this.database.prepared('namespace_is_inside', text, [namespaceId, groupId])).length > 0;
  }

  ofIssue(issueId: number): Promise<EpicIssue | null> {
    return this.one('epic_link_of_issue', 'SELECT * FROM epic_issues WHERE issue_id = $1', [issueId]);
  }

  find(epicId: number, id: number): Promise<EpicIssue | null> {
    return this.one('epic_link', 'SELECT * FROM epic_issues WHERE id = $2 AND epic_id = $1', [epicId, id]);
  }

  /** Puts the issue, which the transaction holds as it does the epic, before all others of the epic. */
  link(epicId: number, issueId: number): Promise<EpicIssue | null> {
    return this.one(
      'link_epic_issue',
      `INSERT INTO epic_issues AS link (epic_id, issue_id, relative_position)
       SELECT $1, $2, coalesce(min(other.relative_position) - ${DISTANCE}, ${START})
       FROM epic_issues other WHERE other.epic_id = $1
       ON CONFLICT (issue_id) DO UPDATE
         SET epic_id = excluded.epic_id, relative_position = excluded.relative_position
       RETURNING *`,
      [epicId, issueId],
    );
  }

  async unlink(id: number): Promise<void> {
    await this.database.prepared('unlink_epic_issue', 'DELETE FROM epic_issues WHERE id = $1', [id]);
  }

  /** The nearest one beyond a position, on the side asked for; null at the end. The moved one does not count. */
  async neighbour(
    { epicId, id }: Pick<EpicIssue, 'epicId' | 'id'>,
    position: number,
    side: 'before' | 'after',
  ): Promise<number | null> {
    const [sign, which] = side === 'before' ? ['<', 'max'] : ['>', 'min'];
    const [row] = await this.database.prepared<{ position: number | null }>(
      `epic_issue_${side}`,
      `SELECT ${which}(relative_position) AS position FROM epic_issues
       WHERE epic_id = $1 AND id <> $2 AND relative_position ${sign} $3`,
      [epicId, id, position],
    );
    return row?.position ?? null;
  }

  async place(id: number, position: number): Promise<void> {
    await this.database.prepared(
      'place_epic_issue',
      'UPDATE epic_issues SET relative_position = $2 WHERE id = $1',
      [id, position],
    );
  }

  /** Makes room between all issues of the epic, in the order that they are in. */
  async spread(epicId: number): Promise<void> {
    await this.database.prepared(
      'spread_epic_issues',
      `UPDATE epic_issues link SET relative_position = ${START} + ${DISTANCE} * spread.place
       FROM (SELECT id, row_number() OVER (ORDER BY relative_position, id)::integer AS place
             FROM epic_issues WHERE epic_id = $1) AS spread
       WHERE link.id = spread.id`,
      [epicId],
    );
  }

  private async onePlaced(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<PlacedEpic | null> {
    const [row] = await this.database.prepared<PlacedRow>(name, text, values);
    return row ? placedOf(row) : null;
  }

  private async one(name: string, text: string, values: readonly unknown[]): Promise<EpicIssue | null> {
    const [row] = await this.database.prepared(name, text, values);
    return row ? hydrate(EpicIssue, row) : null;
  }
}
