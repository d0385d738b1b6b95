import { Level } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { projectLevel } from '../../repository/repository.api';
import { readableIssue, type Bind, type IssueViewer } from '../issues/readable-issues';

export interface LabelCounts {
  readonly openIssues: number;
  readonly closedIssues: number;
  readonly openMergeRequests: number;
}

interface IssueCountsRow {
  readonly label_id: number;
  readonly open: number;
  readonly closed: number;
}

interface MergeRequestCountRow {
  readonly label_id: number;
  readonly open: number;
}

/** Merge requests show code, so that they are for nobody whom the code is not for. */
const FOR_MEMBERS = `p.merge_requests_access <> 'disabled' AND p.repository_access <> 'disabled'`;

/**
 * SQL over a row `mr` of merge requests: the viewer may read it. Merge requests are kept above planning, which looks at
 * nothing else of them than that they are there.
 */
function readableMergeRequest(viewer: IssueViewer | null, bind: Bind): string {
  const rule = (): string => {
    if (viewer?.isAdmin) return FOR_MEMBERS;
    const open = viewer && !viewer.isExternal ? `IN ('public', 'internal')` : `= 'public'`;
    const openToAll = `p.visibility ${open} AND p.merge_requests_access = 'enabled' AND p.repository_access = 'enabled'`;
    if (!viewer) return openToAll;
    const level = projectLevel({
      user: `${bind(viewer.id)}::bigint`,
      project: 'p.id',
      owner: 'n.owner_id',
      traversal: 'n.traversal_ids',
    });
    // Guests do not see merge requests but where everybody does; as members they do where only members do.
    const least = `CASE WHEN p.visibility ${open} THEN ${Level.guest} ELSE ${Level.reporter} END`;
    return `(${openToAll} OR ${FOR_MEMBERS} AND ${level} >= ${least})`;
  };
  return `EXISTS (
    SELECT 1 FROM projects p JOIN namespaces n ON n.id = p.namespace_id
    WHERE p.id = mr.project_id AND NOT p.pending_delete AND NOT n.pending_delete AND ${rule()})`;
}

/** What a project thinks of labels, and how much is sorted by them. */
@Injectable()
export class LabelFiguresRepository {
  constructor(private readonly database: Database) {}

  /** What the viewer may see of what has the labels; two queries for a page. */
  async counts(
    viewer: IssueViewer | null,
    labelIds: readonly number[],
  ): Promise<ReadonlyMap<number, LabelCounts>> {
    const issues = await this.issueCounts(viewer, labelIds);
    const mergeRequests = await this.mergeRequestCounts(viewer, labelIds);
    const open = new Map(mergeRequests.map((row) => [row.label_id, row.open]));
    const counted = new Map(issues.map((row) => [row.label_id, row]));
    return new Map(
      labelIds.map((id) => [
        id,
        {
          openIssues: counted.get(id)?.open ?? 0,
          closedIssues: counted.get(id)?.closed ?? 0,
          openMergeRequests: open.get(id) ?? 0,
        },
      ]),
    );
  }

  /** The priorities that the project gives to labels; those without are left out. */
  async priorities(projectId: number, labelIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = await this.database.prepared<{ label_id: number; priority: number }>(
      'label_priorities',
      'SELECT label_id, priority FROM label_priorities WHERE project_id = $1 AND label_id = ANY($2::bigint[])',
      [projectId, labelIds],
    );
    return new Map(rows.map((row) => [row.label_id, row.priority]));
  }

  /** Null takes the priority away. */
  async prioritize(projectId: number, labelId: number, priority: number | null): Promise<void> {
    if (priority === null) {
      await this.database.prepared(
        'unprioritize_label',
        'DELETE FROM label_priorities WHERE project_id = $1 AND label_id = $2',
        [projectId, labelId],
      );
      return;
    }
    await this.database.prepared(
      'prioritize_label',
      `INSERT INTO label_priorities (project_id, label_id, priority)
       SELECT p.id, $2, $3 FROM projects p WHERE p.id = $1 FOR KEY SHARE
       ON CONFLICT (project_id, label_id) DO UPDATE SET priority = excluded.priority`,
      [projectId, labelId, priority],
    );
  }

  private issueCounts(viewer: IssueViewer | null, labelIds: readonly number[]): Promise<IssueCountsRow[]> {
    const values: unknown[] = [[...labelIds]];
    const readable = readableIssue(viewer, binder(values), 'issue');
    return this.database.manager.query<IssueCountsRow[]>(
      `SELECT link.label_id, count(*) FILTER (WHERE issue.state = 'opened')::int AS open,
         count(*) FILTER (WHERE issue.state = 'closed')::int AS closed
       FROM label_links link JOIN issues issue ON issue.id = link.issue_id
       WHERE link.label_id = ANY($1::bigint[]) AND ${readable} GROUP BY link.label_id`,
      values,
    );
  }

  private mergeRequestCounts(
    viewer: IssueViewer | null,
    labelIds: readonly number[],
  ): Promise<MergeRequestCountRow[]> {
    const values: unknown[] = [[...labelIds]];
    const readable = readableMergeRequest(viewer, binder(values));
    return this.database.manager.query<MergeRequestCountRow[]>(
      `SELECT link.label_id, count(*)::int AS open
       FROM label_links link JOIN merge_requests mr ON mr.id = link.merge_request_id
       WHERE link.label_id = ANY($1::bigint[]) AND mr.state = 'opened' AND ${readable} GROUP BY link.label_id`,
      values,
    );
  }
}

const binder =
  (values: unknown[]): Bind =>
  (value) => {
    values.push(value);
    return `$${values.length}`;
  };
