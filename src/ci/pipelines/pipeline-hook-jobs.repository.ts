import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { JobWhen } from '../configuration/job-definition';
import type { CiStatus } from './status';

/** A job as hooks of its pipeline tell of it. */
export interface HookJob {
  readonly id: number;
  readonly stage: string;
  readonly name: string;
  readonly status: CiStatus;
  readonly allowFailure: boolean;
  readonly when: JobWhen;
  readonly authorId: number | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly runner: {
    readonly id: number;
    readonly description: string;
    readonly active: boolean;
    readonly is_shared: boolean;
  } | null;
  readonly fileName: string | null;
  readonly fileSize: number | null;
}

/** No call tells of more. */
const MOST_JOBS = 2_000;

@Injectable()
export class PipelineHookJobsRepository {
  constructor(private readonly database: Database) {}

  /** By stage; retried ones, too. */
  ofPipeline(pipelineId: number): Promise<HookJob[]> {
    return this.database.prepared<HookJob>(
      'hook_jobs_of_pipeline',
      `SELECT status.id, status.stage, status.name, status.status, status.allow_failure AS "allowFailure", job."when",
         status.author_id AS "authorId", status.created_at AS "createdAt", status.started_at AS "startedAt",
         status.finished_at AS "finishedAt",
         CASE WHEN runner.id IS NOT NULL THEN json_build_object('id', runner.id, 'description', runner.description,
           'active', runner.active, 'is_shared', runner.kind = 'instance') END AS runner,
         file.file_name AS "fileName", file.size AS "fileSize"
       FROM commit_statuses status JOIN jobs job ON job.id = status.id
       LEFT JOIN runners runner ON runner.id = job.runner_id
       LEFT JOIN job_artifacts file ON file.job_id = job.id AND file.file_type = 'archive'
       WHERE status.pipeline_id = $1 ORDER BY status.stage_index, status.id LIMIT $2`,
      [pipelineId, MOST_JOBS],
    );
  }
}
