import { field, presenter } from '#libs/presenting';
import type { DescribedMergeRequest } from './described-merge-request';
import { MergeRequestRecord, presentMergeRequest } from './merge-request.presenter';

const { shape } = MergeRequestRecord;

/** Specification, Merge request summary: its fields in its order. */
const MergeRequestSummaryRecord = field.object({
  id: shape.id,
  iid: shape.iid,
  project_id: shape.project_id,
  title: shape.title,
  description: shape.description,
  state: shape.state,
  created_at: shape.created_at,
  updated_at: shape.updated_at,
  target_branch: shape.target_branch,
  source_branch: shape.source_branch,
  upvotes: shape.upvotes,
  downvotes: shape.downvotes,
  author: shape.author,
  assignee: shape.assignee,
  source_project_id: shape.source_project_id,
  target_project_id: shape.target_project_id,
  labels: shape.labels,
  work_in_progress: shape.work_in_progress,
  milestone: shape.milestone,
  merge_when_pipeline_succeeds: shape.merge_when_pipeline_succeeds,
  merge_status: shape.merge_status,
  sha: shape.sha,
  merge_commit_sha: shape.merge_commit_sha,
  user_notes_count: shape.user_notes_count,
  discussion_locked: shape.discussion_locked,
  should_remove_source_branch: shape.should_remove_source_branch,
  force_remove_source_branch: shape.force_remove_source_branch,
  web_url: shape.web_url,
  time_stats: shape.time_stats,
});

export const presentMergeRequestSummary = presenter(
  MergeRequestSummaryRecord,
  (described: DescribedMergeRequest, view) => {
    const whole = presentMergeRequest(described, view);
    return {
      id: whole.id,
      iid: whole.iid,
      project_id: whole.project_id,
      title: whole.title,
      description: whole.description,
      state: whole.state,
      created_at: whole.created_at,
      updated_at: whole.updated_at,
      target_branch: whole.target_branch,
      source_branch: whole.source_branch,
      upvotes: whole.upvotes,
      downvotes: whole.downvotes,
      author: whole.author,
      assignee: whole.assignee,
      source_project_id: whole.source_project_id,
      target_project_id: whole.target_project_id,
      labels: whole.labels,
      work_in_progress: whole.work_in_progress,
      milestone: whole.milestone,
      merge_when_pipeline_succeeds: whole.merge_when_pipeline_succeeds,
      merge_status: whole.merge_status,
      sha: whole.sha,
      merge_commit_sha: whole.merge_commit_sha,
      user_notes_count: whole.user_notes_count,
      discussion_locked: whole.discussion_locked,
      should_remove_source_branch: whole.should_remove_source_branch,
      force_remove_source_branch: whole.force_remove_source_branch,
      web_url: whole.web_url,
      time_stats: whole.time_stats,
    };
  },
);
