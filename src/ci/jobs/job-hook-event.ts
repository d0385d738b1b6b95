import type { ActorUser } from '#libs/access';
import { Injectable } from '@nestjs/common';
import {
  HookEvent,
  HookRecords,
  Repositories,
  type HookCall,
  type HookKindName,
  type Project,
} from '../../repository/repository.api';
import type { Pipeline } from '../pipelines/pipeline.entity';
import { PipelinesRepository } from '../pipelines/pipelines.repository';
import type { CiStatus } from '../pipelines/status';
import { jobChanged, type JobChanged } from './job-changed.event';
import type { Job } from './job.entity';
import { JobsRepository } from './jobs.repository';

/** Jobs that are made, wait, run or end. */
@Injectable()
export class JobHookEvent extends HookEvent<JobChanged> {
  readonly type = jobChanged;
  readonly kinds = ['job'] as const;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly pipelines: PipelinesRepository,
    private readonly repositories: Repositories,
    private readonly records: HookRecords,
  ) {
    super();
  }

  async calls({ jobId, status }: JobChanged, project: Project): Promise<readonly HookCall[]> {
    const job = await this.jobs.findIn(project.id, jobId);
    return job ? this.callsFor(project, job, status, job.record.authorId) : [];
  }

  async sample(_kind: HookKindName, project: Project, user: ActorUser): Promise<HookCall | null> {
    const job = await this.jobs.newest(project.id);
    const [call] = job ? await this.callsFor(project, job, job.status, user.id) : [];
    return call ?? null;
  }

  /** With the status of the event: by now the job may have gone on. */
  private async callsFor(
    project: Project,
    job: Job,
    status: CiStatus,
    userId: number | null,
  ): Promise<HookCall[]> {
    const pipeline = await this.pipelines.find(project.id, job.pipelineId);
    if (!pipeline) return [];
    return [{ kind: 'job', branch: null, body: () => this.body(project, { job, pipeline, status, userId }) }];
  }

  private async body(project: Project, { job, pipeline, status, userId }: Told): Promise<object> {
    const { user_id: id, user_name: name, user_email: email } = await this.records.pusher(userId);
    return {
      object_kind: 'build',
      ref: pipeline.ref,
      tag: pipeline.tag,
      before_sha: pipeline.beforeSha,
      sha: pipeline.sha,
      ...buildFields(job, status),
      project_id: project.id,
      project_name: `${project.namespace.fullName} / ${project.name}`,
      user: { id, name, email },
      commit: await this.commitOf(project, pipeline),
      repository: this.records.repository(project),
    };
  }

  /** The reference mixes the commit with its pipeline here. */
  private async commitOf(project: Project, pipeline: Pipeline): Promise<object> {
    const commit = await this.repositories.open(project).commit(pipeline.sha);
    return {
      id: pipeline.id,
      sha: pipeline.sha,
      message: commit ? this.records.commit(project, commit).message : null,
      author_name: commit?.author.name ?? null,
      author_email: commit?.author.email ?? null,
      author_url: commit ? `mailto:${commit.author.email}` : null,
      status: pipeline.status,
      duration: pipeline.duration,
      started_at: pipeline.startedAt?.toISOString() ?? null,
      finished_at: pipeline.finishedAt?.toISOString() ?? null,
    };
  }
}

interface Told {
  readonly job: Job;
  readonly pipeline: Pipeline;
  readonly status: CiStatus;
  readonly userId: number | null;
}

const buildFields = (job: Job, status: CiStatus) => ({
  build_id: job.id,
  build_name: job.record.name,
  build_stage: job.record.stage,
  build_status: status,
  build_started_at: job.record.startedAt?.toISOString() ?? null,
  build_finished_at: job.record.finishedAt?.toISOString() ?? null,
  build_duration: job.record.finishedAt ? job.duration(job.record.finishedAt) : null,
  build_allow_failure: job.record.allowFailure,
  build_failure_reason: job.failureReason ?? 'unknown_failure',
});
