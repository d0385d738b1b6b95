import { VISIBILITIES } from '#libs/access';
import { field, presenter, type View } from '#libs/presenting';
import type { Namespace } from '../namespaces/namespace.entity';
import { namespaceUrl } from '../namespaces/namespace.presenter';
import type { GroupDetails } from './group-details';

const GroupRecord = field.object({
  id: field.int(),
  name: field.string(),
  path: field.string(),
  description: field.string(),
  visibility: field.enum(VISIBILITIES),
  lfs_enabled: field.boolean(),
  avatar_url: field.string().nullable(),
  web_url: field.string(),
  request_access_enabled: field.boolean(),
  full_name: field.string(),
  full_path: field.string(),
  file_template_project_id: field.int().nullable(),
  parent_id: field.int().nullable(),
});

export const presentGroup = presenter(GroupRecord, (group: Namespace, view) => ({
  id: group.id,
  name: group.name,
  path: group.path,
  description: group.description,
  visibility: group.visibility,
  lfs_enabled: group.lfsEnabled,
  avatar_url: null,
  web_url: namespaceUrl(group, view),
  request_access_enabled: group.requestAccessEnabled,
  full_name: group.fullName,
  full_path: group.fullPath,
  file_template_project_id: group.fileTemplateProjectId,
  parent_id: group.parentId,
}));

const GroupDetailsRecord = GroupRecord.extend({
  runners_token: field.string().optional(),
  shared_runners_minutes_limit: field.int().nullable().optional(),
  extra_shared_runners_minutes_limit: field.int().nullable().optional(),
  projects: field.array(field.unknown()).optional(),
  shared_projects: field.array(field.unknown()).optional(),
});

const minutes = (group: Namespace, { license }: View) =>
  license.has('shared_runner_minutes') && {
    shared_runners_minutes_limit: group.sharedRunnersMinutesLimit,
    extra_shared_runners_minutes_limit: group.extraSharedRunnersMinutesLimit,
  };

export const presentGroupDetails = presenter(
  GroupDetailsRecord,
  ({ group, runnersToken, contents }: GroupDetails, view) => ({
    ...presentGroup(group, view),
    ...(runnersToken !== null && { runners_token: runnersToken }),
    ...minutes(group, view),
    ...(contents && {
      projects: contents.projects.map((project) => project.present(view)),
      shared_projects: contents.sharedProjects.map((project) => project.present(view)),
    }),
  }),
);
