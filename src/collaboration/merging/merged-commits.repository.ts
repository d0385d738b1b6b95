import { Database } from '#libs/database';
import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';

/** Commits that this service has made to merge something: nobody wrote what their messages say. */
@Injectable()
export class MergedCommits {
  constructor(private readonly database: Database) {}

  /** Which of the commits of a project are such, also where the merge is being written down at this moment. */
  async among(projectId: number, shas: readonly Sha[]): Promise<ReadonlySet<Sha>> {
    const rows = await this.database.prepared<{ sha: Sha }>(
      'merge_commits_among',
      `SELECT merge_commit_sha AS sha FROM merge_requests
       WHERE project_id = $1 AND merge_commit_sha = ANY($2::text[])
       UNION
       SELECT attempt.merge_commit_sha FROM merge_attempts attempt
       JOIN merge_requests merge_request ON merge_request.id = attempt.merge_request_id
       WHERE merge_request.project_id = $1 AND attempt.merge_commit_sha = ANY($2::text[])`,
      [projectId, shas],
    );
    return new Set(rows.map(({ sha }) => sha));
  }
}
