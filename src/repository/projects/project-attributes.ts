import type { FeatureAccess } from '#libs/access';
import { invalid, type ValidationErrors } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Project } from './project.entity';
import type { ProjectSettings } from './project.params';

/** What a user may set of a project, the names and the default branch aside. */
export type ProjectAttributes = Partial<
  Omit<Project, 'id' | 'namespaceId' | 'creatorId' | 'fullPath' | 'namespace' | 'createdAt' | 'updatedAt'>
>;

type Settings = ParamsOf<typeof ProjectSettings>;

const MAX_TAG_LENGTH = 255;

/** The attributes that the parameters set; those not given are absent. Throws for values that no project can have. */
export function attributesOf(settings: Settings): ProjectAttributes {
  const errors = problemsOf(settings);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return given({
    description: settings.description,
    visibility: settings.visibility,
    repositoryAccess: settings.repository_access_level,
    issuesAccess: settings.issues_access_level ?? accessOf(settings.issues_enabled),
    mergeRequestsAccess: settings.merge_requests_access_level ?? accessOf(settings.merge_requests_enabled),
    jobsAccess: settings.builds_access_level ?? accessOf(settings.jobs_enabled),
    wikiAccess: settings.wiki_access_level ?? accessOf(settings.wiki_enabled),
    snippetsAccess: settings.snippets_access_level ?? accessOf(settings.snippets_enabled),
    containerRegistryEnabled: settings.container_registry_enabled,
    sharedRunnersEnabled: settings.shared_runners_enabled,
    lfsEnabled: settings.lfs_enabled,
    publicJobs: settings.public_jobs ?? settings.public_builds,
    requestAccessEnabled: settings.request_access_enabled,
    resolveOutdatedDiffDiscussions: settings.resolve_outdated_diff_discussions,
    onlyAllowMergeIfPipelineSucceeds: settings.only_allow_merge_if_pipeline_succeeds,
    onlyAllowMergeIfAllDiscussionsAreResolved: settings.only_allow_merge_if_all_discussions_are_resolved,
    printingMergeRequestsLinkEnabled:
      settings.printing_merge_requests_link_enabled ?? settings.printing_merge_request_link_enabled,
    mergeMethod: settings.merge_method,
    approvalsBeforeMerge: settings.approvals_before_merge,
    ciConfigPath: settings.ci_config_path,
    ciDefaultGitDepth: settings.ci_default_git_depth,
    tagList: settings.tag_list && [...new Set(settings.tag_list)],
  });
}

function problemsOf({ ci_config_path: ciConfigPath, tag_list: tags }: Settings): ValidationErrors {
  return {
    ...(ciConfigPath && /^\/|\.\./.test(ciConfigPath)
      ? { ci_config_path: ['cannot include leading slash or directory traversal.'] }
      : {}),
    ...(tags?.some((tag) => tag.length > MAX_TAG_LENGTH)
      ? { tag_list: [`is too long (maximum is ${MAX_TAG_LENGTH} characters)`] }
      : {}),
  };
}

const accessOf = (enabled: boolean | undefined): FeatureAccess | undefined =>
  enabled === undefined ? undefined : enabled ? 'enabled' : 'disabled';

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function given<T extends object>(values: T): Given<T> {
  const found: Given<T> = {};
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) Reflect.set(found, name, value);
  return found;
}
