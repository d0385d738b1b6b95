import type { ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { readableIssue } from '../../planning/planning.api';

export interface ClosedReference {
  /** Full path of the issue's project. */
  readonly path: string;
  readonly iid: number;
}

/** A message that names more is of no use to anybody. */
const MOST_NAMED = 100;

@Injectable()
export class ClosedReferencesRepository {
  constructor(private readonly database: Database) {}

  /** Open issues that a merge request closes, as far as the viewer may read them. */
  of(mergeRequestId: number, viewer: ActorUser | null): Promise<ClosedReference[]> {
    const values: unknown[] = [mergeRequestId];
    const readable = readableIssue(viewer, (value) => `$${values.push(value)}`);
    return this.database.manager.query(
      `SELECT route.path, issue.iid FROM merge_request_closing_issues closing
       JOIN issues issue ON issue.id = closing.issue_id JOIN routes route ON route.project_id = issue.project_id
       WHERE closing.merge_request_id = $1 AND ${readable} ORDER BY issue.id LIMIT ${MOST_NAMED}`,
      values,
    );
  }
}
