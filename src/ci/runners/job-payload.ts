import type { Urls } from '#libs/presenting';
import { ARTIFACT_TYPES, artifactTypeOf } from '../artifacts/artifact-types';
import type { JobArtifact } from '../artifacts/job-artifact.entity';
import type { Project } from '../../repository/repository.api';
import type { JobDefinition } from '../configuration/job-definition';
import type { Job } from '../jobs/job.entity';
import type { Pipeline } from '../pipelines/pipeline.entity';
import type { JobVariable } from '../pipelines/predefined-variables';
import type { Runner } from './runner.entity';

/** Everything that a runner is told of a job which it has taken. */
export interface TakenJob {
  readonly job: Job;
  readonly runner: Runner;
  /** The job's token, which is told here alone. */
  readonly token: string;
  readonly project: Project;
  readonly pipeline: Pipeline;
  readonly variables: {
    readonly predefined: readonly JobVariable[];
    readonly own: readonly JobVariable[];
  };
  /** Jobs whose artifacts it gets, with them. */
  readonly dependencies: readonly { readonly job: Job; readonly archive: JobArtifact | null }[];
}

/** The login under which runners show the token of a job to git. */
const GIT_LOGIN = 'gitlab-ci-token';

/** In seconds: what the job may take on this runner. */
export const timeoutOf = ({ timeoutSeconds }: Job, { maximumTimeout }: Runner): number =>
  maximumTimeout === null ? timeoutSeconds : Math.min(timeoutSeconds, maximumTimeout);

/** With the job's token in it. */
export function repositoryUrl(urls: Urls, { fullPath }: Project, token: string): string {
  const url = new URL(urls.gitOverHttp(fullPath));
  url.username = GIT_LOGIN;
  url.password = token;
  return url.href;
}

/** What only the one who hands the job out knows of it. */
export function ownVariables(urls: Urls, { runner, token, project }: TakenJob): JobVariable[] {
  const open = (key: string, value: string) => ({ key, value, public: true, masked: false, file: false });
  const secret = (key: string, value: string) => ({ key, value, public: false, masked: true, file: false });
  return [
    secret('CI_JOB_TOKEN', token),
    secret('CI_BUILD_TOKEN', token),
    open('CI_REGISTRY_USER', GIT_LOGIN),
    secret('CI_REGISTRY_PASSWORD', token),
    { ...secret('CI_REPOSITORY_URL', repositoryUrl(urls, project, token)), masked: false },
    open('CI_RUNNER_ID', String(runner.id)),
    open('CI_RUNNER_DESCRIPTION', runner.description),
    open('CI_RUNNER_TAGS', runner.tagList.join(', ')),
  ];
}

/** Later ones win. */
export const variablesOf = (urls: Urls, taken: TakenJob): JobVariable[] => [
  ...taken.variables.predefined,
  ...ownVariables(urls, taken),
  ...taken.variables.own,
];

/** How much history the runner fetches; 0 for all of it. */
export function depthOf(variables: readonly JobVariable[], { ciDefaultGitDepth }: Project): number {
  const asked = variables.findLast(({ key }) => key === 'GIT_DEPTH')?.value;
  const depth = asked === undefined ? NaN : Number(asked);
  return Number.isSafeInteger(depth) && depth >= 0 ? depth : (ciDefaultGitDepth ?? 0);
}

/** What the runner fetches: its own ref, and all others where the history is not cut off. */
export function refspecsOf({ ref, tag }: Pick<Pipeline, 'ref' | 'tag'>, depth: number): string[] {
  const branches = (name: string): string => `+refs/heads/${name}:refs/remotes/origin/${name}`;
  const tags = (name: string): string => `+refs/tags/${name}:refs/tags/${name}`;
  const own = ref.startsWith('refs/') ? [`+${ref}:${ref}`] : [];
  if (depth === 0) return [...own, branches('*'), tags('*')];
  if (own.length > 0) return own;
  return [tag ? tags(ref) : branches(ref)];
}

/** The scripts as the runner runs them: what comes before belongs to the same shell. */
export function stepsOf({ beforeScript, script, afterScript }: JobDefinition, timeout: number) {
  const main = {
    name: 'script',
    script: [...beforeScript, ...script],
    timeout,
    when: 'on_success',
    allow_failure: false,
  };
  if (afterScript.length === 0) return [main];
  const after = {
    name: 'after_script',
    script: [...afterScript],
    timeout,
    when: 'always',
    allow_failure: true,
  };
  return [main, after];
}

/** What the runner uploads in the end. */
export function uploadsOf({ artifacts }: JobDefinition) {
  if (!artifacts) return [];
  const { name, untracked, paths, when, expireIn, reports = {} } = artifacts;
  const expiry = expireIn === undefined ? {} : { expire_in: expireIn };
  const hasArchive = untracked === true || (paths !== undefined && paths.length > 0);
  const archive = {
    ...(name !== undefined && { name }),
    untracked: untracked ?? false,
    paths: [...(paths ?? [])],
    ...(when !== undefined && { when }),
    ...expiry,
    artifact_type: 'archive',
    artifact_format: 'zip',
  };
  const reported = Object.entries(reports).flatMap(([kind, places]) => {
    const type = artifactTypeOf(kind);
    if (!type) return [];
    const { format, fileName } = ARTIFACT_TYPES[type];
    const report = { name: fileName, untracked: false, paths: [...places], when: 'always' };
    return [{ ...report, ...expiry, artifact_type: type, artifact_format: format }];
  });
  return [...(hasArchive ? [archive] : []), ...reported];
}
