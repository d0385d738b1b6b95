import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { humanDuration } from '../../planning/planning.api';
import { HookRecords, ProjectsRepository, Repositories, type Project } from '../../repository/repository.api';
import { AssigneesRepository } from '../merge-requests/assignees.repository';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { mergeRequestUrl } from '../merge-requests/merge-request.presenter';

/** Merge requests as receivers of hooks are told of them. */
@Injectable()
export class MergeRequestHookRecords {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly repositories: Repositories,
    private readonly records: HookRecords,
    private readonly assignees: AssigneesRepository,
    private readonly urls: Urls,
  ) {}

  /** `object_attributes` of the reference, but for the action. */
  async attributes(mergeRequest: MergeRequest): Promise<object> {
    const target = await this.projects.find(mergeRequest.projectId);
    const source = await this.sourceOf(mergeRequest, target);
    const assigneeIds = await this.assignees.of(mergeRequest.id);
    return {
      ...columns(mergeRequest),
      assignee_id: assigneeIds[0] ?? null,
      assignee_ids: assigneeIds,
      source: source && this.records.project(source),
      target: target && this.records.project(target),
      last_commit: target && (await this.lastCommit(mergeRequest, target, source ?? target)),
      url: target && mergeRequestUrl(this.urls, target.fullPath, mergeRequest),
      ...((assigneeIds[0] ?? null) !== null && { assignee: await this.records.user(assigneeIds[0] ?? null) }),
    };
  }

  private sourceOf({ sourceProjectId }: MergeRequest, target: Project | null): Promise<Project | null> {
    if (sourceProjectId === null) return Promise.resolve(null);
    return sourceProjectId === target?.id ? Promise.resolve(target) : this.projects.find(sourceProjectId);
  }

  private async lastCommit({ headSha }: MergeRequest, target: Project, source: Project) {
    const commit = headSha === null ? null : await this.repositories.open(target).commit(headSha);
    return commit && this.records.commit(source, commit);
  }
}

const columns = (mergeRequest: MergeRequest) => ({
  id: mergeRequest.id,
  iid: mergeRequest.iid,
  author_id: mergeRequest.authorId,
  title: mergeRequest.title,
  description: mergeRequest.description,
  state: mergeRequest.state,
  created_at: mergeRequest.createdAt.toISOString(),
  updated_at: mergeRequest.updatedAt.toISOString(),
  last_edited_at: mergeRequest.lastEditedAt?.toISOString() ?? null,
  last_edited_by_id: mergeRequest.lastEditedAt ? mergeRequest.updatedById : null,
  updated_by_id: mergeRequest.updatedById,
  head_pipeline_id: mergeRequest.headPipelineId,
  merge_commit_sha: mergeRequest.mergeCommitSha,
  merge_error: mergeRequest.mergeError,
  merge_params: { force_remove_source_branch: mergeRequest.forceRemoveSourceBranch ? '1' : '0' },
  merge_status: mergeRequest.mergeStatus,
  merge_user_id: mergeRequest.mergeUserId,
  merge_when_pipeline_succeeds: mergeRequest.mergeWhenPipelineSucceeds,
  milestone_id: mergeRequest.milestoneId,
  source_branch: mergeRequest.sourceBranch,
  source_project_id: mergeRequest.sourceProjectId,
  target_branch: mergeRequest.targetBranch,
  target_project_id: mergeRequest.projectId,
  time_estimate: mergeRequest.timeEstimate,
  total_time_spent: mergeRequest.totalTimeSpent,
  human_time_estimate: humanDuration(mergeRequest.timeEstimate),
  human_total_time_spent: humanDuration(mergeRequest.totalTimeSpent),
  work_in_progress: mergeRequest.isWorkInProgress,
});
