import { VISIBILITIES } from '#libs/access';
import { field, presenter, type View } from '#libs/presenting';
import { avatarUrl } from '../avatars/avatar-url';
import {
  CustomAttributeRecord,
  presentCustomAttribute,
} from '../custom-attributes/custom-attribute.presenter';
import type { Namespace } from '../namespaces/namespace.entity';
import { namespaceUrl } from '../namespaces/namespace.presenter';
import type { GroupDetails, ListedGroup } from './group-details';
import type { GroupStatistics } from './group-projects';

export const GroupRecord = field.object({
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

const groupFields = (group: Namespace, view: View) => ({
  id: group.id,
  name: group.name,
  path: group.path,
  description: group.description,
  visibility: group.visibility,
  lfs_enabled: group.lfsEnabled,
  avatar_url: avatarUrl(view.urls, 'group', group.id, group.avatar),
  web_url: namespaceUrl(group, view),
  request_access_enabled: group.requestAccessEnabled,
  full_name: group.fullName,
  full_path: group.fullPath,
  file_template_project_id: group.fileTemplateProjectId,
  parent_id: group.parentId,
});

/** Where it is named by something else. */
export const presentGroupRecord = presenter(GroupRecord, groupFields);

const StatisticsRecord = field.object({
  storage_size: field.int(),
  repository_size: field.int(),
  wiki_size: field.int(),
  lfs_objects_size: field.int(),
  job_artifacts_size: field.int(),
  packages_size: field.int(),
});

const statisticsFields = (statistics: GroupStatistics) => ({
  storage_size: statistics.storageSize,
  repository_size: statistics.repositorySize,
  wiki_size: statistics.wikiSize,
  lfs_objects_size: statistics.lfsObjectsSize,
  job_artifacts_size: statistics.jobArtifactsSize,
  packages_size: statistics.packagesSize,
});

const attributesField = ({ customAttributes }: Pick<ListedGroup, 'customAttributes'>, view: View) =>
  customAttributes && {
    custom_attributes: customAttributes.map((attribute) => presentCustomAttribute(attribute, view)),
  };

/** As it stands in lists. */
export const presentGroup = presenter(
  GroupRecord.extend({
    custom_attributes: field.array(CustomAttributeRecord).optional(),
    statistics: StatisticsRecord.optional(),
  }),
  (listed: ListedGroup, view) => ({
    ...groupFields(listed.group, view),
    ...attributesField(listed, view),
    ...(listed.statistics && { statistics: statisticsFields(listed.statistics) }),
  }),
);

const GroupDetailsRecord = GroupRecord.extend({
  custom_attributes: field.array(CustomAttributeRecord).optional(),
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

export const presentGroupDetails = presenter(GroupDetailsRecord, (details: GroupDetails, view) => ({
  ...groupFields(details.group, view),
  ...attributesField(details, view),
  ...(details.runnersToken !== null && { runners_token: details.runnersToken }),
  ...minutes(details.group, view),
  ...(details.contents && {
    projects: details.contents.projects.map((project) => project.present(view)),
    shared_projects: details.contents.sharedProjects.map((project) => project.present(view)),
  }),
}));
