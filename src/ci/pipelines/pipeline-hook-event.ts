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
import { PipelinesRepository } from './pipelines.repository';
import type { CiStatus } from './status';

/** Where the reference shows other words for a status than the API does. */
const SHOWN: Partial<Record<CiStatus, string>> = { success: 'passed' };

/** Pipelines that begin, go on or end. */
@Injectable()
export class PipelineHookEvent extends HookEvent<PipelineChanged> {
  readonly type = pipelineChanged;
  readonly kinds = ['pipeline'] as const;

  constructor(
    private readonly pipelines: PipelinesRepository,
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
    return {
      object_kind: 'pipeline',
      object_attributes: attributesOf(pipeline, status),
      merge_request: null,
      user: await this.records.user(pipeline.userId),
      project: this.records.project(project),
      commit: commit && this.records.commit(project, commit),
      // Statuses that other systems report are no jobs of this service, and the reference tells none of them here.
      builds: [],
    };
  }
}

const attributesOf = (pipeline: Pipeline, status: CiStatus) => ({
  id: pipeline.id,
  ref: pipeline.ref,
  tag: pipeline.tag,
  sha: pipeline.sha,
  before_sha: pipeline.beforeSha,
  source: pipeline.source,
  status,
  detailed_status: SHOWN[status] ?? status,
  stages: [],
  created_at: pipeline.createdAt.toISOString(),
  finished_at: pipeline.finishedAt?.toISOString() ?? null,
  duration: durationOf(pipeline),
  variables: [],
});

/** In whole seconds; null until it has ended. */
function durationOf({ startedAt, finishedAt }: Pipeline): number | null {
  if (!startedAt || !finishedAt) return null;
  return Math.round((finishedAt.getTime() - startedAt.getTime()) / 1000);
}
