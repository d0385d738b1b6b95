import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** Which open merge requests hang on which branches. */
@Injectable()
export class FollowedBranchesRepository {
  constructor(private readonly database: Database) {}

  /** Some open merge request comes from the project or goes to it. */
  async hasOpen(projectId: number): Promise<boolean> {
    const [row] = await this.database.prepared<{ found: boolean }>(
      'project_has_open_merge_requests',
      `SELECT EXISTS (SELECT 1 FROM merge_requests WHERE project_id = $1 AND state = 'opened')
         OR EXISTS (SELECT 1 FROM merge_requests WHERE source_project_id = $1 AND state = 'opened') AS found`,
      [projectId],
    );
    return row?.found ?? false;
  }

  async hasOpenTo(projectId: number, branch: string): Promise<boolean> {
    const rows = await this.database.prepared(
      'branch_has_open_merge_requests',
      `SELECT 1 FROM merge_requests WHERE project_id = $1 AND target_branch = $2 AND state = 'opened' LIMIT 1`,
      [projectId, branch],
    );
    return rows.length > 0;
  }

  /** Ids of open ones that come from the branch, in their order, beyond `after`. */
  from(projectId: number, branch: string, after: number, limit: number): Promise<number[]> {
    return this.ids(
      'open_merge_requests_from_branch',
      `SELECT id FROM merge_requests
       WHERE source_project_id = $1 AND source_branch = $2 AND state = 'opened' AND id > $3 ORDER BY id LIMIT $4`,
      [projectId, branch, after, limit],
    );
  }

  /** The same of those that go to the branch and hold one of the commits; whatever they hold for null. */
  to(
    projectId: number,
    branch: string,
    commits: readonly string[] | null,
    after: number,
    limit: number,
  ): Promise<number[]> {
    return this.ids(
      'open_merge_requests_to_branch_with_commits',
      `SELECT id FROM merge_requests
       WHERE project_id = $1 AND target_branch = $2 AND state = 'opened' AND id > $3
         AND ($5::text[] IS NULL OR id = ANY(ARRAY(
           SELECT merge_request_id FROM merge_request_commits WHERE sha = ANY($5::text[]))))
       ORDER BY id LIMIT $4`,
      [projectId, branch, after, limit, commits],
    );
  }

  /** What is known of merging into the branch is worth nothing once it has another tip. */
  async forgetStatuses(projectId: number, branch: string, tip: string): Promise<void> {
    await this.database.prepared(
      'forget_merge_statuses',
      `UPDATE merge_requests SET merge_status = 'unchecked', checked_source_sha = NULL, checked_target_sha = NULL
       WHERE project_id = $1 AND target_branch = $2 AND state = 'opened' AND merge_status <> 'unchecked'
         AND checked_target_sha IS DISTINCT FROM $3`,
      [projectId, branch, tip],
    );
  }

  private async ids(name: string, text: string, values: readonly unknown[]): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(name, text, values);
    return rows.map(({ id }) => id);
  }
}
