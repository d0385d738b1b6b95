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

/** Runner r may run a job of these tags. */
const HAS_TAGS = `q.tag_list <@ r.tag_list AND (r.run_untagged OR q.tag_list <> '{}')`;

/** Runner r may run a job of these tags, and of a protected ref or another one. */
const SUITS = `${HAS_TAGS} AND (r.access_level = 'not_protected' OR q.protected)`;

/** Of more kinds of tags in the queue than these it is not asked beforehand whether one of them suits. */
const MOST_KINDS = 200;

/** The different tags of queued jobs, by one look into the index for each. */
const KINDS = `
  kinds AS (
    SELECT (SELECT min(tag_list) FROM job_queue) AS tag_list, 1 AS place
    UNION ALL
    SELECT (SELECT min(tag_list) FROM job_queue WHERE tag_list > kinds.tag_list), kinds.place + 1
    FROM kinds WHERE kinds.tag_list IS NOT NULL AND kinds.place < ${MOST_KINDS})`;

/** Whether there may be a job for runner r at all, wherever it is. */
const MAY_SUIT = `EXISTS (SELECT 1 FROM kinds q WHERE q.tag_list IS NOT NULL AND (q.place = ${MOST_KINDS} OR ${HAS_TAGS}))`;

/** Whose jobs may run at all: project p of queued.project_id, and its namespace n. */
const OPEN_PROJECT = `
  JOIN projects p ON p.id = queued.project_id AND NOT p.pending_delete AND p.jobs_access <> 'disabled'
  JOIN namespaces n ON n.id = p.namespace_id AND NOT n.pending_delete`;

/** The oldest job of project p that runner r may run and nobody is taking. */
const OLDEST_OF_PROJECT = `
  SELECT q.job_id FROM job_queue q
  WHERE q.project_id = p.id AND q.offered_until < now() AND ${SUITS}
  ORDER BY q.project_id, q.job_id LIMIT 1`;

/**
 * The projects that have queued jobs, by one look into the index for each: however long the queue, what a runner that
 * asks costs depends on these alone. Not looked for where `from` has no row.
 */
const queuedProjects = (from: string): string => `
  queued AS (
    SELECT (SELECT min(project_id) FROM job_queue) AS project_id ${from}
    UNION ALL
    SELECT (SELECT min(project_id) FROM job_queue WHERE project_id > queued.project_id)
    FROM queued WHERE queued.project_id IS NOT NULL)`;

/** How many jobs of project p instance runners run now. */
const runningOnInstanceRunners = (columns: string): string => `
  SELECT ${columns} FROM commit_statuses record
  JOIN jobs job ON job.id = record.id JOIN runners runner ON runner.id = job.runner_id
  WHERE record.project_id = p.id AND record.kind = 'job' AND record.status = 'running' AND runner.kind = 'instance'`;

/** So many of the oldest jobs are looked at before each project with queued jobs is. */
const FRONT = 500;
/** More than runners that ask at the same moment. */
const OFFERED_AT_ONCE = 20;

/**
 * Among the oldest jobs in the queue, those that runner r serves first: for one of the installation jobs of projects that
 * have none on such runners. Where there is one it is the very job that a look at all projects would find.
 */
const FRONT_JOBS = `
  SELECT q.job_id FROM runner r CROSS JOIN LATERAL (
    SELECT * FROM job_queue WHERE r.kind <> 'project' AND offered_until < now() ORDER BY job_id LIMIT ${FRONT}) AS q
  CROSS JOIN LATERAL (SELECT q.project_id) AS queued ${OPEN_PROJECT}
  WHERE ${SUITS} AND ${SERVES_PROJECT} AND (r.kind <> 'instance' OR NOT EXISTS (${runningOnInstanceRunners('1')}))
  ORDER BY q.job_id LIMIT ${OFFERED_AT_ONCE}`;

/**
 * Offers the runner $1 the next job. Instance runners serve the project with the fewest jobs on instance runners first,
 * all others the oldest job. Rows that somebody else is taking at this moment are passed over, so nobody waits. Each
 * project with queued jobs is looked at only where the front of the queue has nothing for the runner.
 */
const OFFER = `
  WITH RECURSIVE ${KINDS},
  runner AS MATERIALIZED (SELECT * FROM runners r WHERE id = $1 AND active AND ${MAY_SUIT}),
  front AS MATERIALIZED (${FRONT_JOBS}),
  ${queuedProjects("FROM runner WHERE kind <> 'project'")},
  candidates AS (
    SELECT project_id FROM queued
    UNION ALL
    SELECT own.project_id FROM runner JOIN runner_projects own ON own.runner_id = runner.id
    WHERE runner.kind = 'project'),
  served AS MATERIALIZED (
    SELECT p.id, oldest.job_id,
      CASE WHEN r.kind = 'instance' THEN (${runningOnInstanceRunners('count(*)')}) ELSE 0 END AS busy
    FROM runner r CROSS JOIN candidates queued ${OPEN_PROJECT}
    CROSS JOIN LATERAL (${OLDEST_OF_PROJECT}) AS oldest
    WHERE ${SERVES_PROJECT}
    ORDER BY busy, oldest.job_id)
  UPDATE job_queue taken SET offered_until = now() + make_interval(secs => ${OFFER_SECONDS})
  WHERE taken.job_id = coalesce(
    (SELECT free.job_id FROM front CROSS JOIN LATERAL (
       SELECT q.job_id FROM job_queue q WHERE q.job_id = front.job_id AND q.offered_until < now()
       FOR UPDATE SKIP LOCKED) AS free LIMIT 1),
    (SELECT free.job_id FROM served p CROSS JOIN runner r
     CROSS JOIN LATERAL (${OLDEST_OF_PROJECT} FOR UPDATE OF q SKIP LOCKED) AS free LIMIT 1))
  RETURNING taken.job_id AS "jobId", (SELECT pipeline_id FROM jobs WHERE id = taken.job_id) AS "pipelineId"`;

/** Whether there is a job for runner r in one of these projects. */
const hasJob = (projects: string): string => `EXISTS (
  SELECT 1 FROM ${projects} queued ${OPEN_PROJECT}
  CROSS JOIN LATERAL (${OLDEST_OF_PROJECT}) AS oldest WHERE ${SERVES_PROJECT})`;

/** Runners of $1 with a job; most wait for tags that no queued job has, for which no project need be looked at. */
const SERVED = `
  WITH RECURSIVE ${queuedProjects('')}, ${KINDS}
  SELECT r.id FROM runners r
  WHERE r.id = ANY($1::bigint[]) AND r.active AND CASE
    WHEN NOT ${MAY_SUIT} THEN false
    WHEN r.kind = 'project' THEN ${hasJob('(SELECT project_id FROM runner_projects own WHERE own.runner_id = r.id)')}
    ELSE ${hasJob('queued')} END
  LIMIT (SELECT count(*) FROM (SELECT 1 FROM job_queue WHERE offered_until < now() LIMIT 1000) AS free)`;

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
    const rows = await this.database.prepared<{ id: number }>('runners_with_jobs', SERVED, [runnerIds]);
    return rows.map(({ id }) => id);
  }
}
