import { VISIBILITIES } from '#libs/access';
import { params, wire } from '#libs/http';

const MINUTES = { min: 0, max: 2_147_483_647 };
const LEVELS = [10, 20, 30, 40, 50] as const;

export const ListGroups = params({
  skip_groups: wire.integers({ max: 1000 }).optional().describe('Ids of groups to leave out'),
  all_available: wire.boolean().optional().describe('By default true for administrators, else false'),
  search: wire.text().optional().describe('Part of the name or path'),
  order_by: wire.oneOf(['name', 'path', 'id']).default('name'),
  sort: wire.oneOf(['asc', 'desc']).default('asc'),
  statistics: wire.boolean().optional().describe('Administrators only'),
  with_custom_attributes: wire.boolean().optional().describe('Administrators only'),
  owned: wire.boolean().optional(),
  min_access_level: wire.oneOfIntegers(LEVELS).optional(),
  custom_attributes: wire.hashOf(wire.text()).optional().describe('Administrators only'),
});

export const ReadGroup = params({
  with_custom_attributes: wire.boolean().optional().describe('Administrators only'),
  with_projects: wire.boolean().default(true),
});

export const CreateGroup = params({
  name: wire.text(),
  path: wire.text(),
  description: wire.text().optional(),
  visibility: wire.oneOf(VISIBILITIES).optional().describe('`private` by default'),
  lfs_enabled: wire.boolean().optional(),
  request_access_enabled: wire.boolean().optional(),
  parent_id: wire.integer().optional().describe('Group to create a subgroup in'),
  shared_runners_minutes_limit: wire.integer(MINUTES).optional().describe('Starter and higher'),
  extra_shared_runners_minutes_limit: wire.integer(MINUTES).optional().describe('Starter and higher'),
});
