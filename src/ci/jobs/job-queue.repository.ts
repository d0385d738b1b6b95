import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { Job } from './job.entity';

/** A job that a runner may try to take until the offer ends. */
export interface OfferedJob {
  readonly jobId: number;
  readonly pipelineId: number;
}

/** So long nobody else tries to take a job that somebody is taking; the work of one who died goes on after it. */
const OFFER_SECONDS = 30;

/** Runner r may run the jobs of project p, whose namespace is n, whatever their tags. */
const SERVES_PROJECT = `(
  (r.kind = 'instance' AND p.shared_runners_enabled)
  OR (r.kind = 'group' AND EXISTS (
    SELECT 1 FROM runner_groups served WHERE served.runner_id = r.id AND served.group_id = ANY(n.traversal_ids)))
  OR (r.kind = 'project' AND EXISTS (
    SELECT 1 FROM runner_projects served WHERE served.runner_id = r.id AND served.project_id = p.id)))`;

/** Runner r may run a job of these tags, and of a protected ref or another one. */
const SUITS = `
  q.tag_list <@ r.tag_list AND (r.run_untagged OR q.tag_list <> '{}')
  AND (r.access_level = 'not_protected' OR q.protected)`;

const FROM_QUEUE = `
  job_queue q
  JOIN projects p ON p.id = q.project_id AND NOT p.pending_delete AND p.jobs_access <> 'disabled'
  JOIN namespaces n ON n.id = p.namespace_id AND NOT n.pending_delete
  JOIN runners r ON ${SUITS} AND ${SERVES_PROJECT}`;

/**
 * Offers the runner $1 the next job. Instance runners serve the project with the fewest jobs on instance runners first,
 * all others the oldest job. Rows that somebody else is taking at this moment are passed over, so nobody waits.
 */
const OFFER = `
  UPDATE job_queue taken SET offered_until = now() + make_interval(secs => ${OFFER_SECONDS})
  WHERE taken.job_id = (
    SELECT q.job_id FROM ${FROM_QUEUE}
    LEFT JOIN (
      SELECT record.project_id, count(*) AS jobs
      FROM commit_statuses record JOIN jobs job ON job.id = record.id JOIN runners runner ON runner.id = job.runner_id
      WHERE record.kind = 'job' AND record.status = 'running' AND runner.kind = 'instance'
      GROUP BY record.project_id) AS busy ON r.kind = 'instance' AND busy.project_id = q.project_id
    WHERE r.id = $1 AND r.active AND q.offered_until < now()
    ORDER BY coalesce(busy.jobs, 0), q.job_id LIMIT 1 FOR UPDATE OF q SKIP LOCKED)
  RETURNING taken.job_id AS "jobId", (SELECT pipeline_id FROM jobs WHERE id = taken.job_id) AS "pipelineId"`;

/** Jobs that wait for a runner. Their own status is the truth; a row of the queue only leads there. */
@Injectable()
export class JobQueueRepository {
  constructor(private readonly database: Database) {}

  async add(jobs: readonly Job[]): Promise<void> {
    await this.database.manager.query(
      `INSERT INTO job_queue (job_id, project_id, tag_list, protected)
       SELECT id, project_id, tag_list, protected FROM jobs WHERE id = ANY($1::bigint[])
       ON CONFLICT (job_id) DO UPDATE SET queued_at = now(), offered_until = '-infinity'`,
      [jobs.map(({ id }) => id)],
    );
  }

  async remove(jobIds: readonly number[]): Promise<void> {
    await this.database.prepared(
      'leave_job_queue',
      'DELETE FROM job_queue WHERE job_id = ANY($1::bigint[])',
      [jobIds],
    );
  }

  /** Null where there is nothing for the runner. Not in a transaction: its locks must not outlive the statement. */
  async offer(runnerId: number): Promise<OfferedJob | null> {
    const [offered] = await this.database.prepared<OfferedJob>('offer_job', OFFER, [runnerId]);
    return offered ?? null;
  }

  /** Runners for whom there is a job, but not more of them than there are jobs that nobody is taking. */
  async served(runnerIds: readonly number[]): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'runners_with_jobs',
      `SELECT waiting.id FROM unnest($1::bigint[]) AS waiting(id)
       WHERE EXISTS (SELECT 1 FROM ${FROM_QUEUE} WHERE r.id = waiting.id AND r.active AND q.offered_until < now())
       LIMIT (SELECT count(*) FROM (SELECT 1 FROM job_queue WHERE offered_until < now() LIMIT 1000) AS free)`,
      [runnerIds],
    );
    return rows.map(({ id }) => id);
  }
}
