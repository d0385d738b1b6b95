import { field, presenter, presentOptionalTime, presentTime, type View } from '#libs/presenting';
import { presentUserProfile, UserProfileRecord } from '../../identity/identity.api';
import { presentCommit } from '../../repository/repository.api';
import { presentPipelineSummary } from '../pipelines/pipeline.presenter';
import { presentRunner, RunnerRecord } from '../runners/runner.presenter';
import type { JobDetails } from './job-details';

const BasicFields = {
  id: field.int(),
  status: field.string(),
  stage: field.string(),
  name: field.string(),
  ref: field.string(),
  tag: field.boolean(),
  coverage: field.number().nullable(),
  allow_failure: field.boolean(),
  created_at: field.string(),
  started_at: field.string().nullable(),
  finished_at: field.string().nullable(),
  duration: field.number().nullable(),
  user: UserProfileRecord.nullable(),
  commit: presentCommit.record.nullable(),
  pipeline: presentPipelineSummary.record,
  web_url: field.string(),
};

const basicFields = (details: JobDetails, view: View) => {
  const { job, project, pipeline, user, commit } = details;
  const { record } = job;
  return {
    id: job.id,
    status: record.status,
    stage: record.stage,
    name: record.name,
    ref: record.ref,
    tag: pipeline.tag,
    coverage: record.coverage,
    allow_failure: record.allowFailure,
    created_at: presentTime(record.createdAt),
    started_at: presentOptionalTime(record.startedAt),
    finished_at: presentOptionalTime(record.finishedAt),
    duration: job.duration(new Date()),
    user: user && presentUserProfile(user, view),
    commit: commit && presentCommit(commit, view),
    pipeline: presentPipelineSummary({ pipeline, project }, view),
    web_url: `${view.urls.web(project.fullPath)}/-/jobs/${job.id}`,
  };
};

const ArtifactFile = field.object({ filename: field.string(), size: field.int() });

const ArtifactRecord = field.object({
  file_type: field.string(),
  size: field.int(),
  filename: field.string(),
  file_format: field.string().nullable(),
});

const JobRecord = field.object({
  ...BasicFields,
  artifacts_file: ArtifactFile.optional(),
  artifacts: field.array(ArtifactRecord),
  runner: RunnerRecord.nullable(),
  artifacts_expire_at: field.string().nullable(),
});

export const presentJob = presenter(JobRecord, (details: JobDetails, view: View) => {
  const archive = details.artifacts.find(({ fileType }) => fileType === 'archive');
  return {
    ...basicFields(details, view),
    ...(archive && { artifacts_file: { filename: archive.fileName, size: archive.size } }),
    artifacts: artifactRecords(details),
    runner: details.runner && presentRunner(details.runner, view),
    artifacts_expire_at: presentOptionalTime(details.job.artifactsExpireAt),
  };
});

/** The log counts as one, as the reference has it. */
function artifactRecords({ job, artifacts }: JobDetails): ReturnType<typeof ArtifactRecord.parse>[] {
  const files = artifacts.map(({ fileType, size, fileName, fileFormat }) => ({
    file_type: fileType,
    size,
    filename: fileName,
    file_format: fileFormat,
  }));
  if (job.traceBytes === 0 || !job.isFinished) return files;
  return [...files, { file_type: 'trace', size: job.traceBytes, filename: 'job.log', file_format: 'raw' }];
}

const ProjectIdentity = field.object({
  id: field.int(),
  description: field.string().nullable(),
  name: field.string(),
  name_with_namespace: field.string(),
  path: field.string(),
  path_with_namespace: field.string(),
  created_at: field.string(),
});

/** A job in the list of what a runner has run. */
export const presentJobOfRunner = presenter(
  field.object({ ...BasicFields, project: ProjectIdentity }),
  (details: JobDetails, view: View) => {
    const { project } = details;
    return {
      ...basicFields(details, view),
      project: {
        id: project.id,
        description: project.description,
        name: project.name,
        name_with_namespace: `${project.namespace.fullName} / ${project.name}`,
        path: project.path,
        path_with_namespace: project.fullPath,
        created_at: presentTime(project.createdAt),
      },
    };
  },
);
