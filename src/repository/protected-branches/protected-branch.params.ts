import { exactlyOneOf, params, wire } from '#libs/http';
import { ACCESS_LEVELS } from './access-levels';

/** More people than this are better named by a group. */
const MOST_NAMED = 100;
const LONGEST_NAME = 255;

export const InProject = params({ id: wire.idOrPath().describe('Id or path of the project') });

export const ProtectedBranchPath = InProject.extend({
  name: wire.text().describe('URL-encoded name of the branch, or wildcard'),
});

const level = (doing: string) =>
  wire.oneOfIntegers(ACCESS_LEVELS).optional().describe(`Who may ${doing}: 0 no one, 30, 40 (default) or 60`);

const Named = params(
  {
    user_id: wire.integer().optional(),
    group_id: wire.integer().optional(),
    access_level: wire.oneOfIntegers(ACCESS_LEVELS).optional(),
  },
  exactlyOneOf('user_id', 'group_id', 'access_level'),
);

const named = (doing: string) =>
  wire
    .list(Named, { max: MOST_NAMED })
    .optional()
    .describe(`Users, groups and levels that may ${doing} (starter)`);

export const CreateProtectedBranch = InProject.extend({
  name: wire.text({ blank: false, max: LONGEST_NAME }).describe('Name of the branch, or wildcard'),
  push_access_level: level('push'),
  merge_access_level: level('merge'),
  unprotect_access_level: level('unprotect'),
  allowed_to_push: named('push'),
  allowed_to_merge: named('merge'),
  allowed_to_unprotect: named('unprotect'),
});
