import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { StorageFigures } from '../../repository/repository.api';
import { JobArtifact } from './job-artifact.entity';

export type NewArtifact = Omit<JobArtifact, 'id' | 'createdAt' | 'isExpired'>;

interface RemovedArtifact {
  readonly projectId: number;
  readonly size: number;
  readonly place: string;
}

/** What is added and removed here counts at once for what its project takes up: both belong into a transaction. */
@Injectable()
export class JobArtifactsRepository {
  constructor(
    private readonly database: Database,
    private readonly figures: StorageFigures,
  ) {}

  /** Those that are not expired, by job, in the order of their upload; one query however many jobs. */
  async byJobs(jobIds: readonly number[]): Promise<ReadonlyMap<number, readonly JobArtifact[]>> {
    const found = new Map<number, JobArtifact[]>();
    if (jobIds.length === 0) return found;
    const artifacts = await this.database.manager
      .createQueryBuilder(JobArtifact, 'artifact')
      .where('artifact.jobId = ANY(:jobIds)', { jobIds: [...jobIds] })
      .andWhere('(artifact.expireAt IS NULL OR artifact.expireAt > now())')
      .orderBy('artifact.id')
      .getMany();
    for (const artifact of artifacts) {
      const known = found.get(artifact.jobId);
      if (known) known.push(artifact);
      else found.set(artifact.jobId, [artifact]);
    }
    return found;
  }

  find(jobId: number, fileType: JobArtifact['fileType']): Promise<JobArtifact | null> {
    return this.database.manager.findOneBy(JobArtifact, { jobId, fileType });
  }

  /**
   * The archive that a job of this name left in the newest successful pipeline of the ref. Null without one, or where
   * it has expired.
   */
  async latestArchive(projectId: number, ref: string, jobName: string): Promise<JobArtifact | null> {
    return this.database.manager
      .createQueryBuilder(JobArtifact, 'artifact')
      .innerJoin('commit_statuses', 'record', 'record.id = artifact.jobId')
      .where(
        `record.pipeline_id = (SELECT pipeline.id FROM pipelines pipeline
          WHERE pipeline.project_id = :projectId AND pipeline.ref = :ref AND pipeline.status = 'success'
          ORDER BY pipeline.id DESC LIMIT 1)`,
        { projectId, ref },
      )
      .andWhere("NOT record.retried AND record.name = :jobName AND artifact.fileType = 'archive'", {
        jobName,
      })
      .andWhere('(artifact.expireAt IS NULL OR artifact.expireAt > now())')
      .orderBy('artifact.id', 'DESC')
      .limit(1)
      .getOne();
  }

  async insert(artifact: NewArtifact): Promise<void> {
    await this.database.manager.insert(JobArtifact, artifact);
    await this.figures.addArtifacts(new Map([[artifact.projectId, artifact.size]]));
  }

  /** All of a job; answers where their files lie. */
  removeOf(jobId: number): Promise<string[]> {
    return this.removed('remove_artifacts_of_job', 'DELETE FROM job_artifacts WHERE job_id = $1', [jobId]);
  }

  /** All of a pipeline's jobs; answers where their files lie. */
  removeOfPipeline(pipelineId: number): Promise<string[]> {
    return this.removed(
      'remove_artifacts_of_pipeline',
      'DELETE FROM job_artifacts WHERE job_id IN (SELECT id FROM jobs WHERE pipeline_id = $1)',
      [pipelineId],
    );
  }

  /** They stay for good, whatever their configuration said. */
  async keep(jobId: number): Promise<void> {
    await this.database.manager.update(JobArtifact, { jobId }, { expireAt: null });
  }

  /** Some whose time is up, gone with their rows; answers where their files lie. */
  removeExpired(most: number): Promise<string[]> {
    return this.removed(
      'remove_expired_artifacts',
      `DELETE FROM job_artifacts WHERE id = ANY(ARRAY(
         SELECT id FROM job_artifacts WHERE expire_at <= now() ORDER BY expire_at LIMIT $1 FOR UPDATE SKIP LOCKED))`,
      [most],
    );
  }

  private async removed(name: string, text: string, values: readonly unknown[]): Promise<string[]> {
    const rows = await this.database.prepared<RemovedArtifact>(
      name,
      `${text} RETURNING project_id AS "projectId", size, place`,
      values,
    );
    const freed = new Map<number, number>();
    for (const { projectId, size } of rows) freed.set(projectId, (freed.get(projectId) ?? 0) - size);
    await this.figures.addArtifacts(freed);
    return rows.map(({ place }) => place);
  }
}
