import { VISIBILITIES } from '#libs/access';
import { atLeastOneOf, params, wire } from '#libs/http';
import { AttributeFilterParam } from '../../identity/identity.api';
import { MERGE_METHODS } from './project.entity';

const ACCESS = ['disabled', 'private', 'enabled'] as const;
const LEVELS = [10, 20, 30, 40, 50] as const;
const MOST_TAGS = 100;

/** Some clients send the flag of a feature, some its access level; the level wins. */
const FEATURES = {
  issues_enabled: wire.boolean().optional(),
  merge_requests_enabled: wire.boolean().optional(),
  jobs_enabled: wire.boolean().optional(),
  wiki_enabled: wire.boolean().optional(),
  snippets_enabled: wire.boolean().optional(),
  repository_access_level: wire.oneOf(ACCESS).optional(),
  issues_access_level: wire.oneOf(ACCESS).optional(),
  merge_requests_access_level: wire.oneOf(ACCESS).optional(),
  builds_access_level: wire.oneOf(ACCESS).optional(),
  wiki_access_level: wire.oneOf(ACCESS).optional(),
  snippets_access_level: wire.oneOf(ACCESS).optional(),
};

const MIRROR = {
  import_url: wire
    .text({ max: 2048 })
    .nullable()
    .optional()
    .describe('Where the repository is imported or mirrored from: http or https, credentials included'),
  mirror: wire.boolean().optional().describe('Starter and higher'),
  mirror_user_id: wire.integer({ min: 1 }).optional().describe('On whose behalf; oneself'),
  mirror_trigger_builds: wire.boolean().optional(),
  only_mirror_protected_branches: wire.boolean().optional(),
  mirror_overwrites_diverged_branches: wire.boolean().optional(),
};

const SETTINGS = {
  ...MIRROR,
  description: wire.text({ max: 2000 }).nullable().optional(),
  visibility: wire.oneOf(VISIBILITIES).optional(),
  ...FEATURES,
  container_registry_enabled: wire.boolean().optional(),
  shared_runners_enabled: wire.boolean().optional(),
  lfs_enabled: wire.boolean().optional(),
  public_jobs: wire.boolean().optional(),
  public_builds: wire.boolean().optional().describe('Older name of `public_jobs`'),
  request_access_enabled: wire.boolean().optional(),
  resolve_outdated_diff_discussions: wire.boolean().optional(),
  only_allow_merge_if_pipeline_succeeds: wire.boolean().optional(),
  only_allow_merge_if_all_discussions_are_resolved: wire.boolean().optional(),
  printing_merge_requests_link_enabled: wire.boolean().optional(),
  printing_merge_request_link_enabled: wire.boolean().optional().describe('Other spelling of the same'),
  merge_method: wire.oneOf(MERGE_METHODS).optional(),
  approvals_before_merge: wire.integer({ min: 0, max: 1000 }).optional().describe('Starter and higher'),
  ci_config_path: wire.text({ max: 255 }).nullable().optional(),
  ci_default_git_depth: wire.integer({ min: 0, max: 1000 }).nullable().optional(),
  avatar: wire.file().optional().describe('An image of at most 200 KB'),
  tag_list: wire.commaSeparated({ max: MOST_TAGS }).optional().describe('A list, or text with commas'),
};

export const ProjectSettings = params(SETTINGS);

export const CreateProject = params(
  {
    name: wire.text().optional().describe('By default the path'),
    path: wire.text().optional().describe('By default made of the name'),
    namespace_id: wire.integer({ min: 1 }).optional().describe("The caller's own namespace by default"),
    default_branch: wire.text({ blank: false }).optional().describe('`master` by default'),
    initialize_with_readme: wire.boolean().default(false),
    ...SETTINGS,
  },
  atLeastOneOf('name', 'path'),
);

export const CreateProjectForUser = CreateProject.extend({ user_id: wire.integer() });

const CHANGES = {
  name: wire.text().optional(),
  path: wire.text().optional(),
  default_branch: wire.text({ blank: false }).optional(),
  archived: wire.boolean().optional(),
  ...SETTINGS,
};

export const UpdateProject = params(CHANGES, atLeastOneOf(...Object.keys(CHANGES)));

export const DeleteProject = params({});

export const ReadProject = params({
  statistics: wire.boolean().default(false),
  license: wire.boolean().default(false),
  with_custom_attributes: wire.boolean().optional().describe('Administrators only'),
});

/** What every list of projects takes. */
const FILTERS = {
  archived: wire.boolean().optional(),
  visibility: wire.oneOf(VISIBILITIES).optional(),
  order_by: wire
    .oneOf(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'])
    .default('created_at'),
  sort: wire.oneOf(['asc', 'desc']).default('desc'),
  search: wire.text({ max: 1000 }).optional().describe('Part of the name, path or description'),
  simple: wire.boolean().default(false),
  owned: wire.boolean().default(false),
  starred: wire.boolean().default(false),
  with_custom_attributes: wire.boolean().optional().describe('Administrators only'),
  custom_attributes: AttributeFilterParam.optional().describe('Administrators only'),
  with_issues_enabled: wire.boolean().default(false),
  with_merge_requests_enabled: wire.boolean().default(false),
  min_access_level: wire.oneOfIntegers(LEVELS).optional(),
};

/** What lists beyond a group's take too. */
const WIDER_FILTERS = {
  ...FILTERS,
  membership: wire.boolean().default(false),
  statistics: wire.boolean().default(false),
  id_after: wire.integer({ min: 0 }).optional(),
  id_before: wire.integer({ min: 0 }).optional(),
};

const LANGUAGE = {
  with_programming_language: wire.text({ max: 255 }).optional().describe('A language found in them'),
};

export const ListProjects = params({
  ...WIDER_FILTERS,
  ...LANGUAGE,
  wiki_checksum_failed: wire.boolean().default(false).describe('Premium and higher'),
  repository_checksum_failed: wire.boolean().default(false).describe('Premium and higher'),
  pagination: wire
    .oneOf(['legacy', 'offset', 'keyset'])
    .default('legacy')
    .describe('`keyset` with `order_by=id` alone; `offset` is what some clients call the legacy form'),
});

export const ListProjectsOfUser = params({
  user_id: wire.idOrPath().describe('Id or username'),
  ...WIDER_FILTERS,
  ...LANGUAGE,
});

export const ListForks = params({ ...WIDER_FILTERS, ...LANGUAGE });

export const ListStarredProjects = params({
  user_id: wire.idOrPath().describe('Id or username'),
  ...WIDER_FILTERS,
});

export const ListGroupProjects = params({
  ...FILTERS,
  with_shared: wire
    .boolean()
    .default(true)
    .describe('Projects of elsewhere that are shared with the group too'),
  include_subgroups: wire.boolean().default(false),
  with_security_reports: wire.boolean().default(false).describe('Ultimate'),
});

export const TransferIntoGroup = params({
  project_id: wire.idOrPath().describe('Id or URL-encoded full path'),
});
