import type { ParamsOf } from '#libs/http';
import type { MergeRequest } from './merge-request.entity';
import type { CreateMergeRequest } from './merge-request.params';
import type { Proposal } from './proposals.service';

/** The columns of a merge request that has just been thought of. */
export function newMergeRequest(
  { source, target }: Proposal,
  params: ParamsOf<typeof CreateMergeRequest>,
  { iid, authorId, allowCollaboration }: Pick<MergeRequest, 'iid' | 'authorId' | 'allowCollaboration'>,
): Partial<MergeRequest> {
  const now = new Date();
  return {
    iid,
    projectId: target.id,
    sourceProjectId: source.id,
    sourceBranch: params.source_branch,
    sourceBranchDeleted: false,
    targetBranch: params.target_branch,
    authorId,
    title: params.title.trim(),
    description: params.description ?? null,
    state: 'opened',
    allowCollaboration,
    approvalsBeforeMerge: null,
    squash: params.squash ?? false,
    forceRemoveSourceBranch: params.remove_source_branch ?? false,
    mergeWhenPipelineSucceeds: false,
    mergeStatus: 'unchecked',
    timeEstimate: 0,
    totalTimeSpent: 0,
    userNotesCount: 0,
    createdAt: now,
    updatedAt: now,
  };
}
