import { Level, type ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { LentBranches, projectLevel, type LentBranch, type Project } from '../../repository/repository.api';

/** Nobody looks after more than so many targets of one fork, or after more of its merge requests at once. */
const MOST_TARGETS = 20;
const MOST_BRANCHES = 1_000;

const LEVEL = projectLevel({
  user: '$2::bigint',
  project: 'p.id',
  owner: 'n.owner_id',
  traversal: 'n.traversal_ids',
});

/**
 * SQL over a merge request `mr` and its project `source`: its author may push to that. Nobody who has left a project gives
 * others leave to push there, nor themselves by a merge request into a project of their own.
 */
const AUTHOR_PUSHES = `EXISTS (
  SELECT 1 FROM users author JOIN namespaces place ON place.id = source.namespace_id
  WHERE author.id = mr.author_id AND author.state NOT IN ('blocked', 'ldap_blocked')
    AND (author.is_admin OR ${projectLevel({
      user: 'author.id',
      project: 'source.id',
      owner: 'place.owner_id',
      traversal: 'place.traversal_ids',
    })} >= ${Level.developer}))`;

/** Open merge requests whose authors let whoever may merge them push to the source branch. */
@Injectable()
export class LendingMergeRequests extends LentBranches {
  constructor(private readonly database: Database) {
    super();
  }

  /** Which of the merge requests lend their branches, or would if they were open: nothing private, nothing protected. */
  async lending(mergeRequestIds: readonly number[]): Promise<ReadonlySet<number>> {
    if (mergeRequestIds.length === 0) return new Set();
    const rows = await this.database.prepared<{ id: number }>(
      'lending_merge_requests',
      `SELECT mr.id FROM merge_requests mr
       JOIN projects source ON source.id = mr.source_project_id AND source.visibility <> 'private'
       JOIN projects target ON target.id = mr.project_id AND target.visibility <> 'private'
       WHERE mr.id = ANY($1::bigint[]) AND mr.allow_collaboration AND mr.source_project_id <> mr.project_id
         AND ${AUTHOR_PUSHES}
         AND NOT EXISTS (
           SELECT 1 FROM protected_branches rule WHERE rule.project_id = source.id
             AND mr.source_branch LIKE replace(regexp_replace(rule.name, '([%_\\\\])', '\\\\\\1', 'g'), '*', '%'))`,
      [mergeRequestIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Newest first. The user's level is looked up once for each target, however many merge requests go there. */
  of({ id: projectId }: Pick<Project, 'id'>, { id: userId }: Pick<ActorUser, 'id'>): Promise<LentBranch[]> {
    return this.database.prepared<LentBranch>(
      'lent_branches',
      `WITH target AS MATERIALIZED (
         SELECT DISTINCT project_id AS id FROM merge_requests
         WHERE source_project_id = $1 AND allow_collaboration AND state = 'opened' AND project_id <> $1),
       mergeable AS MATERIALIZED (
         SELECT p.id FROM target
         JOIN fork_network_members there ON there.project_id = target.id
         JOIN fork_network_members here ON here.project_id = $1 AND here.network_id = there.network_id
         JOIN projects p ON p.id = target.id JOIN namespaces n ON n.id = p.namespace_id
         WHERE p.visibility <> 'private' AND NOT p.archived AND NOT p.pending_delete AND NOT n.pending_delete
           AND ${LEVEL} >= ${Level.developer}
         ORDER BY p.id LIMIT ${MOST_TARGETS})
       SELECT mr.source_branch AS branch, mr.project_id AS "targetProjectId", mr.target_branch AS "targetBranch"
       FROM merge_requests mr JOIN mergeable ON mergeable.id = mr.project_id
       JOIN projects source ON source.id = mr.source_project_id
       WHERE mr.source_project_id = $1 AND mr.allow_collaboration AND mr.state = 'opened' AND ${AUTHOR_PUSHES}
       ORDER BY mr.id DESC LIMIT ${MOST_BRANCHES}`,
      [projectId, userId],
    );
  }
}
