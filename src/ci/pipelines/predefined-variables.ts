import type { ActorUser } from '#libs/access';
import type { Commit } from '#libs/git';
import type { Urls } from '#libs/presenting';
import { titleOf, type Project } from '../../repository/repository.api';
import type { Pipeline } from './pipeline.entity';

/** A variable as a runner is told of it. */
export interface JobVariable {
  readonly key: string;
  readonly value: string;
  /** May stand in logs. */
  readonly public: boolean;
  readonly masked: boolean;
  /** The runner writes the value into a file, and the variable is that file's path. */
  readonly file: boolean;
}

/** The merge request that a pipeline is for. */
export interface MergeRequestFacts {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  readonly sourceProjectId: number | null;
  readonly sourceProjectPath: string | null;
  readonly targetProjectId: number;
  readonly targetProjectPath: string;
}

/** Whoever has jobs run. */
type NamedUser = Pick<ActorUser, 'id' | 'email' | 'username' | 'name'>;

/** A pipeline, or one that is about to be made and has no numbers yet. */
export type DescribedPipeline = Pick<Pipeline, 'ref' | 'tag' | 'sha' | 'beforeSha' | 'source' | 'protected'> &
  Partial<Pick<Pipeline, 'id' | 'iid'>>;

export interface PredefinedFacts {
  readonly urls: Urls;
  readonly version: { readonly version: string; readonly revision: string };
  readonly project: Project;
  readonly pipeline: DescribedPipeline;
  readonly commit: Commit | null;
  readonly mergeRequest: MergeRequestFacts | null;
}

const LONGEST_SLUG = 63;
const SHORT_SHA = 8;

/** Lower case, and nothing but what a host name may have. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '-')
    .slice(0, LONGEST_SLUG)
    .replaceAll(/^-+|-+$/g, '');

/** What jobs know as their ref: for a merge request the branch that it comes from. */
export const refNameOf = (
  { ref }: Pick<Pipeline, 'ref'>,
  mergeRequest: Pick<MergeRequestFacts, 'sourceBranch'> | null,
): string => mergeRequest?.sourceBranch ?? ref;

export const publicVariable = (key: string, value: string): JobVariable => ({
  key,
  value,
  public: true,
  masked: false,
  file: false,
});

/** What every job of a pipeline is told, before what it is told of itself. */
export function predefinedVariables(facts: PredefinedFacts): JobVariable[] {
  return Object.entries({
    ...serverPart(facts),
    ...projectPart(facts),
    ...pipelinePart(facts),
    ...commitPart(facts),
    ...mergeRequestPart(facts),
  }).map(([key, value]) => publicVariable(key, value));
}

function serverPart({ urls, version: { version, revision } }: PredefinedFacts): Record<string, string> {
  const [major = '', minor = '', patch = ''] = version.split(/[.-]/);
  return {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_API_V4_URL: urls.api(''),
    CI_SERVER: 'yes',
    CI_SERVER_HOST: new URL(urls.base).hostname,
    CI_SERVER_URL: urls.base,
    CI_SERVER_NAME: 'GitLab',
    CI_SERVER_VERSION: version,
    CI_SERVER_VERSION_MAJOR: major,
    CI_SERVER_VERSION_MINOR: minor,
    CI_SERVER_VERSION_PATCH: patch,
    CI_SERVER_REVISION: revision,
  };
}

function projectPart({ urls, project }: PredefinedFacts): Record<string, string> {
  return {
    CI_PROJECT_ID: String(project.id),
    CI_PROJECT_NAME: project.path,
    CI_PROJECT_TITLE: project.name,
    CI_PROJECT_PATH: project.fullPath,
    CI_PROJECT_PATH_SLUG: slugOf(project.fullPath),
    CI_PROJECT_NAMESPACE: project.namespace.fullPath,
    CI_PROJECT_URL: urls.web(project.fullPath),
    CI_PROJECT_VISIBILITY: project.visibility,
    CI_DEFAULT_BRANCH: project.defaultBranch ?? '',
    CI_CONFIG_PATH: project.ciConfigPath ?? '.gitlab-ci.yml',
  };
}

