import { Database, InternalIds } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { CommitPipeline, CommitPipelines } from '../../repository/repository.api';
import { Pipeline, type PipelineFigures } from './pipeline.entity';
import type { CiStatus } from './status';

/** What a new pipeline is made of. */
export type NewPipeline = Pick<
  Pipeline,
  'projectId' | 'sha' | 'ref' | 'tag' | 'source' | 'userId' | 'protected' | 'committedAt'
> &
  Partial<
    Pick<Pipeline, 'status' | 'beforeSha' | 'yamlErrors' | 'mergeRequestId' | 'madeByEvent' | 'finishedAt'>
  >;

/** Whoever reports may report anything: a mean of such figures is still a number that the database has. */
const MOST_COVERAGE = '1e100';

@Injectable()
export class PipelinesRepository implements CommitPipelines {
  constructor(
    private readonly database: Database,
    private readonly ids: InternalIds,
  ) {}

  async latest(projectId: number, sha: string): Promise<CommitPipeline | null> {
    const [row] = await this.database.prepared<{ id: number; ref: string; sha: string; status: string }>(
      'latest_pipeline_of_commit',
      'SELECT id, ref, sha, status FROM pipelines WHERE project_id = $1 AND sha = $2 ORDER BY id DESC LIMIT 1',
      [projectId, sha],
    );
    return row ?? null;
  }

  findOfCommit(
    projectId: number,
    sha: string,
    where: { id: number } | { ref: string },
  ): Promise<Pipeline | null> {
    return this.database.manager.findOne(Pipeline, {
      where: { projectId, sha, ...where },
      order: { id: 'DESC' },
    });
  }

  find(projectId: number, id: number): Promise<Pipeline | null> {
    return this.database.manager.findOneBy(Pipeline, { projectId, id });
  }

  /** One was made for the commit of a merge request. */
  async isBuilt(mergeRequestId: number, sha: string): Promise<boolean> {
    return this.database.manager.existsBy(Pipeline, { mergeRequestId, sha });
  }

  /** The newest of a branch or tag. */
  newestOn(projectId: number, ref: string): Promise<Pipeline | null> {
    return this.database.manager.findOne(Pipeline, { where: { projectId, ref }, order: { id: 'DESC' } });
  }

  /** What an event has made already. */
  async madeBy(eventId: number, { ref, tag }: Pick<Pipeline, 'ref' | 'tag'>): Promise<boolean> {
    return this.database.manager.existsBy(Pipeline, { madeByEvent: eventId, ref, tag });
  }

  /** The newest of the project. */
  newest(projectId: number): Promise<Pipeline | null> {
    return this.database.manager.findOne(Pipeline, { where: { projectId }, order: { id: 'DESC' } });
  }

  /** Keeps everybody else from changing the pipeline and its jobs until the transaction ends. */
  async lock(id: number): Promise<Pipeline | null> {
    return this.database.manager.findOne(Pipeline, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** In a transaction. */
  async create(values: NewPipeline): Promise<Pipeline> {
    const sequence = { scopeKind: 'project', scopeId: values.projectId, usage: 'pipelines' } as const;
    const pipeline = this.database.manager.create(Pipeline, {
      iid: await this.ids.next(sequence),
      status: 'pending',
      beforeSha: '0'.repeat(40),
      yamlErrors: null,
      mergeRequestId: null,
      madeByEvent: null,
      duration: null,
      coverage: null,
      startedAt: null,
      finishedAt: null,
      ...values,
    });
    return this.save(pipeline);
  }

  save(pipeline: Pipeline): Promise<Pipeline> {
    return this.database.manager.save(pipeline);
  }

  async remove({ id }: Pipeline): Promise<void> {
    await this.database.manager.delete(Pipeline, { id });
  }

  /** Of its latest statuses, jobs and others' alike; the time of running jobs counts up to now. */
  async figures(pipelineId: number): Promise<PipelineFigures> {
    const rows = await this.database.prepared<{
      status: CiStatus;
      allowFailure: boolean;
      coverage: number | null;
      seconds: number;
    }>(
      'figures_of_pipeline',
      `WITH latest AS (SELECT * FROM commit_statuses WHERE pipeline_id = $1 AND NOT retried),
         times AS (
           SELECT range_agg(tstzrange(started_at, greatest(started_at, coalesce(finished_at, now())))) AS ranges
           FROM latest WHERE started_at IS NOT NULL),
         ran AS (SELECT sum(extract(epoch FROM upper(piece) - lower(piece)))::float8 AS seconds
           FROM times, unnest(times.ranges) AS piece)
       SELECT status, allow_failure AS "allowFailure",
         (SELECT avg(greatest(least(coverage, ${MOST_COVERAGE}), -${MOST_COVERAGE})) FROM latest
           WHERE coverage IS NOT NULL) AS coverage,
         coalesce((SELECT seconds FROM ran), 0)::float8 AS seconds
       FROM latest GROUP BY status, allow_failure`,
      [pipelineId],
    );
    return {
      statuses: rows.map(({ status, allowFailure }) => ({ status, allowFailure })),
      coverage: rows[0]?.coverage ?? null,
      seconds: Math.round(rows[0]?.seconds ?? 0),
    };
  }

  /** Keeps others from making pipelines of the commit until the transaction ends. */
  async lockCommit(projectId: number, sha: string): Promise<void> {
    await this.database.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `pipeline:${projectId}:${sha}`,
    ]);
  }
}
