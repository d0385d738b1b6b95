import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { HookRecords, ProjectsRepository } from '../../repository/repository.api';
import { BuiltMergeRequests } from './built-merge-requests';
import type { Pipeline } from './pipeline.entity';
import { PipelineHookJobsRepository, type HookJob } from './pipeline-hook-jobs.repository';
import { PipelineVariablesRepository } from './pipeline-variables.repository';

/** The parts of a pipeline's call that stand in other tables. */
@Injectable()
export class PipelineHookContents {
  constructor(
    private readonly hookJobs: PipelineHookJobsRepository,
    private readonly given: PipelineVariablesRepository,
    private readonly mergeRequests: BuiltMergeRequests,
    private readonly projects: ProjectsRepository,
    private readonly people: HookRecords,
    private readonly urls: Urls,
  ) {}

  jobs({ id }: Pipeline): Promise<HookJob[]> {
    return this.hookJobs.ofPipeline(id);
  }

  /** With their values, as the reference sends them: who sets up hooks may read them anyway. */
  async variables({ id }: Pipeline) {
    const variables = await this.given.of(id);
    return variables.map(({ key, value }) => ({ key, value }));
  }

  async mergeRequest({ mergeRequestId }: Pipeline) {
    const found = mergeRequestId === null ? null : await this.mergeRequests.find(mergeRequestId);
    const target = found && (await this.projects.find(found.targetProjectId));
    if (!target) return null;
    return {
      id: found.id,
      iid: found.iid,
      title: found.title,
      source_branch: found.sourceBranch,
      source_project_id: found.sourceProjectId,
      target_branch: found.targetBranch,
      target_project_id: found.targetProjectId,
      state: found.state,
      merge_status: found.mergeStatus,
      url: `${this.urls.web(target.fullPath)}/merge_requests/${found.iid}`,
    };
  }

  /** The same few people have started all of them. */
  async records(jobs: readonly HookJob[]): Promise<object[]> {
    const people = new Map<number | null, Awaited<ReturnType<HookRecords['user']>>>();
    for (const { authorId } of jobs) {
      if (!people.has(authorId)) people.set(authorId, await this.people.user(authorId));
    }
    return jobs.map((job) => ({
      id: job.id,
      stage: job.stage,
      name: job.name,
      status: job.status,
      created_at: job.createdAt.toISOString(),
      started_at: job.startedAt?.toISOString() ?? null,
      finished_at: job.finishedAt?.toISOString() ?? null,
      when: job.when,
      manual: job.when === 'manual' || job.when === 'delayed',
      allow_failure: job.allowFailure,
      user: people.get(job.authorId) ?? null,
      runner: job.runner,
      artifacts_file: { filename: job.fileName, size: job.fileSize },
    }));
  }
}
