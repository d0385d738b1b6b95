import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { CommitPipeline, CommitPipelines } from '../../repository/repository.api';
import { Pipeline } from './pipeline.entity';

@Injectable()
export class PipelinesRepository implements CommitPipelines {
  constructor(private readonly database: Database) {}

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

  /** The newest of the project. */
  newest(projectId: number): Promise<Pipeline | null> {
    return this.database.manager.findOne(Pipeline, { where: { projectId }, order: { id: 'DESC' } });
  }

  create(
    values: Pick<Pipeline, 'projectId' | 'sha' | 'ref' | 'tag' | 'source' | 'userId'>,
  ): Promise<Pipeline> {
    return this.save(
      this.database.manager.create(Pipeline, { ...values, status: 'pending', beforeSha: '0'.repeat(40) }),
    );
  }

  save(pipeline: Pipeline): Promise<Pipeline> {
    return this.database.manager.save(pipeline);
  }

  /** Keeps others from making or recounting pipelines of the commit until the transaction ends. */
  async lockCommit(projectId: number, sha: string): Promise<void> {
    await this.database.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `pipeline:${projectId}:${sha}`,
    ]);
  }
}
