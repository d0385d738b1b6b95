import { PLACES, VIEWERS } from './populated-database';
import { CROWDED } from './populated-projects';

export type Viewer = 'admin' | 'usual' | 'busy' | 'owner' | 'starrer' | 'anonymous';

const tokenOf = (id: number) => ({ id, token: `token-of-user-${id}` });

/** Who looks; null for nobody. */
export const PEOPLE: Readonly<Record<Viewer, { readonly token: string } | null>> = {
  ...VIEWERS,
  owner: tokenOf(CROWDED.owner),
  starrer: tokenOf(CROWDED.starrer),
  anonymous: null,
};

const ORDERS = ['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'];

const ordered = (path: string, orders: readonly string[] = ORDERS): string[] =>
  orders.flatMap((order) => ['asc', 'desc'].map((sort) => `${path}?order_by=${order}&sort=${sort}`));

const OF_GROUP = `/groups/${CROWDED.group}/projects`;
const OF_OWNER = `/users/${CROWDED.owner}/projects`;
const OF_STARRER = `/users/${CROWDED.starrer}/starred_projects`;

const FILTERS = [
  `?with_programming_language=${CROWDED.languages.common}`,
  '?statistics=true',
  '?simple=true',
  '?archived=false',
  '?with_issues_enabled=true',
  '?with_merge_requests_enabled=true',
];

/** Lists that are long enough to have a page 1,000. */
export const LONG_LISTS: Readonly<Partial<Record<Viewer, readonly string[]>>> = {
  admin: [
    ...ordered('/projects'),
    ...FILTERS.map((filter) => `/projects${filter}`),
    '/projects?visibility=private',
    ...ordered(OF_GROUP),
    ...ordered(OF_OWNER),
    ...ordered(OF_STARRER, ['created_at', 'name']),
    ...ordered(`/projects/${CROWDED.forked}/forks`, ['created_at', 'name']),
    `/projects/${PLACES.inheritingProject}/users`,
    `/groups/${PLACES.largeGroup}/projects?include_subgroups=true&per_page=5`,
  ],
  usual: [...ordered('/projects'), ...FILTERS.map((filter) => `/projects${filter}`)],
  busy: ordered('/projects', ['created_at', 'id']),
  owner: [...ordered(OF_OWNER), '/projects?owned=true', '/projects?membership=true'],
  starrer: [...ordered(OF_STARRER, ['created_at', 'last_activity_at']), '/projects?starred=true'],
  anonymous: [...ordered('/projects', ['created_at', 'name', 'id']), OF_STARRER],
};

/** Lists that end sooner: a page 1,000 of them is empty, and has to be told from a short list just the same. */
export const SHORT_LISTS: Readonly<Partial<Record<Viewer, readonly string[]>>> = {
  admin: [
    `/projects?with_programming_language=${CROWDED.languages.rare}`,
    '/projects?with_programming_language=nobody-speaks-this',
    '/projects?repository_checksum_failed=true',
    '/projects?wiki_checksum_failed=true',
    `/users/${VIEWERS.usual.id}/projects`,
    `/users/${VIEWERS.usual.id}/starred_projects`,
    `/groups/${PLACES.usualGroup}/projects`,
    `/projects/${PLACES.usualProject}/forks`,
    `/projects/${PLACES.usualProject}/starrers`,
    `/projects/${PLACES.usualProject}/users`,
  ],
  usual: [
    `/projects?with_programming_language=${CROWDED.languages.rare}`,
    '/projects?repository_checksum_failed=true',
    '/projects?starred=true',
    '/projects?owned=true',
    '/projects?membership=true',
    '/projects?min_access_level=40',
    `/users/${CROWDED.owner}/projects`,
    `/groups/${PLACES.usualGroup}/projects`,
  ],
  busy: ['/projects?membership=true', '/projects?owned=true', '/projects?min_access_level=30'],
  anonymous: [OF_GROUP, OF_OWNER, `/projects?with_programming_language=${CROWDED.languages.rare}`],
};

/** The address of one page of a list. */
export const pageOf = (list: string, page: number): string =>
  `${list}${list.includes('?') ? '&' : '?'}page=${page}`;
