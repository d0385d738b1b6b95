import { VISIBILITIES } from '#libs/access';
import { params, wire } from '#libs/http';
import { AttributeFilterParam } from '../custom-attributes/custom-attribute.params';

const MINUTES = { min: 0, max: 2_147_483_647 };
const LEVELS = [10, 20, 30, 40, 50] as const;

export const ListGroups = params({
  skip_groups: wire.integers({ max: 1000 }).optional().describe('Ids of groups to leave out'),
  all_available: wire.boolean().optional().describe('By default true for administrators, else false'),
  search: wire.text({ max: 1000 }).optional().describe('Part of the name or path'),
  order_by: wire.oneOf(['name', 'path', 'id']).default('name'),
  sort: wire.oneOf(['asc', 'desc']).default('asc'),
  statistics: wire.boolean().default(false).describe('Administrators only'),
  with_custom_attributes: wire.boolean().default(false).describe('Administrators only'),
  owned: wire.boolean().default(false),
  min_access_level: wire.oneOfIntegers(LEVELS).optional(),
  custom_attributes: AttributeFilterParam.optional().describe('Administrators only'),
});

export const ReadGroup = params({
  with_custom_attributes: wire.boolean().default(false).describe('Administrators only'),
  with_projects: wire.boolean().default(true),
});

const MINUTES_LIMITS = {
  shared_runners_minutes_limit: wire
    .integer(MINUTES)
    .nullable()
    .optional()
    .describe('Starter and higher, administrators only'),
  extra_shared_runners_minutes_limit: wire
    .integer(MINUTES)
    .nullable()
    .optional()
    .describe('Starter and higher, administrators only'),
};

export const CreateGroup = params({
  name: wire.text(),
  path: wire.text(),
  description: wire.text().optional(),
  visibility: wire.oneOf(VISIBILITIES).optional().describe('`private` by default'),
  lfs_enabled: wire.boolean().optional(),
  request_access_enabled: wire.boolean().optional(),
  parent_id: wire.integer().optional().describe('Group to create a subgroup in'),
  ...MINUTES_LIMITS,
});

export const UpdateGroup = params({
  name: wire.text().optional(),
  path: wire.text().optional(),
  description: wire.text().optional(),
  membership_lock: wire.boolean().optional().describe('Starter and higher'),
  share_with_group_lock: wire.boolean().optional(),
  visibility: wire.oneOf(VISIBILITIES).optional(),
  lfs_enabled: wire.boolean().optional(),
  request_access_enabled: wire.boolean().optional(),
  file_template_project_id: wire.integer().nullable().optional().describe('Premium and higher'),
  ...MINUTES_LIMITS,
});

export const DeleteGroup = params({});
