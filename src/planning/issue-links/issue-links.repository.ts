import { Database, hydrate, paginateStatement } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { readableIssue, type IssueViewer } from '../issues/readable-issues';
import { IssueLink } from './issue-link.entity';

/** A relation as one of its issues sees it. */
export interface LinkedId {
  readonly linkId: number;
  readonly issueId: number;
}

@Injectable()
export class IssueLinksRepository {
  constructor(private readonly database: Database) {}

  /** The relations of an issue, from either end, to issues that the viewer may read: the oldest first. */
  page(issueId: number, viewer: IssueViewer | null, request: PageRequest): Promise<Page<LinkedId>> {
    const values: unknown[] = [issueId];
    const readable = readableIssue(viewer, (value) => `$${values.push(value)}`, 'issue');
    const statement = `
      SELECT link.id AS "linkId", issue.id AS "issueId" FROM (
        SELECT id, target_id AS other_id FROM issue_links WHERE source_id = $1
        UNION ALL SELECT id, source_id FROM issue_links WHERE target_id = $1) AS link
      JOIN issues issue ON issue.id = link.other_id
      WHERE ${readable} ORDER BY link.id`;
    return paginateStatement<LinkedId>(this.database, statement, values, request);
  }

  /** A relation of the issue, from either end. */
  async find(issueId: number, id: number): Promise<IssueLink | null> {
    return this.one(
      'issue_link',
      'SELECT * FROM issue_links WHERE id = $2 AND (source_id = $1 OR target_id = $1)',
      [issueId, id],
    );
  }

  /** Keeps both issues from being removed until the transaction ends; false where one is gone. */
  async holdIssues(ids: readonly number[]): Promise<boolean> {
    const rows = await this.database.prepared(
      'hold_linked_issues',
      'SELECT id FROM issues WHERE id = ANY($1::bigint[]) ORDER BY id FOR KEY SHARE',
      [ids],
    );
    return rows.length === new Set(ids).size;
  }

  /** Null where they are related already, whichever was the source. */
  insert(sourceId: number, targetId: number): Promise<IssueLink | null> {
    return this.one(
      'new_issue_link',
      `INSERT INTO issue_links (source_id, target_id) VALUES ($1, $2)
       ON CONFLICT (least(source_id, target_id), greatest(source_id, target_id)) DO NOTHING RETURNING *`,
      [sourceId, targetId],
    );
  }

  /** False where somebody else has just removed it. */
  async remove(id: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'remove_issue_link',
      'DELETE FROM issue_links WHERE id = $1 RETURNING id',
      [id],
    );
    return rows.length > 0;
  }

  private async one(name: string, text: string, values: readonly unknown[]): Promise<IssueLink | null> {
    const [row] = await this.database.prepared(name, text, values);
    return row ? hydrate(IssueLink, row) : null;
  }
}
