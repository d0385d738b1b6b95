import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { NewJobs } from '../configuration/new-job';
import type { OrderedJob } from './next-moves';
import type { Pipeline } from './pipeline.entity';

/** The jobs of pipelines as their order needs them; what becomes of each is the business of JobMoves. */
@Injectable()
export class PipelineJobsRepository {
  constructor(private readonly database: Database) {}

  /** All in one statement; they have been created and wait for their turn. Their ids, in the order of the jobs. */
  async create(pipeline: Pipeline, jobs: NewJobs): Promise<number[]> {
    const rows: { id: number }[] = await this.database.manager.query(
      `WITH wanted AS (
         SELECT *, nextval(pg_get_serial_sequence('commit_statuses', 'id')) AS id FROM (
           SELECT wanted.* FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (
             name text, stage text, "stageIndex" int, "when" text, "allowFailure" boolean,
             needs jsonb, tags jsonb, "timeoutSeconds" int, "coverageRegex" text, definition jsonb)
           ) WITH ORDINALITY AS wanted(name, stage, "stageIndex", "when", "allowFailure", needs, tags,
             "timeoutSeconds", "coverageRegex", definition, place)
           ORDER BY place) AS ordered),
       statuses AS (
         INSERT INTO commit_statuses (id, project_id, pipeline_id, sha, ref, kind, name, stage, stage_index, status,
           allow_failure, author_id)
         SELECT id, $2, $3, $4, $5, 'job', name, stage, "stageIndex", 'created', "allowFailure", $6 FROM wanted),
       made AS (
         INSERT INTO jobs (id, project_id, pipeline_id, definition, tag_list, "when", needs, protected, timeout_seconds,
           coverage_regex)
         SELECT id, $2, $3, definition, ARRAY(SELECT jsonb_array_elements_text(tags)), "when",
         CASE WHEN jsonb_typeof(needs) = 'array' THEN ARRAY(SELECT jsonb_array_elements_text(needs)) END,
         $7, "timeoutSeconds", "coverageRegex"
         FROM wanted)
       SELECT id FROM wanted ORDER BY place`,
      [
        jobs.json,
        pipeline.projectId,
        pipeline.id,
        pipeline.sha,
        pipeline.ref,
        pipeline.userId,
        pipeline.protected,
      ],
    );
    return rows.map(({ id }) => id);
  }

  /** The latest of each name, by stage. */
  latest(pipelineId: number): Promise<OrderedJob[]> {
    return this.database.prepared<OrderedJob>(
      'latest_jobs_of_pipeline',
      `SELECT status.id, status.name, status.stage_index AS "stageIndex", status.status,
         status.allow_failure AS "allowFailure", job."when", job.needs,
         (job.definition->>'startInSeconds')::int AS "startInSeconds"
       FROM commit_statuses status JOIN jobs job ON job.id = status.id
       WHERE status.pipeline_id = $1 AND NOT status.retried ORDER BY status.stage_index, status.id`,
      [pipelineId],
    );
  }

  /** What others reported for a pipeline as failed and may report again; answers how many there are. */
  async reopenExternal(pipelineId: number): Promise<number> {
    const rows = await this.database.prepared(
      'reopen_external_statuses',
      `UPDATE commit_statuses SET status = 'pending', finished_at = NULL, updated_at = now()
       WHERE pipeline_id = $1 AND kind = 'external' AND NOT retried AND status IN ('failed', 'canceled') RETURNING id`,
      [pipelineId],
    );
    return rows.length;
  }

  /** It has jobs, and none that has begun must not be interrupted. */
  async mayBeInterrupted(pipelineId: number): Promise<boolean> {
    const [row] = await this.database.prepared<{ idle: boolean }>(
      'pipeline_may_be_interrupted',
      `SELECT count(*) > 0 AND bool_and(status.status NOT IN ('running', 'success', 'failed')
           OR (job.definition->>'interruptible')::boolean) AS idle
       FROM commit_statuses status JOIN jobs job ON job.id = status.id
       WHERE status.pipeline_id = $1 AND NOT status.retried`,
      [pipelineId],
    );
    return row?.idle ?? false;
  }

  /** What others reported as under way. */
  async cancelExternal(pipelineId: number): Promise<void> {
    await this.database.manager.query(
      `UPDATE commit_statuses SET status = 'canceled', finished_at = now(), updated_at = now()
       WHERE pipeline_id = $1 AND kind = 'external' AND NOT retried
         AND status IN ('created', 'preparing', 'pending', 'running')`,
      [pipelineId],
    );
  }
}