function pipelinePart({ urls, project, pipeline }: PredefinedFacts): Record<string, string> {
  const { id, iid, source } = pipeline;
  return {
    ...(id !== undefined && {
      CI_PIPELINE_ID: String(id),
      CI_PIPELINE_URL: `${urls.web(project.fullPath)}/pipelines/${id}`,
    }),
    ...(iid !== undefined && iid !== null && { CI_PIPELINE_IID: String(iid) }),
    CI_PIPELINE_SOURCE: source,
  };
}

/** With the older names that runners and scripts still know. For a merge request they are those of its branch. */
function commitPart({ pipeline, commit, mergeRequest }: PredefinedFacts): Record<string, string> {
  const { tag, sha, beforeSha, protected: isProtected } = pipeline;
  const isBranch = !tag && !mergeRequest;
  const ref = refNameOf(pipeline, mergeRequest);
  const message = commit?.message ?? '';
  const [, description = ''] = /^[^\n]*\n+([\s\S]*)$/.exec(message) ?? [];
  return {
    CI_COMMIT_SHA: sha,
    CI_COMMIT_SHORT_SHA: sha.slice(0, SHORT_SHA),
    CI_COMMIT_BEFORE_SHA: beforeSha,
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_SLUG: slugOf(ref),
    ...(isBranch && { CI_COMMIT_BRANCH: ref }),
    ...(tag && { CI_COMMIT_TAG: ref, CI_BUILD_TAG: ref }),
    CI_COMMIT_MESSAGE: message,
    CI_COMMIT_TITLE: commit ? titleOf(commit) : '',
    CI_COMMIT_DESCRIPTION: description,
    CI_COMMIT_REF_PROTECTED: String(isProtected),
    CI_BUILD_REF: sha,
    CI_BUILD_BEFORE_SHA: beforeSha,
    CI_BUILD_REF_NAME: ref,
    CI_BUILD_REF_SLUG: slugOf(ref),
  };
}

function mergeRequestPart({ urls, mergeRequest }: PredefinedFacts): Record<string, string> {
  if (!mergeRequest) return {};
  const { sourceProjectId, sourceProjectPath, targetProjectPath } = mergeRequest;
  return {
    CI_MERGE_REQUEST_ID: String(mergeRequest.id),
    CI_MERGE_REQUEST_IID: String(mergeRequest.iid),
    CI_MERGE_REQUEST_REF_PATH: `refs/merge-requests/${mergeRequest.iid}/head`,
    CI_MERGE_REQUEST_PROJECT_ID: String(mergeRequest.targetProjectId),
    CI_MERGE_REQUEST_PROJECT_PATH: targetProjectPath,
    CI_MERGE_REQUEST_PROJECT_URL: urls.web(targetProjectPath),
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: mergeRequest.targetBranch,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: mergeRequest.sourceBranch,
    CI_MERGE_REQUEST_TITLE: mergeRequest.title,
    ...(sourceProjectId !== null && { CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(sourceProjectId) }),
    ...(sourceProjectPath !== null && {
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: sourceProjectPath,
      CI_MERGE_REQUEST_SOURCE_PROJECT_URL: urls.web(sourceProjectPath),
    }),
  };
}

/** Whoever has a pipeline or a job run. A configuration cannot pretend that it is somebody else. */
export function userVariables(user: NamedUser | null): JobVariable[] {
  if (!user) return [];
  const { id, email, username, name } = user;
  return Object.entries({
    GITLAB_USER_ID: String(id),
    GITLAB_USER_EMAIL: email,
    GITLAB_USER_LOGIN: username,
    GITLAB_USER_NAME: name,
  }).map(([key, value]) => publicVariable(key, value));
}
