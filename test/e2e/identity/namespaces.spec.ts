import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';

const app = useApplication();

let user: BuiltUser;
let admin: BuiltUser;
let group: BuiltGroup;
let subgroup: BuiltGroup;
let foreign: BuiltGroup;

beforeAll(async () => {
  const { build } = app.current;
  user = await build.user({ username: 'Someone' });
  admin = await build.user({ admin: true });
  group = await build.group({ path: 'mine', members: { reporter: user } });
  subgroup = await build.group({ path: 'inner', parent: group });
  foreign = await build.group({ path: 'foreign', visibility: 'public' });
});

describe('GET /namespaces', () => {
  it('lists the personal namespace and the groups that the caller is in', async () => {
    const { status, body, headers } = await app.current.as(user).get('/namespaces');
    expect(status).toBe(200);
    expect(headers['x-total']).toBe('3');
    expect(body).toEqual([
      {
        id: user.namespaceId,
        name: 'Someone',
        path: 'Someone',
        kind: 'user',
        full_path: 'Someone',
        parent_id: null,
        avatar_url: null,
        web_url: 'http://service.test/Someone',
      },
      {
        id: group.id,
        name: 'mine',
        path: 'mine',
        kind: 'group',
        full_path: 'mine',
        parent_id: null,
        avatar_url: null,
        web_url: 'http://service.test/groups/mine',
      },
      expect.objectContaining({ id: subgroup.id, full_path: 'mine/inner', parent_id: group.id }),
    ]);
  });

  it('finds by a part of the name or path', async () => {
    const { body } = await app.current.as(user).get('/namespaces?search=INN');
    expect(body.map((namespace: { id: number }) => namespace.id)).toEqual([subgroup.id]);
  });

  it('lists everything for administrators, in pages', async () => {
    const page = await app.current.as(admin).get('/namespaces?per_page=2&page=2');
    expect(page.headers).toMatchObject({ 'x-total': '5', 'x-total-pages': '3' });
    expect((await app.current.as(admin).head('/namespaces')).headers['x-total']).toBe('5');
  });

  it('asks anonymous callers to sign in', async () => {
    expect((await app.current.api.get('/namespaces')).status).toBe(401);
    expect((await app.current.api.get('/namespaces/mine')).status).toBe(401);
  });
});

describe('GET /namespaces/:id', () => {
  it('finds by id and by path in any letter case', async () => {
    for (const id of [subgroup.id, 'mine%2Finner', 'MINE%2FInner']) {
      expect((await app.current.as(user).get(`/namespaces/${id}`)).body).toMatchObject({
        full_path: 'mine/inner',
      });
    }
    expect((await app.current.as(user).get('/namespaces/someone')).body.kind).toBe('user');
  });

  it('hides what the caller has no say in', async () => {
    for (const id of [foreign.id, 'foreign', admin.namespaceId, 0, 'nothing', '..%2F..']) {
      const { status, body } = await app.current.as(user).get(`/namespaces/${id}`);
      expect([status, body]).toEqual([404, { message: '404 Namespace Not Found' }]);
    }
    expect((await app.current.as(admin).get(`/namespaces/${foreign.id}`)).status).toBe(200);
  });
});

describe('GET /version', () => {
  it('tells version and revision to signed-in callers', async () => {
    const { status, body } = await app.current.as(user).get('/version');
    expect(status).toBe(200);
    expect(body).toEqual({
      version: '12.4.0-ee',
      revision: expect.stringMatching(/^([0-9a-f]{8}|unknown)$/),
    });
    expect((await app.current.api.get('/version')).status).toBe(401);
  });
});

describe('GET /metadata', () => {
  it('tells the same and more', async () => {
    const { body } = await app.current.as(user).get('/metadata');
    expect(body).toEqual({
      version: '12.4.0-ee',
      revision: expect.any(String),
      kas: { enabled: false, externalUrl: null, version: null },
      enterprise: true,
    });
    expect((await app.current.api.get('/metadata')).status).toBe(401);
  });
});
