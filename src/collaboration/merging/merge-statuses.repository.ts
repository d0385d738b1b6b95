import { Database } from '#libs/database';
import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import type { MergeStatus } from '../merge-requests/merge-request.entity';

/** What is known of merging two commits. */
export interface CheckedMerge {
  readonly status: MergeStatus;
  /** Null where the answer holds only until somebody looks again. */
  readonly sourceSha: Sha | null;
  readonly targetSha: Sha | null;
}

@Injectable()
export class MergeStatusesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Keeps the answer, unless the merge request has another head by now. That counts as no change of the merge request.
   */
  async keep(
    { id, headSha }: { readonly id: number; readonly headSha: Sha | null },
    { status, sourceSha, targetSha }: CheckedMerge,
  ): Promise<void> {
    await this.database.prepared(
      'keep_merge_status',
      `UPDATE merge_requests SET merge_status = $2, checked_source_sha = $3, checked_target_sha = $4
       WHERE id = $1 AND state = 'opened' AND head_sha IS NOT DISTINCT FROM $5`,
      [id, status, sourceSha, targetSha, headSha],
    );
  }
}
