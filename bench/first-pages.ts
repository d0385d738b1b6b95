import { PLACES } from './populated-database';

export type ViewerName = 'admin' | 'usual' | 'busy' | 'anonymous';

/** First pages whose speed must not depend on how much there is, by who asks for them. */
type Lists = Readonly<Partial<Record<ViewerName, readonly string[]>>>;

const orders = (path: string, names: readonly string[]): string[] =>
  names.flatMap((name) =>
    ['asc', 'desc'].map((sort) => `${path}${path.includes('?') ? '&' : '?'}order_by=${name}&sort=${sort}`),
  );

const USER_ORDERS = ['id', 'name', 'username', 'created_at', 'updated_at'];
const GROUP_ORDERS = ['name', 'path', 'id'];
const PROJECT_ORDERS = ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'];

const USER_LISTS: Lists = {
  admin: [
    ...orders('/users', USER_ORDERS),
    ...orders('/users?active=true', USER_ORDERS),
    '/users?blocked=true',
    '/users?external=true',
    '/users?two_factor=enabled',
    '/users?two_factor=disabled',
    '/users?username=USER-77',
    '/users?search=user-777',
    '/users?search=user',
    '/users?search=abc',
    '/users?search=nobody-has-this-name',
    '/users?search=user-5@example.com',
    '/users?extern_uid=x&provider=ldapmain',
    '/users?created_after=2020-01-01T00:00:00Z',
    '/users?created_before=2020-01-01T00:00:00Z',
    '/users?custom_attributes[team]=one',
  ],
  usual: ['/users', '/users?search=abc', '/users?search=user', '/users?active=true&blocked=true'],
  anonymous: ['/users?username=user-5'],
};

const SUBGROUPS = `/groups/${PLACES.largeGroup}/subgroups`;

const GROUP_FILTERS = [
  '?search=abc',
  '?search=group',
  '?search=no-group-has-this-name',
  '?owned=true',
  '?min_access_level=40',
  '?all_available=true',
  '?all_available=false',
  '?all_available=true&search=abc',
  '?skip_groups[]=5&skip_groups[]=6',
];

const GROUP_LISTS: Lists = {
  admin: [
    ...orders('/groups', GROUP_ORDERS),
    ...GROUP_FILTERS.map((filter) => `/groups${filter}`),
    '/groups?statistics=true',
    '/groups?with_custom_attributes=true',
    '/groups?custom_attributes[team]=one',
    ...orders(SUBGROUPS, GROUP_ORDERS),
    `/groups/${PLACES.largeGroup}`,
  ],
  usual: [
    ...orders('/groups', GROUP_ORDERS),
    ...orders('/groups?all_available=true', GROUP_ORDERS),
    ...GROUP_FILTERS.map((filter) => `/groups${filter}`),
    ...GROUP_FILTERS.map((filter) => `${SUBGROUPS}${filter}`),
    `/groups/${PLACES.largeGroup}`,
    `/groups/${PLACES.usualGroup}`,
  ],
  busy: [
    ...orders('/groups', GROUP_ORDERS),
    ...GROUP_FILTERS.map((filter) => `/groups${filter}`),
    ...GROUP_FILTERS.map((filter) => `${SUBGROUPS}${filter}`),
  ],
  anonymous: [...orders('/groups', GROUP_ORDERS), '/groups?search=abc', '/groups?search=group'],
};

const NAMESPACE_LISTS: Lists = {
  admin: ['/namespaces', '/namespaces?search=abc', '/namespaces?search=group', '/namespaces?search=user'],
  usual: ['/namespaces', '/namespaces?search=abc', '/namespaces?search=group'],
  busy: ['/namespaces', '/namespaces?search=abc', '/namespaces?search=group'],
};

const MEMBER_FILTERS = ['', '?query=abc', '?query=user', '?query=nobody', '?user_ids[]=2&user_ids[]=4'];
const membersOf = (source: string): string[] =>
  MEMBER_FILTERS.flatMap((filter) => [`${source}/members${filter}`, `${source}/members/all${filter}`]).concat(
    `${source}/access_requests`,
  );

const MEMBER_LISTS: Lists = {
  admin: [
    ...membersOf(`/groups/${PLACES.largeGroup}`),
    ...membersOf(`/groups/${PLACES.usualGroup}`),
    ...membersOf(`/groups/${PLACES.deepGroup}`),
    ...membersOf(`/projects/${PLACES.inheritingProject}`),
    ...membersOf(`/projects/${PLACES.usualProject}`),
    `/groups/${PLACES.largeGroup}/members/all/4`,
    `/projects/${PLACES.inheritingProject}/members/all/4`,
  ],
};

const PROJECT_FILTERS = [
  '?visibility=public',
  '?visibility=private',
  '?search=abc',
  '?search=project',
  '?search=no-project-has-this-name',
  '?archived=false',
  '?owned=true',
  '?membership=true',
  '?min_access_level=40',
  '?with_issues_enabled=true',
  '?simple=true',
  '?statistics=true',
  '?pagination=keyset&order_by=id',
];

const PROJECT_LISTS: Lists = {
  admin: [
    ...orders('/projects', PROJECT_ORDERS),
    ...PROJECT_FILTERS.map((filter) => `/projects${filter}`),
    '/projects?with_custom_attributes=true',
    '/projects?custom_attributes[team]=one',
    ...orders(`/groups/${PLACES.largeGroup}/projects`, ['id', 'name', 'created_at']),
    `/groups/${PLACES.largeGroup}/projects?include_subgroups=true`,
  ],
  usual: [
    ...orders('/projects', PROJECT_ORDERS),
    ...PROJECT_FILTERS.map((filter) => `/projects${filter}`),
    `/groups/${PLACES.usualGroup}/projects`,
    `/groups/${PLACES.largeGroup}/projects?include_subgroups=true`,
  ],
  busy: [...orders('/projects', PROJECT_ORDERS), ...PROJECT_FILTERS.map((filter) => `/projects${filter}`)],
  anonymous: [
    ...orders('/projects', PROJECT_ORDERS),
    '/projects?search=abc',
    '/projects?search=project',
    `/groups/${PLACES.largeGroup}/projects`,
  ],
};

const LISTS: readonly (readonly [string, Lists])[] = [
  ['users', USER_LISTS],
  ['groups', GROUP_LISTS],
  ['namespaces', NAMESPACE_LISTS],
  ['members', MEMBER_LISTS],
  ['projects', PROJECT_LISTS],
];

const CALLERS = ['admin', 'usual', 'busy', 'anonymous'] as const;

/** All of them, by what is listed and who asks. */
export const FIRST_PAGES: readonly {
  readonly kind: string;
  readonly viewer: ViewerName;
  readonly paths: readonly string[];
}[] = LISTS.flatMap(([kind, lists]) =>
  CALLERS.flatMap((viewer) => {
    const paths = lists[viewer];
    return paths ? [{ kind, viewer, paths }] : [];
  }),
);
