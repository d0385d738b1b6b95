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
import { pipelineChanged, type PipelineChanged } from './pipeline-changed.event';
import type { Pipeline } from './pipeline.entity';
import { PipelineHookContents } from './pipeline-hook-contents';
import type { HookJob } from './pipeline-hook-jobs.repository';
import { PipelinesRepository } from './pipelines.repository';
import type { CiStatus } from './status';

/** How the reference's people say it, where that is not the status's own name. */
const SPOKEN: Partial<Record<CiStatus, string>> = {
  success: 'passed',
  manual: 'waiting for manual action',
  scheduled: 'waiting for delayed job',
};

/** Pipelines that begin, go on or end. */
@Injectable()
export class PipelineHookEvent extends HookEvent<PipelineChanged> {
  readonly type = pipelineChanged;
  readonly kinds = ['pipeline'] as const;

  constructor(
    private readonly pipelines: PipelinesRepository,
    private readonly contents: PipelineHookContents,
    private readonly repositories: Repositories,
    private readonly records: HookRecords,
  ) {
    super();
  }

  async calls({ pipelineId, status }: PipelineChanged, project: Project): Promise<readonly HookCall[]> {
    const pipeline = await this.pipelines.find(project.id, pipelineId);
    return pipeline ? [this.callFor(project, pipeline, status)] : [];
  }

  async sample(_kind: HookKindName, project: Project, user: ActorUser): Promise<HookCall | null> {
    const pipeline = await this.pipelines.newest(project.id);
    return pipeline && this.callFor(project, Object.assign(pipeline, { userId: user.id }), pipeline.status);
  }

  /** With the status of the event: by now the pipeline may have gone on. */
  private callFor(project: Project, pipeline: Pipeline, status: CiStatus): HookCall {
    return { kind: 'pipeline', branch: null, body: () => this.body(project, pipeline, status) };
  }

  private async body(project: Project, pipeline: Pipeline, status: CiStatus): Promise<object> {
    const commit = await this.repositories.open(project).commit(pipeline.sha);
    const jobs = await this.contents.jobs(pipeline);
    const variables = await this.contents.variables(pipeline);
    return {
      object_kind: 'pipeline',
      object_attributes: { ...attributesOf(pipeline, status, jobs), variables },
      merge_request: await this.contents.mergeRequest(pipeline),
      user: await this.records.user(pipeline.userId),
      project: this.records.project(project),
      commit: commit && this.records.commit(project, commit),
      // Statuses that other systems report are no jobs of this service, and the reference tells none of them here.
      builds: await this.contents.records(jobs),
    };
  }
}

const attributesOf = (pipeline: Pipeline, status: CiStatus, jobs: readonly HookJob[]) => ({
  id: pipeline.id,
  ref: pipeline.ref,
  tag: pipeline.tag,
  sha: pipeline.sha,
  before_sha: pipeline.beforeSha,
  source: pipeline.source,
  status,
  detailed_status: spoken(status, jobs),
  stages: [...new Set(jobs.map(({ stage }) => stage))],
  created_at: pipeline.createdAt.toISOString(),
  finished_at: pipeline.finishedAt?.toISOString() ?? null,
  duration: pipeline.duration,
});

function spoken(status: CiStatus, jobs: readonly HookJob[]): string {
  const isWarned = jobs.some((job) => job.allowFailure && job.status === 'failed');
  if (status === 'success' && isWarned) return 'passed with warnings';
  return SPOKEN[status] ?? status;
}
