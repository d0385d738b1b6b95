import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Issue } from './issue.entity';
import { readableIssue, type IssueViewer } from './readable-issues';

/** A new issue; without a time of its own it is made now. */
export type NewIssue = Pick<
  Issue,
  | 'iid'
  | 'projectId'
  | 'authorId'
  | 'title'
  | 'description'
  | 'confidential'
  | 'discussionLocked'
  | 'milestoneId'
  | 'dueDate'
  | 'weight'
  | 'timeEstimate'
> & { readonly createdAt: Date | null };

/** What changes of an issue: columns alone, so that nobody writes over what others count in it meanwhile. */
export type IssueChanges = Partial<Omit<Issue, 'id' | 'iid' | 'projectId' | 'isOpen' | 'close' | 'reopen'>>;

const LINKS = [
  ['issue_links', 'source_id'],
  ['issue_links', 'target_id'],
  ['epic_issues', 'issue_id'],
] as const;

const toIssue = (row: object): Issue => hydrate(Issue, row);

@Injectable()
export class IssuesRepository {
  constructor(private readonly database: Database) {}

  async find(projectId: number, iid: number): Promise<Issue | null> {
    const text = 'SELECT * FROM issues WHERE project_id = $1 AND iid = $2::bigint';
    const [row] = await this.database.prepared('issue_by_iid', text, [projectId, iid]);
    return row ? toIssue(row) : null;
  }

  async findById(id: number): Promise<Issue | null> {
    const [row] = await this.database.prepared('issue_by_id', 'SELECT * FROM issues WHERE id = $1', [id]);
    return row ? toIssue(row) : null;
  }

  /** The project's latest one of that kind. */
  async newest(projectId: number, confidential: boolean): Promise<Issue | null> {
    const [row] = await this.database.prepared(
      'newest_issue',
      `SELECT * FROM issues WHERE project_id = $1 AND confidential = $2 ORDER BY created_at DESC, id DESC LIMIT 1`,
      [projectId, confidential],
    );
    return row ? toIssue(row) : null;
  }

  /** In the order of the ids; those of no issue are left out. */
  async findMany(ids: readonly number[]): Promise<Issue[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.prepared(
      'issues_by_ids',
      'SELECT * FROM issues WHERE id = ANY($1::bigint[]) ORDER BY array_position($1::bigint[], id)',
      [ids],
    );
    return rows.map(toIssue);
  }

  /**
   * Keeps the issue as it is until the transaction ends; others may still refer to it. Null where it is gone. Milestones
   * are held before issues, as their promotion does.
   */
  async hold(id: number): Promise<Issue | null> {
    const text = 'SELECT * FROM issues WHERE id = $1 FOR NO KEY UPDATE';
    const [row] = await this.database.prepared('hold_issue', text, [id]);
    return row ? toIssue(row) : null;
  }

  /** Which of the issues the viewer may read. */
  async readableAmong(viewer: IssueViewer | null, ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const values: unknown[] = [ids];
    const condition = readableIssue(viewer, (value) => `$${values.push(value)}`);
    const rows: { id: number }[] = await this.database.manager.query(
      `SELECT issue.id FROM issues issue WHERE issue.id = ANY($1::bigint[]) AND ${condition}`,
      values,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Throws the driver's error where the number is taken. */
  async insert(issue: NewIssue): Promise<Issue> {
    const [row] = await this.database.prepared(
      'new_issue',
      `INSERT INTO issues (iid, project_id, author_id, title, description, confidential, discussion_locked, milestone_id,
         due_date, weight, time_estimate, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, coalesce($12, now())) RETURNING *`,
      [
        issue.iid,
        issue.projectId,
        issue.authorId,
        issue.title,
        issue.description,
        issue.confidential,
        issue.discussionLocked,
        issue.milestoneId,
        issue.dueDate,
        issue.weight,
        issue.timeEstimate,
        issue.createdAt,
      ],
    );
    if (!row) throw new Error('an insert answers its row');
    return toIssue(row);
  }

  /** Call it in the transaction that holds the issue. */
  async update(id: number, changes: IssueChanges): Promise<void> {
    await this.database.manager.update(Issue, { id }, changes);
  }

  /** False where it is gone already. */
  async delete(id: number): Promise<boolean> {
    const { affected } = await this.database.manager.delete(Issue, { id });
    return (affected ?? 0) > 0;
  }

  /**
   * Keeps what projects tell of their open issues, and that something is going on in them, exact to an hour; call it in
   * the transaction that opens or closes some. It is counted at the end of that: projects are held after all issues.
   */
  async countOpen(projectId: number, change: number): Promise<void> {
    await this.database.beforeCommit(projectId, async () => {
      await this.database.prepared(
        'count_open_issues',
        `UPDATE projects SET open_issues_count = open_issues_count + $2,
           last_activity_at = CASE WHEN last_activity_at < now() - interval '1 hour' THEN now() ELSE last_activity_at END
         WHERE id = $1`,
        [projectId, change],
      );
    });
  }

  async assigneesOf(issueIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    if (issueIds.length === 0) return new Map();
    const rows = await this.database.prepared<{ issue_id: number; user_ids: number[] }>(
      'assignees_of_issues',
      `SELECT a.issue_id, array_agg(a.user_id ORDER BY a.user_id) AS user_ids FROM issue_assignees a
       WHERE a.issue_id = ANY($1::bigint[]) GROUP BY a.issue_id`,
      [issueIds],
    );
    return new Map(rows.map(({ issue_id: id, user_ids: userIds }) => [id, userIds]));
  }

  /** Replaces the assignees; call it in the transaction that holds the issue. */
  async assign(issueId: number, userIds: readonly number[]): Promise<void> {
    await this.database.prepared(
      'unassign_issue',
      'DELETE FROM issue_assignees WHERE issue_id = $1 AND user_id <> ALL($2::bigint[])',
      [issueId, userIds],
    );
    await this.database.prepared(
      'assign_issue',
      // Whoever is just being deleted is passed over.
      `INSERT INTO issue_assignees (issue_id, user_id)
       SELECT $1, u.id FROM users u WHERE u.id = ANY($2::bigint[]) ORDER BY u.id FOR KEY SHARE
       ON CONFLICT DO NOTHING`,
      [issueId, userIds],
    );
  }

  /** Full paths of projects, by their ids. */
  async pathsOf(projectIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const rows = await this.database.prepared<{ project_id: number; path: string }>(
      'paths_of_projects',
      'SELECT project_id, path FROM routes WHERE project_id = ANY($1::bigint[])',
      [[...new Set(projectIds)]],
    );
    return new Map(rows.map(({ project_id: id, path }) => [id, path]));
  }

  /** What relates to the one relates to the other from now on: links and its place in an epic. In the transaction of a move. */
  async moveLinks(fromId: number, toId: number): Promise<void> {
    for (const [table, column] of LINKS)
      await this.database.prepared(
        `move_${column}_of_${table}`,
        `UPDATE ${table} SET ${column} = $2 WHERE ${column} = $1`,
        [fromId, toId],
      );
  }

  async isAssignee(issueId: number, userId: number): Promise<boolean> {
    const text = 'SELECT 1 FROM issue_assignees WHERE issue_id = $1 AND user_id = $2';
    return (await this.database.prepared('is_assignee_of_issue', text, [issueId, userId])).length > 0;
  }
}
