import { Database } from '#libs/database';
import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';

/** A merge that has been decided on, and is not written down yet. */
export interface MergeAttempt {
  readonly mergeRequestId: number;
  /** Null where whoever asked for it is gone by now. */
  readonly userId: number | null;
  /** Where the target branch is to stand. */
  readonly tipSha: Sha;
  /** Null where the target is only moved forward. */
  readonly mergeCommitSha: Sha | null;
  readonly squashCommitSha: Sha | null;
  readonly removesSourceBranch: boolean;
}

export interface BegunAttempt extends MergeAttempt {
  /** The target project. */
  readonly projectId: number;
  readonly begunAt: Date;
  /** What the merge says it closes has been closed. */
  readonly closedIssues: boolean;
}

/**
 * Merges under way. A row is there while its merge request is locked, and afterwards until all that follows from the
 * merge is done: its issues closed and, where that is wanted, the source branch removed.
 */
@Injectable()
export class MergeAttemptsRepository {
  constructor(private readonly database: Database) {}

  /** Call it in the transaction that locks the merge request. */
  async begin(attempt: MergeAttempt): Promise<void> {
    const { mergeRequestId, userId, tipSha, mergeCommitSha, squashCommitSha, removesSourceBranch } = attempt;
    await this.database.prepared(
      'begin_merge_attempt',
      `INSERT INTO merge_attempts
         (merge_request_id, user_id, tip_sha, merge_commit_sha, squash_commit_sha, removes_source_branch)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [mergeRequestId, userId, tipSha, mergeCommitSha, squashCommitSha, removesSourceBranch],
    );
  }

  /** For a merge that did not come about. Call it in the transaction that ends the lock of the merge request. */
  async end(mergeRequestId: number): Promise<void> {
    await this.database.prepared(
      'end_merge_attempt',
      'DELETE FROM merge_attempts WHERE merge_request_id = $1',
      [mergeRequestId],
    );
  }

  /** The last thing to be done ends the attempt. */
  async closedIssues(mergeRequestId: number): Promise<void> {
    await this.database.prepared(
      'merge_attempt_closed_issues',
      `WITH noted AS (
         UPDATE merge_attempts SET closed_issues = true WHERE merge_request_id = $1 AND removes_source_branch)
       DELETE FROM merge_attempts WHERE merge_request_id = $1 AND NOT removes_source_branch`,
      [mergeRequestId],
    );
  }

  /** The same for the source branch: it is gone, or is to stay. */
  async removedSourceBranch(mergeRequestId: number): Promise<void> {
    await this.database.prepared(
      'merge_attempt_removed_source_branch',
      `WITH noted AS (
         UPDATE merge_attempts SET removes_source_branch = false WHERE merge_request_id = $1 AND NOT closed_issues)
       DELETE FROM merge_attempts WHERE merge_request_id = $1 AND closed_issues`,
      [mergeRequestId],
    );
  }

  async find(mergeRequestId: number): Promise<BegunAttempt | null> {
    const [attempt] = await this.database.prepared<BegunAttempt>(
      'merge_attempt',
      `${SELECT} WHERE attempt.merge_request_id = $1`,
      [mergeRequestId],
    );
    return attempt ?? null;
  }

  /** Merges that began so long ago, in the order of their merge requests' ids, beyond `afterId`. */
  olderThan(seconds: number, afterId: number, most: number): Promise<BegunAttempt[]> {
    return this.database.prepared<BegunAttempt>(
      'old_merge_attempts',
      `${SELECT} WHERE attempt.created_at < now() - make_interval(secs => $1) AND attempt.merge_request_id > $2
       ORDER BY attempt.merge_request_id LIMIT $3`,
      [seconds, afterId, most],
    );
  }
}

const SELECT = `
  SELECT attempt.merge_request_id AS "mergeRequestId", attempt.user_id AS "userId", attempt.tip_sha AS "tipSha",
    attempt.merge_commit_sha AS "mergeCommitSha", attempt.squash_commit_sha AS "squashCommitSha",
    attempt.removes_source_branch AS "removesSourceBranch", attempt.created_at AS "begunAt",
    attempt.closed_issues AS "closedIssues",
    merge_request.project_id AS "projectId"
  FROM merge_attempts attempt JOIN merge_requests merge_request ON merge_request.id = attempt.merge_request_id`;
