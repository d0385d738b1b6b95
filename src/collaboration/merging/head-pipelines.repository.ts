import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { MergeRequest } from '../merge-requests/merge-request.entity';

/** A pipeline as far as merging depends on it. */
export interface HeadPipeline {
  readonly id: number;
  readonly status: string;
}

const STILL_TO_COME: readonly string[] = ['created', 'preparing', 'pending', 'running'];

export const isUnderWay = (pipeline: HeadPipeline | null): boolean =>
  pipeline !== null && STILL_TO_COME.includes(pipeline.status);

/** Pipelines of merge requests' newest commits, as they are at this moment. */
@Injectable()
export class HeadPipelines {
  constructor(private readonly database: Database) {}

  /** The newest of the branch's tip, or of the merge request itself; null where none has been made for the head. */
  async of(mergeRequest: MergeRequest): Promise<HeadPipeline | null> {
    const { id, sourceProjectId, headSha, sourceBranch } = mergeRequest;
    const [row] = await this.database.prepared<{ id: number; status: string }>(
      'head_pipeline_of_merge_request',
      `SELECT id, status FROM pipelines
       WHERE project_id = $1 AND sha = $2
         AND (merge_request_id = $4 OR (ref = $3 AND NOT tag AND merge_request_id IS NULL))
       ORDER BY id DESC LIMIT 1`,
      [sourceProjectId, headSha, sourceBranch, id],
    );
    return row ?? null;
  }

  /** Ids of the open merge requests that wait for a pipeline of this commit, of the project or a fork of it. */
  async waitingFor(pipelineId: number): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'merge_requests_waiting_for_pipeline',
      `SELECT waiting.id FROM pipelines pipeline JOIN merge_requests waiting ON waiting.head_sha = pipeline.sha
       WHERE pipeline.id = $1 AND waiting.merge_when_pipeline_succeeds AND waiting.state = 'opened'
         AND waiting.source_project_id = pipeline.project_id ORDER BY waiting.id`,
      [pipelineId],
    );
    return rows.map(({ id }) => id);
  }
}
