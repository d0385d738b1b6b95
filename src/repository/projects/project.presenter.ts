import { isAdmin } from '#libs/access';
import { field, presenter, presentTime, type View } from '#libs/presenting';
import {
  avatarUrl,
  CustomAttributeRecord,
  presentUserSummary,
  UserSummaryRecord,
} from '../../identity/identity.api';
import type { ProjectAccess, ProjectDetails, ProjectOwner, ProjectShare } from './project-details';
import { presentStatistics, ProjectStatisticsRecord } from './project-statistics.presenter';
import type { Project } from './project.entity';
import { fileUrl, presentSimpleProject, SimpleProjectRecord } from './simple-project.presenter';

const AccessRecord = field.object({ access_level: field.int(), notification_level: field.int() }).nullable();
const FeatureRecord = field.enum(['disabled', 'private', 'enabled']);

const FullProjectRecord = field.object({
  ...SimpleProjectRecord.shape,
  visibility: field.enum(['private', 'internal', 'public']),
  owner: field.object({ ...UserSummaryRecord.shape, created_at: field.string() }).optional(),
  issues_enabled: field.boolean(),
  merge_requests_enabled: field.boolean(),
  jobs_enabled: field.boolean(),
  wiki_enabled: field.boolean(),
  snippets_enabled: field.boolean(),
  container_registry_enabled: field.boolean(),
  shared_runners_enabled: field.boolean(),
  public_jobs: field.boolean(),
  request_access_enabled: field.boolean(),
  archived: field.boolean(),
  resolve_outdated_diff_discussions: field.boolean(),
  only_allow_merge_if_pipeline_succeeds: field.boolean(),
  only_allow_merge_if_all_discussions_are_resolved: field.boolean(),
  open_issues_count: field.int().optional(),
  creator_id: field.int(),
  ci_default_git_depth: field.int().nullable(),
  namespace: field.object({
    id: field.int(),
    name: field.string(),
    path: field.string(),
    kind: field.enum(['user', 'group']),
    full_path: field.string(),
    parent_id: field.int().nullable(),
    avatar_url: field.string().nullable().optional(),
    web_url: field.string().optional(),
  }),
  forked_from_project: SimpleProjectRecord.optional(),
  import_status: field.string(),
  import_error: field.string().nullable().optional(),
  permissions: field.object({ project_access: AccessRecord, group_access: AccessRecord }),
  runners_token: field.string().optional(),
  shared_with_groups: field.array(
    field.object({
      group_id: field.int(),
      group_name: field.string(),
      group_full_path: field.string(),
      group_access_level: field.int(),
      expires_at: field.string().nullable(),
    }),
  ),
  merge_method: field.enum(['merge', 'rebase_merge', 'ff']),
  statistics: ProjectStatisticsRecord.optional(),
  custom_attributes: field.array(CustomAttributeRecord).optional(),
  _links: field.object({
    self: field.string(),
    issues: field.string().optional(),
    merge_requests: field.string().optional(),
    repo_branches: field.string(),
    labels: field.string(),
    events: field.string(),
    members: field.string(),
  }),
  approvals_before_merge: field.int().optional(),
  empty_repo: field.boolean(),
  lfs_enabled: field.boolean(),
  ci_config_path: field.string().nullable(),
  mirror: field.boolean(),
  mirror_user_id: field.int().nullable().optional(),
  mirror_trigger_builds: field.boolean().optional(),
  only_mirror_protected_branches: field.boolean().optional(),
  mirror_overwrites_diverged_branches: field.boolean().optional(),
  repository_access_level: FeatureRecord,
  issues_access_level: FeatureRecord,
  merge_requests_access_level: FeatureRecord,
  builds_access_level: FeatureRecord,
  wiki_access_level: FeatureRecord,
  snippets_access_level: FeatureRecord,
});

const LicenseRecord = field.object({
  key: field.string(),
  name: field.string(),
  nickname: field.string().nullable(),
  html_url: field.string(),
  source_url: field.string().nullable(),
});

const SingleProjectRecord = field.object({
  ...FullProjectRecord.shape,
  license_url: field.string().nullable().optional(),
  license: LicenseRecord.nullable().optional(),
  repository_storage: field.string().optional(),
  printing_merge_requests_link_enabled: field.boolean(),
});

/** The form that the details ask for: simple, full, or full with what only a single project shows. */
export const presentProject = presenter(
  field.union([SingleProjectRecord, FullProjectRecord, SimpleProjectRecord]),
  (details: ProjectDetails, view) => {
    if (details.form === 'simple') return presentSimpleProject(details, view);
    const full = fullFields(details, view);
    return details.form === 'full' ? full : { ...full, ...singleFields(details, view) };
  },
);

