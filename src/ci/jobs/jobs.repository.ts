import { Database, paginate } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { CommitStatus } from '../commit-statuses/commit-status.entity';
import type { CiStatus } from '../pipelines/status';
import { Job } from './job.entity';

/** A lock on jobs keeps their token and log from changing; their status changes under the lock of the pipeline. */
type Hold = 'held' | 'free';

const SAVE = `
  WITH changed AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS changed(
      id bigint, status text, "authorId" bigint, retried boolean, coverage float8, "queuedAt" timestamptz, "startedAt" timestamptz,
      "finishedAt" timestamptz, "startAfter" timestamptz, "failureReason" text, "runnerId" bigint, digest text,
      "traceBytes" bigint, "artifactsExpireAt" timestamptz, "lastContactAt" timestamptz, "erasedAt" timestamptz,
      "erasedById" bigint)),
  records AS (
    UPDATE commit_statuses record SET status = changed.status, author_id = changed."authorId", retried = changed.retried, coverage = changed.coverage,
      queued_at = changed."queuedAt", started_at = changed."startedAt", finished_at = changed."finishedAt",
      updated_at = now()
    FROM changed WHERE record.id = changed.id)
  UPDATE jobs job SET start_after = changed."startAfter", failure_reason = changed."failureReason",
    runner_id = changed."runnerId", job_token_digest = decode(changed.digest, 'hex'),
    trace_bytes = changed."traceBytes", artifacts_expire_at = changed."artifactsExpireAt",
    last_contact_at = changed."lastContactAt", erased_at = changed."erasedAt", erased_by_id = changed."erasedById"
  FROM changed WHERE job.id = changed.id`;

/** Copies in the order of their originals, which are done with from now on. */
const COPY = `
  WITH originals AS (
    SELECT job.*, nextval(pg_get_serial_sequence('commit_statuses', 'id')) AS copy_id
    FROM (SELECT * FROM jobs WHERE id = ANY($1::bigint[]) ORDER BY array_position($1::bigint[], id)) AS job),
  done AS (UPDATE commit_statuses SET retried = true, updated_at = now() WHERE id = ANY($1::bigint[]) RETURNING *),
  records AS (
    INSERT INTO commit_statuses (id, project_id, pipeline_id, sha, ref, kind, name, stage, stage_index, status,
      allow_failure, author_id, description, target_url)
    SELECT originals.copy_id, done.project_id, done.pipeline_id, done.sha, done.ref, 'job', done.name, done.stage,
      done.stage_index, 'created', done.allow_failure, coalesce($2::bigint, done.author_id), done.description,
      done.target_url
    FROM originals JOIN done ON done.id = originals.id),
  copies AS (
    INSERT INTO jobs (id, project_id, pipeline_id, definition, tag_list, "when", needs, protected, attempts,
      timeout_seconds, coverage_regex)
    SELECT copy_id, project_id, pipeline_id, definition, tag_list, "when", needs, protected, attempts + 1,
      timeout_seconds, coverage_regex
    FROM originals)
  SELECT id, copy_id AS "copyId" FROM originals`;

@Injectable()
export class JobsRepository {
  constructor(private readonly database: Database) {}

  find(id: number, hold: Hold = 'free'): Promise<Job | null> {
    const query = this.query().where('job.id = :id', { id });
    return (hold === 'held' ? locking(query) : query).getOne();
  }

  /** Of one project. */
  findIn(projectId: number, id: number): Promise<Job | null> {
    return this.query().where('job.id = :id AND job.projectId = :projectId', { id, projectId }).getOne();
  }

  /** Locks them for the rest of the transaction; in the order of their ids. */
  hold(ids: readonly number[]): Promise<Job[]> {
    return locking(this.query().where('job.id = ANY(:ids)', { ids })).orderBy('job.id').getMany();
  }

  /** The newest first. No statuses: all of them. */
  ofProject(projectId: number, statuses: readonly CiStatus[], page: PageRequest): Promise<Page<Job>> {
    const query = this.query().where("record.projectId = :projectId AND record.kind = 'job'", { projectId });
    return paginate(withStatus(query, statuses).orderBy('record.id', 'DESC'), page);
  }

  /** Retried ones, too. */
  ofPipeline(pipelineId: number, statuses: readonly CiStatus[], page: PageRequest): Promise<Page<Job>> {
    const query = this.query().where('record.pipelineId = :pipelineId', { pipelineId });
    return paginate(withStatus(query, statuses).orderBy('record.id', 'ASC'), page);
  }

  /** Newest first. */
  ofRunner(
    runnerId: number,
    statuses: readonly CiStatus[],
    sort: 'asc' | 'desc',
    page: PageRequest,
  ): Promise<Page<Job>> {
    const query = this.query().where('job.runnerId = :runnerId', { runnerId });
    return paginate(withStatus(query, statuses).orderBy('job.id', sort === 'asc' ? 'ASC' : 'DESC'), page);
  }

