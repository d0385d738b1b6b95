import type { ParamsOf } from '#libs/http';
import type { MergeRequest } from './merge-request.entity';
import type { CreateMergeRequest } from './merge-request.params';
import type { Proposal } from './proposals.service';

/** The columns of a merge request that has just been thought of. */
export function newMergeRequest(
  { source, target }: Proposal,
  params: ParamsOf<typeof CreateMergeRequest>,
  { iid, authorId }: { iid: number; authorId: number },
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
    title: params.title,
    description: params.description ?? null,
    state: 'opened',
    allowCollaboration: allowsCollaboration(params, source.id !== target.id),
    approvalsBeforeMerge: params.approvals_before_merge ?? null,
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

/** Only somebody else's fork needs leave to be pushed to. */
const allowsCollaboration = (
  { allow_collaboration: wanted, allow_maintainer_to_push: older }: ParamsOf<typeof CreateMergeRequest>,
  isFromFork: boolean,
): boolean => isFromFork && (wanted ?? older ?? false);
