import { field, presenter, presentOptionalTime, presentTime, type Urls, type View } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import {
  countTasks,
  MilestoneRecord,
  presentMilestone,
  presentTimeStats,
  TimeStatsRecord,
} from '../../planning/planning.api';
import type { DescribedMergeRequest, ListedMergeRequest } from './described-merge-request';
import { MERGE_REQUEST_STATES, MERGE_STATUSES, type MergeRequest } from './merge-request.entity';

const CoreFields = {
  id: field.int(),
  iid: field.int(),
  project_id: field.int(),
  title: field.string(),
  description: field.string().nullable(),
  state: field.enum(MERGE_REQUEST_STATES),
  created_at: field.string(),
  updated_at: field.string(),
};

export const MergeRequestRecord = field.object({
  ...CoreFields,
  merged_by: UserSummaryRecord.nullable(),
  merged_at: field.string().nullable(),
  closed_by: UserSummaryRecord.nullable(),
  closed_at: field.string().nullable(),
  target_branch: field.string(),
  source_branch: field.string(),
  user_notes_count: field.int(),
  upvotes: field.int(),
  downvotes: field.int(),
  assignee: UserSummaryRecord.nullable(),
  author: UserSummaryRecord.nullable(),
  assignees: field.array(UserSummaryRecord),
  source_project_id: field.int().nullable(),
  target_project_id: field.int(),
  labels: field.array(field.string()),
  work_in_progress: field.boolean(),
  milestone: MilestoneRecord.nullable(),
  merge_when_pipeline_succeeds: field.boolean(),
  merge_status: field.enum(MERGE_STATUSES),
  sha: field.string().nullable(),
  merge_commit_sha: field.string().nullable(),
  squash_commit_sha: field.string().nullable(),
  discussion_locked: field.boolean().nullable(),
  should_remove_source_branch: field.boolean().nullable(),
  force_remove_source_branch: field.boolean(),
  allow_collaboration: field.boolean().optional(),
  allow_maintainer_to_push: field.boolean().optional(),
  reference: field.string(),
  web_url: field.string(),
  time_stats: TimeStatsRecord,
  squash: field.boolean(),
  task_completion_status: field.object({ count: field.int(), completed_count: field.int() }),
  has_conflicts: field.boolean(),
  blocking_discussions_resolved: field.boolean(),
  approvals_before_merge: field.int().nullable().optional(),
});

export const mergeRequestUrl = (
  urls: Urls,
  projectPath: string,
  { iid }: Pick<MergeRequest, 'iid'>,
): string => urls.web(`${projectPath}/merge_requests/${iid}`);

/** As lists show it. */
export const presentMergeRequest = presenter(
  MergeRequestRecord,
  (described: DescribedMergeRequest, view) => ({
    ...coreFields(described.mergeRequest),
    ...peopleFields(described, view),
    ...changeFields(described, view),
    ...furtherFields(described, view),
  }),
);

export const coreFields = (mergeRequest: MergeRequest) => ({
  id: mergeRequest.id,
  iid: mergeRequest.iid,
  project_id: mergeRequest.projectId,
  title: mergeRequest.title,
  description: mergeRequest.description,
  state: mergeRequest.state,
  created_at: presentTime(mergeRequest.createdAt),
  updated_at: presentTime(mergeRequest.updatedAt),
});

function peopleFields(described: DescribedMergeRequest, view: View) {
  const { mergeRequest, mergedBy, closedBy, author, votes } = described;
  const assignees = described.assignees.map((user) => presentUserSummary(user, view));
  return {
    merged_by: mergedBy && presentUserSummary(mergedBy, view),
    merged_at: presentOptionalTime(mergeRequest.mergedAt),
    closed_by: closedBy && presentUserSummary(closedBy, view),
    closed_at: presentOptionalTime(mergeRequest.closedAt),
    target_branch: mergeRequest.targetBranch,
    source_branch: mergeRequest.sourceBranch,
    user_notes_count: mergeRequest.userNotesCount,
    upvotes: votes.upvotes,
    downvotes: votes.downvotes,
    assignee: assignees[0] ?? null,
    author: author && presentUserSummary(author, view),
    assignees,
  };
}

const changeFields = ({ mergeRequest, labels, milestone, isLending }: DescribedMergeRequest, view: View) => ({
  source_project_id: mergeRequest.sourceProjectId,
  target_project_id: mergeRequest.projectId,
  labels: labels.map(({ title }) => title),
  work_in_progress: mergeRequest.isWorkInProgress,
  milestone: milestone && presentMilestone(milestone, view),
  merge_when_pipeline_succeeds: mergeRequest.mergeWhenPipelineSucceeds,
  merge_status: mergeRequest.mergeStatus,
  sha: mergeRequest.headSha,
  merge_commit_sha: mergeRequest.mergeCommitSha,
  squash_commit_sha: mergeRequest.squashCommitSha,
  discussion_locked: mergeRequest.discussionLocked,
  should_remove_source_branch: mergeRequest.shouldRemoveSourceBranch,
  force_remove_source_branch: mergeRequest.forceRemoveSourceBranch,
  ...(mergeRequest.isFromFork && {
    allow_collaboration: isLending,
    allow_maintainer_to_push: isLending,
  }),
});

const furtherFields = (described: DescribedMergeRequest, view: View) => ({
  reference: `!${described.mergeRequest.iid}`,
  web_url: mergeRequestUrl(view.urls, described.project.fullPath, described.mergeRequest),
  time_stats: presentTimeStats(described.mergeRequest, view),
  squash: described.mergeRequest.squash,
  task_completion_status: countTasks(described.mergeRequest.description),
  has_conflicts: described.mergeRequest.mergeStatus === 'cannot_be_merged',
  blocking_discussions_resolved: described.discussionsAllowMerge,
  ...(view.license.has('merge_request_approvers') && {
    approvals_before_merge: described.mergeRequest.approvalsBeforeMerge,
  }),
});

const SimpleRecord = field.object({ ...CoreFields, web_url: field.string() });

/** In the form that the list asks for. */
export const presentListedMergeRequest = presenter(
  field.union([MergeRequestRecord, SimpleRecord]),
  (listed: ListedMergeRequest, view) =>
    listed.form === 'basic'
      ? presentMergeRequest(listed, view)
      : {
          ...coreFields(listed.mergeRequest),
          web_url: mergeRequestUrl(view.urls, listed.project.fullPath, listed.mergeRequest),
        },
);
