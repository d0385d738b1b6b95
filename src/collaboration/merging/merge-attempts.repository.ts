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
}

/** Merges under way. A row is there for as long as its merge request is locked. */
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

  /** Call it in the transaction that ends the lock of the merge request. */
  async end(mergeRequestId: number): Promise<void> {
    await this.database.prepared(
      'end_merge_attempt',
      'DELETE FROM merge_attempts WHERE merge_request_id = $1',
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
    merge_request.project_id AS "projectId"
  FROM merge_attempts attempt JOIN merge_requests merge_request ON merge_request.id = attempt.merge_request_id`;
