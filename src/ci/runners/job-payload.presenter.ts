import { field, presenter, type View } from '#libs/presenting';
import {
  depthOf,
  refspecsOf,
  repositoryUrl,
  stepsOf,
  timeoutOf,
  uploadsOf,
  variablesOf,
  type TakenJob,
} from './job-payload';

const Image = field.object({ name: field.string(), entrypoint: field.array(field.string()).optional() });

const Service = Image.extend({
  alias: field.string().optional(),
  command: field.array(field.string()).optional(),
});

const Artifacts = field.object({
  name: field.string().optional(),
  untracked: field.boolean(),
  paths: field.array(field.string()),
  when: field.string().optional(),
  expire_in: field.string().optional(),
  artifact_type: field.string(),
  artifact_format: field.string(),
});

const Dependency = field.object({
  id: field.int(),
  name: field.string(),
  token: field.string(),
  artifacts_file: field.object({ filename: field.string(), size: field.int() }).optional(),
});

/** As the reference's runner reads it, names and all. */
const JobPayload = field.object({
  id: field.int(),
  token: field.string(),
  allow_git_fetch: field.boolean(),
  job_info: field.object({
    name: field.string(),
    stage: field.string(),
    project_id: field.int(),
    project_name: field.string(),
  }),
  git_info: field.object({
    repo_url: field.string(),
    ref: field.string(),
    sha: field.string(),
    before_sha: field.string(),
    ref_type: field.string(),
    refspecs: field.array(field.string()),
    depth: field.int(),
  }),
  runner_info: field.object({ timeout: field.int(), runner_session_url: field.string().nullable() }),
  variables: field.array(
    field.object({
      key: field.string(),
      value: field.string(),
      public: field.boolean(),
      file: field.boolean(),
      masked: field.boolean(),
    }),
  ),
  steps: field.array(
    field.object({
      name: field.string(),
      script: field.array(field.string()),
      timeout: field.int(),
      when: field.string(),
      allow_failure: field.boolean(),
    }),
  ),
  image: Image.nullable(),
  services: field.array(Service),
  artifacts: field.array(Artifacts),
  cache: field.array(
    field.object({
      key: field.string().optional(),
      untracked: field.boolean(),
      paths: field.array(field.string()),
      policy: field.string(),
    }),
  ),
  credentials: field.array(
    field.object({
      type: field.string(),
      url: field.string(),
      username: field.string(),
      password: field.string(),
    }),
  ),
  dependencies: field.array(Dependency),
  features: field.object({ trace_sections: field.boolean() }),
});

export const presentJobPayload = presenter(JobPayload, (taken: TakenJob, { urls }: View) => {
  const { job, runner, token, project, pipeline } = taken;
  const { definition } = job;
  const timeout = timeoutOf(job, runner);
  const variables = variablesOf(urls, taken);
  const depth = depthOf(variables, project);
  return {
    id: job.id,
    token,
    allow_git_fetch: true,
    job_info: {
      name: job.record.name,
      stage: job.record.stage,
      project_id: project.id,
      project_name: project.name,
    },
    git_info: {
      repo_url: repositoryUrl(urls, project, token),
      ref: pipeline.ref,
      sha: pipeline.sha,
      before_sha: pipeline.beforeSha,
      ref_type: pipeline.tag ? 'tag' : 'branch',
      refspecs: refspecsOf(pipeline, depth),
      depth,
    },
    runner_info: { timeout, runner_session_url: null },
    variables: variables.map(({ key, value, public: isPublic, file, masked }) => ({
      key,
      value,
      public: isPublic,
      file,
      masked,
    })),
    steps: stepsOf(definition, timeout),
    image: definition.image && imageOf(definition.image),
    services: definition.services.map(({ alias, command, ...image }) => ({
      ...imageOf(image),
      ...(alias !== undefined && { alias }),
      ...(command && { command: [...command] }),
    })),
    artifacts: uploadsOf(definition),
    cache: definition.cache ? [cacheOf(definition.cache)] : [],
    credentials: [],
    dependencies: dependenciesOf(taken),
    features: { trace_sections: true },
  };
});

const imageOf = ({ name, entrypoint }: { name: string; entrypoint?: readonly string[] }) => ({
  name,
  ...(entrypoint && { entrypoint: [...entrypoint] }),
});

const cacheOf = ({ key, untracked, paths, policy }: NonNullable<TakenJob['job']['definition']['cache']>) => ({
  ...(key !== undefined && { key }),
  untracked: untracked ?? false,
  paths: [...(paths ?? [])],
  policy: policy ?? 'pull-push',
});

/** The job's own token opens them: those of the jobs before have ended with them. */
const dependenciesOf = ({ dependencies, token }: TakenJob) =>
  dependencies.map(({ job, archive }) => ({
    id: job.id,
    name: job.record.name,
    token,
    ...(archive && { artifacts_file: { filename: archive.fileName, size: archive.size } }),
  }));
