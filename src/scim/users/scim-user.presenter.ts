import { field, presenter, presentTime, type Urls } from '#libs/presenting';
import { scimPath } from '../settings/scim-settings';
import { nameParts, type ScimUser, type ScimUserList } from './scim-user';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** The specification's flat key beside RFC 7643's object: identity providers read one or the other. */
const ScimUserRecord = field.object({
  schemas: field.array(field.literal(USER_SCHEMA)),
  id: field.string(),
  externalId: field.string(),
  active: field.boolean(),
  'name.formatted': field.string(),
  name: field.object({
    formatted: field.string(),
    givenName: field.string(),
    familyName: field.string(),
  }),
  displayName: field.string(),
  userName: field.string(),
  meta: field.object({
    resourceType: field.literal('User'),
    created: field.string(),
    lastModified: field.string(),
    location: field.string(),
  }),
  emails: field.array(
    field.object({ type: field.literal('work'), value: field.string(), primary: field.boolean() }),
  ),
});

const ScimListRecord = field.object({
  schemas: field.array(field.string()),
  totalResults: field.int(),
  itemsPerPage: field.int(),
  startIndex: field.int(),
  Resources: field.array(ScimUserRecord),
});

/** Where a user is found again. */
export const locationOf = (urls: Urls, { groupPath, externUid }: ScimUser): string =>
  urls.web(`${scimPath(groupPath)}/Users/${encodeURIComponent(externUid)}`);

function recordOf(user: ScimUser, urls: Urls): ReturnType<typeof ScimUserRecord.parse> {
  const { given, family } = nameParts(user);
  return {
    schemas: [USER_SCHEMA],
    id: user.externUid,
    externalId: user.externUid,
    active: user.active,
    'name.formatted': user.name,
    name: { formatted: user.name, givenName: given, familyName: family },
    displayName: user.name,
    userName: user.username,
    meta: {
      resourceType: 'User',
      created: presentTime(user.createdAt),
      lastModified: presentTime(user.updatedAt),
      location: locationOf(urls, user),
    },
    emails: [{ type: 'work', value: user.email, primary: true }],
  };
}

export const presentScimUser = presenter(ScimUserRecord, (user: ScimUser, { urls }) => recordOf(user, urls));

export const presentScimUsers = presenter(ScimListRecord, (list: ScimUserList, { urls }) => ({
  schemas: [LIST_SCHEMA],
  totalResults: list.totalResults,
  itemsPerPage: list.itemsPerPage,
  startIndex: list.startIndex,
  Resources: list.users.map((user) => recordOf(user, urls)),
}));