  /** The newest of the project; null where it has had none. */
  newest(projectId: number): Promise<Job | null> {
    return this.query()
      .where("record.projectId = :projectId AND record.kind = 'job'", { projectId })
      .orderBy('record.id', 'DESC')
      .limit(1)
      .getOne();
  }

  /** The jobs before one in its pipeline whose artifacts it may want: those of earlier stages, or that it needs. */
  before({ pipelineId, needs, record }: Job): Promise<Job[]> {
    const query = this.query().where('record.pipelineId = :pipelineId AND NOT record.retried', {
      pipelineId,
    });
    if (needs === null) query.andWhere('record.stageIndex < :stage', { stage: record.stageIndex });
    else query.andWhere('record.name = ANY(:needs)', { needs });
    return query.orderBy('record.stageIndex').addOrderBy('record.id').getMany();
  }

  /** The pipeline of a job, which never changes, for locking it first. */
  async pipelineIdOf(jobId: number): Promise<number | null> {
    const [row] = await this.database.prepared<{ pipelineId: number }>(
      'pipeline_of_job',
      'SELECT pipeline_id AS "pipelineId" FROM jobs WHERE id = $1',
      [jobId],
    );
    return row?.pipelineId ?? null;
  }

  /** The job of a pipeline that runs with the token of this digest. */
  runningBy(pipelineId: number, tokenDigest: Buffer): Promise<Job | null> {
    return this.query()
      .where("job.pipelineId = :pipelineId AND record.status = 'running'", { pipelineId })
      .andWhere('job.jobTokenDigest = :tokenDigest', { tokenDigest })
      .getOne();
  }

  async isProjectGone(projectId: number): Promise<boolean> {
    const rows = await this.database.prepared(
      'project_of_job_lives',
      'SELECT 1 FROM projects WHERE id = $1 AND NOT pending_delete',
      [projectId],
    );
    return rows.length === 0;
  }

  /** All jobs that a pipeline ever had, locked: nothing is added to what they leave behind from now on. */
  holdAllOf(pipelineId: number): Promise<Pick<Job, 'id' | 'projectId'>[]> {
    return this.database.prepared(
      'hold_jobs_of_pipeline',
      'SELECT id, project_id AS "projectId" FROM jobs WHERE pipeline_id = $1 ORDER BY id FOR UPDATE',
      [pipelineId],
    );
  }

  /** Whatever moves have changed, of all of them, in one statement. */
  async save(jobs: readonly Job[]): Promise<void> {
    if (jobs.length > 0) await this.database.manager.query(SAVE, [JSON.stringify(jobs.map(columnsOf))]);
  }

  /** New jobs like the given ones, which count as retried; in their order. `userId` null: of whom the originals are. */
  async copy(ids: readonly number[], userId: number | null): Promise<number[]> {
    const rows: { id: number; copyId: number }[] = await this.database.manager.query(COPY, [
      [...ids],
      userId,
    ]);
    const copies = new Map(rows.map(({ id, copyId }) => [id, copyId]));
    return ids.flatMap((id) => copies.get(id) ?? []);
  }

  /** How long its log is now, which also tells that its runner lives. */
  async noteTrace(id: number, bytes: number): Promise<void> {
    await this.database.prepared(
      'note_trace_of_job',
      'UPDATE jobs SET trace_bytes = $2, last_contact_at = now() WHERE id = $1',
      [id, bytes],
    );
  }

  /** That its runner lives is exact to a minute. */
  async noteContact(id: number): Promise<void> {
    await this.database.prepared(
      'note_contact_of_job',
      `UPDATE jobs SET last_contact_at = now()
       WHERE id = $1 AND (last_contact_at IS NULL OR last_contact_at < now() - interval '1 minute')`,
      [id],
    );
  }

  private query(): SelectQueryBuilder<Job> {
    return this.database.manager
      .createQueryBuilder(Job, 'job')
      .innerJoinAndMapOne('job.record', CommitStatus, 'record', 'record.id = job.id');
  }
}

const locking = (query: SelectQueryBuilder<Job>): SelectQueryBuilder<Job> =>
  query.setLock('pessimistic_write');

const withStatus = (
  query: SelectQueryBuilder<Job>,
  statuses: readonly CiStatus[],
): SelectQueryBuilder<Job> =>
  statuses.length === 0 ? query : query.andWhere('record.status = ANY(:statuses)', { statuses });

const columnsOf = (job: Job) => ({
  id: job.id,
  status: job.record.status,
  authorId: job.record.authorId,
  retried: job.record.retried,
  coverage: job.record.coverage,
  queuedAt: job.record.queuedAt,
  startedAt: job.record.startedAt,
  finishedAt: job.record.finishedAt,
  startAfter: job.startAfter,
  failureReason: job.failureReason,
  runnerId: job.runnerId,
  digest: job.jobTokenDigest?.toString('hex') ?? null,
  traceBytes: job.traceBytes,
  artifactsExpireAt: job.artifactsExpireAt,
  lastContactAt: job.lastContactAt,
  erasedAt: job.erasedAt,
  erasedById: job.erasedById,
});
