import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { FailureReason } from './failure-reasons';

export interface StuckJob {
  readonly jobId: number;
  readonly reason: FailureReason;
}

const WAITING_HOURS = 24;
/** A runner that says nothing for so long is dead; a living one sends at least that it lives, every few seconds. */
const SILENT_MINUTES = 60;
/** What a job may take beyond its time, as its runner ends it and sends the rest. */
const GRACE_MINUTES = 10;
const DELAY_HOURS = 1;

/** Jobs that nobody but the clock moves. */
@Injectable()
export class StuckJobsRepository {
  constructor(private readonly database: Database) {}

  /** Some after the id that run without a runner, or beyond their time. */
  running(afterId: number, most: number): Promise<StuckJob[]> {
    return this.database.prepared<StuckJob>(
      'stuck_running_jobs',
      `SELECT job.id AS "jobId", CASE
         WHEN job.runner_id IS NULL THEN 'runner_system_failure'
         WHEN record.started_at < now() - make_interval(secs => job.timeout_seconds) THEN 'job_execution_timeout'
         ELSE 'stuck_or_timeout_failure' END AS reason
       FROM commit_statuses record JOIN jobs job ON job.id = record.id
       WHERE record.kind = 'job' AND record.status = 'running' AND job.id > $1 AND (
         job.runner_id IS NULL
         OR record.started_at < now() - make_interval(secs => job.timeout_seconds, mins => ${GRACE_MINUTES})
         OR coalesce(job.last_contact_at, record.started_at) < now() - make_interval(mins => ${SILENT_MINUTES}))
       ORDER BY job.id LIMIT $2`,
      [afterId, most],
    );
  }

  /** Some after the id that no runner has taken. */
  waiting(afterId: number, most: number): Promise<StuckJob[]> {
    return this.database.prepared<StuckJob>(
      'stuck_waiting_jobs',
      `SELECT job_id AS "jobId", 'stuck_or_timeout_failure' AS reason FROM job_queue
       WHERE queued_at < now() - make_interval(hours => ${WAITING_HOURS}) AND job_id > $1 ORDER BY job_id LIMIT $2`,
      [afterId, most],
    );
  }

  /** Some after the id whose delay is long over, so that something must have kept them from being started. */
  stale(afterId: number, most: number): Promise<StuckJob[]> {
    return this.database.prepared<StuckJob>(
      'stale_delayed_jobs',
      `SELECT job.id AS "jobId", 'stale_schedule' AS reason
       FROM commit_statuses record JOIN jobs job ON job.id = record.id
       WHERE record.kind = 'job' AND record.status = 'scheduled' AND job.id > $1
         AND job.start_after < now() - make_interval(hours => ${DELAY_HOURS})
       ORDER BY job.id LIMIT $2`,
      [afterId, most],
    );
  }

  /** Some after the id whose delay is over. */
  async due(afterId: number, most: number): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'due_delayed_jobs',
      `SELECT job.id FROM commit_statuses record JOIN jobs job ON job.id = record.id
       WHERE record.kind = 'job' AND record.status = 'scheduled' AND job.start_after <= now() AND job.id > $1
       ORDER BY job.id LIMIT $2`,
      [afterId, most],
    );
    return rows.map(({ id }) => id);
  }
}
