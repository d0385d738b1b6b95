import { Level } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { projectLevel } from '../../repository/repository.api';
import type { Issue } from './issue.entity';

const LEVEL = projectLevel({
  user: 'u.id',
  project: 'p.id',
  owner: 'n.owner_id',
  traversal: 'n.traversal_ids',
});

/** A confidential issue that is there already is given to those alone who may read it; a new one opens itself to whom it is given. */
const MAY_READ = `(
  u.is_admin AND p.issues_access <> 'disabled'
  OR p.issues_access = 'enabled' AND NOT $3::boolean AND (p.visibility = 'public' OR p.visibility = 'internal' AND NOT u.is_external)
  OR p.issues_access <> 'disabled' AND ${LEVEL} >= CASE WHEN $3::boolean THEN ${Level.reporter} ELSE ${Level.guest} END
  OR $3::boolean AND (u.id = $4::bigint OR EXISTS (SELECT 1 FROM issue_assignees a WHERE a.issue_id = $5::bigint AND a.user_id = u.id)))`;

/** As much of an issue as tells who may have it; a new one has no id yet. */
export type AssignedIssue = Pick<Issue, 'projectId' | 'confidential' | 'authorId'> & {
  readonly id: number | null;
};

/** An issue that nobody has been given yet. */
export const asNew = ({ projectId, confidential, authorId }: Issue): AssignedIssue => ({
  id: null,
  projectId,
  confidential,
  authorId,
});

@Injectable()
export class AssignableUsersRepository {
  constructor(private readonly database: Database) {}

  /** Those of the users, in the order of the ids, whom the issue can be given to. */
  async among(issue: AssignedIssue, userIds: readonly number[]): Promise<number[]> {
    const isClosedToOthers = issue.confidential && issue.id !== null;
    const rows = await this.database.prepared<{ id: number }>(
      'assignable_users',
      `SELECT u.id FROM users u, projects p JOIN namespaces n ON n.id = p.namespace_id
       WHERE p.id = $2 AND u.id = ANY($1::bigint[]) AND u.kind = 'human' AND NOT u.pending_delete AND ${MAY_READ}
       ORDER BY array_position($1::bigint[], u.id)`,
      [userIds, issue.projectId, isClosedToOthers, issue.authorId, issue.id],
    );
    return rows.map(({ id }) => id);
  }
}
