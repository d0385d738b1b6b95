import type { ActorUser } from '#libs/access';
import { Database, paginateStatement } from '#libs/database';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { readableIssue } from '../../planning/planning.api';

/** An issue as a text names it. */
export interface NamedIssue {
  /** Full path of its project. */
  readonly path: string;
  readonly iid: number;
}

/** Which issues are closed when merge requests are merged. */
@Injectable()
export class ClosingIssuesRepository {
  constructor(private readonly database: Database) {}

  /** Ids of the issues of those names that the user may read. */
  async resolve(named: readonly NamedIssue[], viewer: ActorUser | null): Promise<number[]> {
    if (named.length === 0) return [];
    const values: unknown[] = [named.map(({ path }) => path.toLowerCase()), named.map(({ iid }) => iid)];
    const readable = readableIssue(viewer, (value) => `$${values.push(value)}`);
    const rows: { id: number }[] = await this.database.manager.query(
      `SELECT issue.id FROM unnest($1::text[], $2::integer[]) AS named (path, iid)
       JOIN routes route ON lower(route.path) = named.path
       JOIN issues issue ON issue.project_id = route.project_id AND issue.iid = named.iid
       WHERE ${readable}`,
      values,
    );
    return rows.map(({ id }) => id);
  }

  /** Ids of the issues that the merge request closes, as far as the viewer may read them, in their order. */
  async page(mergeRequestId: number, viewer: ActorUser | null, request: PageRequest): Promise<Page<number>> {
    const values: unknown[] = [mergeRequestId];
    const readable = readableIssue(viewer, (value) => `$${values.push(value)}`);
    const rows = `SELECT issue.id FROM merge_request_closing_issues closing
      JOIN issues issue ON issue.id = closing.issue_id
      WHERE closing.merge_request_id = $1 AND ${readable}`;
    const page = await paginateStatement<{ id: number }>(
      this.database,
      { rows, order: 'issue.id' },
      values,
      request,
    );
    return mapPage(page, ({ id }) => id);
  }

  /** These issues and no others. */
  async set(mergeRequestId: number, issueIds: readonly number[]): Promise<void> {
    await this.database.prepared(
      'forget_closing_issues',
      'DELETE FROM merge_request_closing_issues WHERE merge_request_id = $1 AND NOT issue_id = ANY($2::bigint[])',
      [mergeRequestId, [...issueIds]],
    );
    await this.database.prepared(
      'set_closing_issues',
      `INSERT INTO merge_request_closing_issues (merge_request_id, issue_id)
       SELECT $1, id FROM issues WHERE id = ANY($2::bigint[]) ORDER BY id FOR KEY SHARE ON CONFLICT DO NOTHING`,
      [mergeRequestId, [...issueIds]],
    );
  }
}