const fullFields = (details: ProjectDetails, view: View) => ({
  ...presentSimpleProject(details, view),
  visibility: details.project.visibility,
  ...(details.owner && { owner: ownerOf(details.owner, view) }),
  ...flagsOf(details.project),
  ...(details.project.issuesAccess !== 'disabled' && { open_issues_count: details.project.openIssuesCount }),
  creator_id: details.project.creatorId,
  ci_default_git_depth: details.project.ciDefaultGitDepth,
  namespace: namespaceOf(details, view),
  ...(details.forkedFrom && { forked_from_project: presentSimpleProject(details.forkedFrom, view) }),
  import_status: details.project.importStatus,
  ...(details.runnersToken !== null && { import_error: details.project.importError }),
  permissions: permissionsOf(details.access),
  ...(details.runnersToken !== null && { runners_token: details.runnersToken }),
  shared_with_groups: details.shares.map(shareOf),
  merge_method: details.project.mergeMethod,
  ...(details.statistics && { statistics: presentStatistics(details.statistics, view) }),
  ...(details.customAttributes && { custom_attributes: [...details.customAttributes] }),
  _links: linksOf(details.project, view),
  ...(view.license.has('merge_request_approvers') && {
    approvals_before_merge: details.project.approvalsBeforeMerge,
  }),
  ...furtherFields(details.project),
});

const singleFields = ({ project, license }: ProjectDetails, view: View) => ({
  ...(license && {
    license_url: fileUrl(project, license.found?.path ?? null, view),
    license: license.found && {
      key: license.found.key,
      name: license.found.name,
      nickname: license.found.nickname,
      html_url: license.found.htmlUrl,
      source_url: license.found.sourceUrl,
    },
  }),
  ...(isAdmin(view.actor) && { repository_storage: project.repositoryStorage }),
  printing_merge_requests_link_enabled: project.printingMergeRequestsLinkEnabled,
});

const ownerOf = (owner: ProjectOwner, view: View) => ({
  ...presentUserSummary(owner, view),
  created_at: presentTime(owner.createdAt),
});

const flagsOf = (project: Project) => ({
  issues_enabled: project.issuesAccess !== 'disabled',
  merge_requests_enabled: project.mergeRequestsAccess !== 'disabled',
  jobs_enabled: project.jobsAccess !== 'disabled',
  wiki_enabled: project.wikiAccess !== 'disabled',
  snippets_enabled: project.snippetsAccess !== 'disabled',
  container_registry_enabled: project.containerRegistryEnabled,
  shared_runners_enabled: project.sharedRunnersEnabled,
  public_jobs: project.publicJobs,
  request_access_enabled: project.requestAccessEnabled,
  archived: project.archived,
  resolve_outdated_diff_discussions: project.resolveOutdatedDiffDiscussions,
  only_allow_merge_if_pipeline_succeeds: project.onlyAllowMergeIfPipelineSucceeds,
  only_allow_merge_if_all_discussions_are_resolved: project.onlyAllowMergeIfAllDiscussionsAreResolved,
});

/** Not in the specification's table; the reference has them, and clients such as Renovate read them. */
const furtherFields = (project: Project) => ({
  empty_repo: project.defaultBranch === null,
  lfs_enabled: project.lfsEnabled,
  ci_config_path: project.ciConfigPath,
  mirror: project.mirror,
  ...(project.mirror && {
    mirror_user_id: project.mirrorUserId,
    mirror_trigger_builds: project.mirrorTriggerBuilds,
    only_mirror_protected_branches: project.onlyMirrorProtectedBranches,
    mirror_overwrites_diverged_branches: project.mirrorOverwritesDivergedBranches,
  }),
  repository_access_level: project.repositoryAccess,
  issues_access_level: project.issuesAccess,
  merge_requests_access_level: project.mergeRequestsAccess,
  builds_access_level: project.jobsAccess,
  wiki_access_level: project.wikiAccess,
  snippets_access_level: project.snippetsAccess,
});

const namespaceOf = ({ project: { namespace }, form }: ProjectDetails, { urls }: View) => ({
  id: namespace.id,
  name: namespace.name,
  path: namespace.path,
  kind: namespace.kind,
  full_path: namespace.fullPath,
  parent_id: namespace.parentId,
  ...(form === 'single' && {
    avatar_url: avatarUrl(urls, 'group', namespace.id, namespace.avatar),
    web_url: urls.web(namespace.kind === 'group' ? `groups/${namespace.fullPath}` : namespace.fullPath),
  }),
});

/** "Global": each member's notifications follow their own settings. */
const NOTIFICATION_LEVEL = 3;

const accessOf = (level: number | null) =>
  level === null ? null : { access_level: level, notification_level: NOTIFICATION_LEVEL };

const permissionsOf = ({ direct, inherited }: ProjectAccess) => ({
  project_access: accessOf(direct),
  group_access: accessOf(inherited),
});

const shareOf = (share: ProjectShare) => ({
  group_id: share.groupId,
  group_name: share.groupName,
  group_full_path: share.groupFullPath,
  group_access_level: share.groupAccess,
  expires_at: share.expiresAt,
});

function linksOf(project: Project, { urls }: View) {
  const to = (rest: string): string => urls.api(`/projects/${project.id}${rest}`);
  return {
    self: to(''),
    ...(project.issuesAccess !== 'disabled' && { issues: to('/issues') }),
    ...(project.mergeRequestsAccess !== 'disabled' && { merge_requests: to('/merge_requests') }),
    repo_branches: to('/repository/branches'),
    labels: to('/labels'),
    events: to('/events'),
    members: to('/members'),
  };
}
