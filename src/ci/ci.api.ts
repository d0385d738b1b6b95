export { ArtifactGate } from './artifacts/artifact-gate.middleware';
export { bringsArtifacts, roomForArtifact } from './artifacts/artifact-request';
export { bringsTrace } from './traces/trace-request';
export { jobChanged, type JobChanged } from './jobs/job-changed.event';
export { pipelineChanged, type PipelineChanged } from './pipelines/pipeline-changed.event';
export { Pipeline } from './pipelines/pipeline.entity';
export { PipelinesRepository } from './pipelines/pipelines.repository';
export { BuiltMergeRequests, type BuiltMergeRequest } from './pipelines/built-merge-requests';
export { MergeRequestPipelines, type MergeRequestToBuild } from './pipelines/merge-request-pipelines.service';
export type { MergeRequestFacts } from './pipelines/predefined-variables';
export { PipelineDetails } from './pipelines/pipeline-details.service';
export type { DetailedPipeline, ListedPipeline } from './pipelines/described-pipeline';
export {
  PipelineRecord,
  PipelineSummaryRecord,
  presentPipeline,
  presentPipelineSummary,
} from './pipelines/pipeline.presenter';
