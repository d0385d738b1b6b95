import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();

let admin: BuiltUser;
let user: BuiltUser;
let ids: Record<'users' | 'groups' | 'projects', number>;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
});
beforeEach(async () => {
  const { build } = app.current;
  user = await build.user();
  ids = {
    users: user.id,
    groups: (await build.group({ visibility: 'public', members: { owner: user } })).id,
    projects: (await build.project({ visibility: 'public', members: { maintainer: user } })).id,
  };
});

const KINDS = ['users', 'groups', 'projects'] as const;
type Kind = (typeof KINDS)[number];
const WHAT = { users: 'User', groups: 'Group', projects: 'Project' };
const url = (kind: Kind, key?: string): string =>
  `/${kind}/${ids[kind]}/custom_attributes${key === undefined ? '' : `/${encodeURIComponent(key)}`}`;
const set = (kind: Kind, key: string, value: string) =>
  app.current.as(admin).put(url(kind, key), { value }).expect(200);

describe.each(KINDS)('custom attributes of %s', (kind) => {
  it(`PUT /${kind}/:id/custom_attributes/:key adds and replaces`, async () => {
    const api = app.current.as(admin);
    expect((await set(kind, 'team', 'red')).body).toEqual({ key: 'team', value: 'red' });
    expect((await set(kind, 'team', 'blue')).body).toEqual({ key: 'team', value: 'blue' });
    expect((await api.get(url(kind))).body).toEqual([{ key: 'team', value: 'blue' }]);
  });

  it(`GET /${kind}/:id/custom_attributes lists in pages; one by its key`, async () => {
    await set(kind, 'b', '1');
    await set(kind, 'a.b/c d', '2');
    const page = await app.current.as(admin).get(`${url(kind)}?per_page=1&page=2`);
    expect(page.body).toEqual([{ key: 'a.b/c d', value: '2' }]);
    expect(page.headers['x-total']).toBe('2');
    expect((await app.current.as(admin).get(url(kind, 'a.b/c d'))).body).toEqual({
      key: 'a.b/c d',
      value: '2',
    });
  });

  it(`DELETE /${kind}/:id/custom_attributes/:key answers 204, then 404`, async () => {
    await set(kind, 'team', 'red');
    const api = app.current.as(admin);
    expect((await api.delete(url(kind, 'team'))).status).toBe(204);
    for (const gone of [await api.delete(url(kind, 'team')), await api.get(url(kind, 'team'))])
      expect([gone.status, gone.body]).toEqual([404, { message: '404 Custom Attribute Not Found' }]);
  });

  it('refuses what is blank, missing or too long', async () => {
    const put = (key: string, body: object) => app.current.as(admin).put(url(kind, key), body);
    expect((await put('k', {})).body).toEqual({ message: '400 (Bad request) "value" not given' });
    expect((await put('k', { value: ' ' })).body).toEqual({ message: { value: ["can't be blank"] } });
    expect((await put('k', { value: 'x'.repeat(256) })).body).toEqual({
      message: { value: ['is too long (maximum is 255 characters)'] },
    });
    expect((await put('x'.repeat(256), { value: 'v' })).status).toBe(400);
    expect((await put('k', { value: ['v'] })).status).toBe(400);
    // The longest that there may be, in the longest characters, fit the index.
    expect((await put('ｋ'.repeat(255), { value: 'ｖ'.repeat(255) })).status).toBe(200);
  });

  it('show in single records for administrators who ask, and for nobody else', async () => {
    await set(kind, 'z', '1');
    await set(kind, 'a', '2');
    const path = `/${kind}/${ids[kind]}`;
    const { body } = await app.current.as(admin).get(`${path}?with_custom_attributes=true`);
    expect(body.custom_attributes).toEqual([
      { key: 'a', value: '2' },
      { key: 'z', value: '1' },
    ]);
    expect((await app.current.as(admin).get(path)).body).not.toHaveProperty('custom_attributes');
    for (const api of [app.current.as(user), app.current.api])
      expect((await api.get(`${path}?with_custom_attributes=true`)).body).not.toHaveProperty(
        'custom_attributes',
      );
  });

  it('show in lists, and filter them by all keys given, for administrators alone', async () => {
    const mark = `mark-${ids[kind]}`;
    await set(kind, 'mark', mark);
    await set(kind, 'team', 'red');
    const list = (query: string, by = admin) => app.current.as(by).get(`/${kind}?per_page=100&${query}`);
    const found = await list(
      `custom_attributes[mark]=${mark}&custom_attributes[team]=red&with_custom_attributes=true`,
    );
    expect(found.body.map(({ id }: { id: number }) => id)).toEqual([ids[kind]]);
    expect(found.body[0].custom_attributes).toEqual([
      { key: 'mark', value: mark },
      { key: 'team', value: 'red' },
    ]);
    expect((await list(`custom_attributes[mark]=${mark}&custom_attributes[team]=blue`)).body).toEqual([]);
    expect((await list(`custom_attributes[mark]=${mark.toUpperCase()}`)).body).toEqual([]);
    const others = await list('custom_attributes[mark]=nothing&with_custom_attributes=true', user);
    expect(others.body.length).toBeGreaterThan(0);
    expect(others.text).not.toContain('custom_attributes');
  });

  it('takes hostile keys and values as they are, and not too many', async () => {
    const list = (query: string) => app.current.as(admin).get(`/${kind}?${query}`);
    expect((await list(`custom_attributes[${encodeURIComponent(`a' OR 1=1 --`)}]=x`)).body).toEqual([]);
    expect((await list('custom_attributes[__proto__]=x')).status).toBe(200);
    expect((await list('custom_attributes=x')).status).toBe(400);
    expect((await list('custom_attributes[a][]=x')).status).toBe(400);
    const many = Array.from({ length: 11 }, (_, number) => `custom_attributes[k${number}]=v`).join('&');
    expect((await list(many)).status).toBe(400);
  });
});

it('shows an empty list where there are none', async () => {
  const { body } = await app.current.as(admin).get(`/users/${user.id}?with_custom_attributes=1`);
  expect(body.custom_attributes).toEqual([]);
});

const ROWS: readonly [string, Kind][] = [
  ['GET /users/:id/custom_attributes', 'users'],
  ['GET /users/:id/custom_attributes/:key', 'users'],
  ['PUT /users/:id/custom_attributes/:key', 'users'],
  ['DELETE /users/:id/custom_attributes/:key', 'users'],
  ['GET /groups/:id/custom_attributes', 'groups'],
  ['GET /groups/:id/custom_attributes/:key', 'groups'],
  ['PUT /groups/:id/custom_attributes/:key', 'groups'],
  ['DELETE /groups/:id/custom_attributes/:key', 'groups'],
  ['GET /projects/:id/custom_attributes', 'projects'],
  ['GET /projects/:id/custom_attributes/:key', 'projects'],
  ['PUT /projects/:id/custom_attributes/:key', 'projects'],
  ['DELETE /projects/:id/custom_attributes/:key', 'projects'],
];

describe.each(ROWS)('%s', (row, kind) => {
  const request = (by: BuiltUser | null, id = ids[kind]) => {
    const api = by ? app.current.as(by) : app.current.api;
    const [method, path = ''] = row.split(' ');
    const target = path.replace(':id', String(id)).replace(':key', 'k');
    if (method === 'GET') return api.get(target);
    return method === 'PUT' ? api.put(target, { value: 'v' }) : api.delete(target);
  };

  it('is for administrators: 401, 403, and 404 where there is nothing', async () => {
    await set(kind, 'k', 'v');
    expect((await request(null)).status).toBe(401);
    const refused = await request(user);
    expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
    const nobody = await request(admin, 2_000_000_000);
    expect([nobody.status, nobody.body]).toEqual([404, { message: `404 ${WHAT[kind]} Not Found` }]);
    expect((await request(admin)).status).toBeLessThan(300);
  });
});
