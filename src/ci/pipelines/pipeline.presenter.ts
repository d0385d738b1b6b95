import { field, presenter, presentOptionalTime, presentTime, type View } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import type { DetailedPipeline, ListedPipeline } from './described-pipeline';
import type { PipelineVariable } from './pipeline-variable';

/** Specification, Pipeline: list form. */
export const PipelineSummaryRecord = field.object({
  id: field.int(),
  status: field.string(),
  ref: field.string(),
  sha: field.string(),
  web_url: field.string(),
});

const summaryOf = ({ pipeline, project }: ListedPipeline, { urls }: View) => ({
  id: pipeline.id,
  status: pipeline.status,
  ref: pipeline.ref,
  sha: pipeline.sha,
  web_url: `${urls.web(project.fullPath)}/pipelines/${pipeline.id}`,
});

export const presentPipelineSummary = presenter(PipelineSummaryRecord, summaryOf);

/** Specification, Pipeline: full form. */
export const PipelineRecord = PipelineSummaryRecord.extend({
  before_sha: field.string(),
  tag: field.boolean(),
  yaml_errors: field.string().nullable(),
  user: UserSummaryRecord.nullable(),
  created_at: field.string(),
  updated_at: field.string(),
  started_at: field.string().nullable(),
  finished_at: field.string().nullable(),
  committed_at: field.string().nullable(),
  duration: field.int().nullable(),
  coverage: field.string().nullable(),
});

export const presentPipeline = presenter(PipelineRecord, (entity: DetailedPipeline, view: View) => {
  const { pipeline, user } = entity;
  return {
    ...summaryOf(entity, view),
    before_sha: pipeline.beforeSha,
    tag: pipeline.tag,
    yaml_errors: pipeline.yamlErrors,
    user: user && presentUserSummary(user, view),
    created_at: presentTime(pipeline.createdAt),
    updated_at: presentTime(pipeline.updatedAt),
    started_at: presentOptionalTime(pipeline.startedAt),
    finished_at: presentOptionalTime(pipeline.finishedAt),
    committed_at: presentOptionalTime(pipeline.committedAt),
    duration: pipeline.duration,
    coverage: pipeline.coverage === null ? null : pipeline.coverage.toFixed(2),
  };
});

/** Specification, Pipeline variable. */
export const presentPipelineVariable = presenter(
  field.object({ key: field.string(), variable_type: field.string(), value: field.string() }),
  ({ key, variableType, value }: PipelineVariable) => ({ key, variable_type: variableType, value }),
);
