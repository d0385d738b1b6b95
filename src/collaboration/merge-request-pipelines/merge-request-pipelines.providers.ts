import { FollowPipelines } from './follow-pipelines.subscriber';
import { HeadPipelineLinks } from './head-pipeline-links.repository';
import { MadePipelines } from './made-pipelines.service';
import { MergeRequestPipelinesRepository } from './merge-request-pipelines.repository';
import { MergeRequestsForPipelines } from './merge-requests-for-pipelines.service';
import { ShownPipelines } from './shown-pipelines.service';

/** Pipelines that test merge requests, as the collaboration module takes them up. */
export const MERGE_REQUEST_PIPELINES = {
  /** The ports of lower contexts. */
  published: [MergeRequestsForPipelines],
  providers: [
    FollowPipelines,
    HeadPipelineLinks,
    MadePipelines,
    MergeRequestPipelinesRepository,
    ShownPipelines,
  ],
} as const;
