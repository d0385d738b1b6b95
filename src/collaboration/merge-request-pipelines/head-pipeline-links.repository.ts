import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** A pipeline `p` is one of the merge request `mr`: of its head, on its branch or made for it. */
const OF_HEAD = `p.project_id = mr.source_project_id AND p.sha = mr.head_sha
  AND (p.ref = mr.source_branch AND NOT p.tag AND p.merge_request_id IS NULL OR p.merge_request_id = mr.id)`;

/** Which pipeline tells whether the newest commit of a merge request is any good. */
@Injectable()
export class HeadPipelineLinks {
  constructor(private readonly database: Database) {}

  /** The pipeline becomes that of every open merge request whose head it is about. */
  async take(pipelineId: number): Promise<void> {
    await this.database.prepared(
      'take_head_pipeline',
      `UPDATE merge_requests mr SET head_pipeline_id = p.id FROM pipelines p
       WHERE p.id = $1 AND mr.state IN ('opened', 'locked') AND ${OF_HEAD}
         AND (mr.head_pipeline_id IS NULL OR mr.head_pipeline_id < p.id)`,
      [pipelineId],
    );
  }

  /** The newest there is of the head, or none; call it in the transaction that has given the merge request its head. */
  async newest(mergeRequest: {
    readonly sourceProjectId: number | null;
    readonly sourceBranch: string;
    readonly id: number;
    readonly headSha: string | null;
  }): Promise<number | null> {
    const { id, sourceProjectId, sourceBranch, headSha } = mergeRequest;
    const [row] = await this.database.prepared<{ id: number }>(
      'newest_head_pipeline',
      `SELECT p.id FROM pipelines p WHERE p.project_id = $1 AND p.sha = $2
         AND (p.ref = $3 AND NOT p.tag AND p.merge_request_id IS NULL OR p.merge_request_id = $4)
       ORDER BY p.id DESC LIMIT 1`,
      [sourceProjectId, headSha, sourceBranch, id],
    );
    return row?.id ?? null;
  }
}
