import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { DiffPosition } from './diff-position';

type DiffRefs = Pick<DiffPosition, 'base_sha' | 'start_sha' | 'head_sha'>;

/** The versions that a merge request has had, as far as remarks on their differences need to know. */
@Injectable()
export class DiffVersions {
  constructor(private readonly database: Database) {}

  async has(mergeRequestId: number, { base_sha, start_sha, head_sha }: DiffRefs): Promise<boolean> {
    const rows = await this.database.prepared(
      'has_version_of_merge_request',
      `SELECT 1 FROM merge_request_versions
       WHERE merge_request_id = $1 AND base_sha = $2 AND start_sha = $3 AND head_sha = $4 LIMIT 1`,
      [mergeRequestId, base_sha, start_sha, head_sha],
    );
    return rows.length > 0;
  }
}
