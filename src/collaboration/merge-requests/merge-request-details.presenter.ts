import { renderEmoji } from '#libs/emoji';
import { field, presenter, presentOptionalTime } from '#libs/presenting';
import {
  PipelineRecord,
  PipelineSummaryRecord,
  presentPipeline,
  presentPipelineSummary,
} from '../../ci/ci.api';
import type { MergeRequestDetails } from './merge-request-details';
import type { MergeRequest } from './merge-request.entity';
import { MergeRequestRecord, presentMergeRequest } from './merge-request.presenter';

const DiffRefsRecord = field.object({
  base_sha: field.string(),
  head_sha: field.string(),
  start_sha: field.string(),
});

export const MergeRequestDetailsRecord = MergeRequestRecord.extend({
  title_html: field.string().optional(),
  description_html: field.string().nullable().optional(),
  subscribed: field.boolean(),
  changes_count: field.string().nullable(),
  latest_build_started_at: field.string().nullable(),
  latest_build_finished_at: field.string().nullable(),
  first_deployed_to_production_at: field.string().nullable(),
  pipeline: PipelineSummaryRecord.nullable(),
  head_pipeline: PipelineRecord.nullable(),
  diff_refs: DiffRefsRecord.nullable(),
  merge_error: field.string().nullable(),
  rebase_in_progress: field.boolean().optional(),
  diverged_commits_count: field.int().optional(),
  first_contribution: field.boolean(),
  user: field.object({ can_merge: field.boolean() }),
});

/** One by itself. */
export const presentMergeRequestDetails = presenter(
  MergeRequestDetailsRecord,
  (details: MergeRequestDetails, view) => {
    const { mergeRequest, headPipeline } = details;
    return {
      ...presentMergeRequest(details, view),
      ...(details.showsHtml && htmlOf(mergeRequest)),
      subscribed: details.isSubscribed,
      changes_count: countOf(mergeRequest),
      latest_build_started_at: presentOptionalTime(headPipeline?.pipeline.startedAt ?? null),
      latest_build_finished_at: presentOptionalTime(headPipeline?.pipeline.finishedAt ?? null),
      first_deployed_to_production_at: null,
      pipeline: headPipeline && presentPipelineSummary(headPipeline, view),
      head_pipeline: headPipeline && presentPipeline(headPipeline, view),
      diff_refs: refsOf(mergeRequest),
      merge_error: mergeRequest.mergeError,
      ...(details.showsRebase && { rebase_in_progress: mergeRequest.rebaseInProgressSince !== null }),
      ...(details.divergedCommitsCount !== null && { diverged_commits_count: details.divergedCommitsCount }),
      first_contribution: details.isFirstContribution,
      user: { can_merge: details.canMerge },
    };
  },
);

/** The reference counts no further, and says so. */
const MOST_FILES = 1_000;

const countOf = ({ changesCount }: MergeRequest): string | null => {
  if (changesCount === null) return null;
  return changesCount > MOST_FILES ? `${MOST_FILES}+` : String(changesCount);
};

const refsOf = ({ diffRefs }: MergeRequest) =>
  diffRefs && { base_sha: diffRefs.baseSha, head_sha: diffRefs.headSha, start_sha: diffRefs.startSha };

const htmlOf = ({ title, description }: MergeRequest) => ({
  title_html: renderEmoji(title),
  description_html: description === null ? null : renderEmoji(description),
});
