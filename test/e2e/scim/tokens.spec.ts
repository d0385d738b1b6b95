import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';
import { ERROR_SCHEMA, provider, SCIM, scimClient, type ScimClient } from '../../support/scim-client';

const app = useApplication();

let owner: BuiltUser;
let group: BuiltGroup;
let scim: ScimClient;
let token: string;
beforeAll(async () => {
  owner = await app.current.build.user();
});
beforeEach(async () => {
  group = await app.current.build.group({ members: { owner } });
  ({ scim, token } = await provider(app.current, owner, group));
});

const UNAUTHORIZED = { schemas: [ERROR_SCHEMA], detail: '401 Unauthorized', status: '401' };
const status = async (path = '?count=1', client = scim) => (await client.get(path)).status;

describe('a SCIM token', () => {
  it('is the only credential that SCIM takes, and only as a bearer token', async () => {
    const users = `${scim.base}/Users?count=1`;
    const { api } = app.current;
    const admin = await app.current.build.user({ admin: true });
    const session = await app.current.build.token(owner, ['api'], { kind: 'session' });
    const answers = [
      await api.get(users),
      await app.current.as(owner).get(users),
      await app.current.as(admin).get(users),
      await api.with({ authorization: `Bearer ${owner.token}` }).get(users),
      await api.with({ authorization: `Basic ${token}` }).get(users),
      await api.with({ authorization: token }).get(users),
      await api.with({ authorization: 'Bearer ' }).get(users),
      await api.with({ authorization: `Bearer ${token}x` }).get(users),
      await api.with({ authorization: `Bearer ${'x'.repeat(5_000)}` }).get(users),
      await api.with({ 'private-token': token }).get(users),
      await api.with({ cookie: `_service_session=${session}` }).get(users),
      await api.get(`${users}&access_token=${token}`),
      await api.get(`${users}&private_token=${token}`),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([401, UNAUTHORIZED]);
      expect(answer.headers['content-type']).toBe(SCIM);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="SCIM"');
    }
    expect(await status()).toBe(200);
  });

  it('opens nothing but SCIM', async () => {
    for (const client of [
      app.current.api.with({ authorization: `Bearer ${token}` }),
      app.current.as({ token }),
    ])
      for (const path of ['/user', '/groups', `/groups/${group.id}`, `/groups/${group.id}/scim`])
        expect((await client.get(path)).status).toBe(401);
  });

  it('opens its own group alone, in the groups around and inside neither', async () => {
    const other = await app.current.build.group({ visibility: 'public', members: { owner } });
    const inner = await app.current.build.group({ parent: group, members: { owner } });
    await provider(app.current, owner, other);
    await provider(app.current, owner, inner);
    for (const foreign of [other, inner])
      expect(await status('?count=1', scimClient(app.current, foreign, token))).toBe(401);
    const personal = { id: 0, fullPath: owner.username };
    expect(await status('?count=1', scimClient(app.current, personal, token))).toBe(401);
    const { token: innerToken } = await provider(app.current, owner, inner);
    expect(await status('?count=1', scimClient(app.current, group, innerToken))).toBe(401);
  });

  it('answers a group that nobody has with 404, but only to who shows a token', async () => {
    const nobody = { id: 0, fullPath: 'no-such-group' };
    expect((await scimClient(app.current, nobody, token).get('?count=1')).status).toBe(404);
    for (const asked of [nobody, group]) {
      const answer = await scimClient(app.current, asked, 'wrong').get('?count=1');
      expect([answer.status, answer.body]).toEqual([401, UNAUTHORIZED]);
    }
  });

  it('keeps working when the group gets another path, by both', async () => {
    const renamed = `${group.fullPath}-renamed`;
    expect((await app.current.as(owner).put(`/groups/${group.id}`, { path: renamed })).status).toBe(200);
    expect(await status()).toBe(200);
    expect(
      await status('?count=1', scimClient(app.current, { id: group.id, fullPath: renamed }, token)),
    ).toBe(200);
    const { body } = await app.current.as(owner).get(`/groups/${group.id}/scim`);
    expect(body.scim_api_endpoint_url).toBe(`http://service.test/api/scim/v2/groups/${renamed}`);
  });

  it('is no good any more when the group was transferred, nor when what is above it was', async () => {
    const inner = await app.current.build.group({ parent: group, members: { owner } });
    const { scim: innerScim } = await provider(app.current, owner, inner);
    const above = await app.current.build.group();
    const { database } = app.current;
    await database.query('UPDATE namespaces SET parent_id = $2 WHERE id = $1', [group.id, above.id]);
    await database.query(
      'UPDATE namespaces SET traversal_ids = $2::bigint || traversal_ids WHERE traversal_ids @> ARRAY[$1::bigint]',
      [group.id, above.id],
    );
    expect([await status(), await status('?count=1', innerScim)]).toEqual([401, 401]);
    expect((await app.current.as(owner).get(`/groups/${group.id}/scim`)).body.enabled).toBe(false);
    await database.query('UPDATE namespaces SET parent_id = NULL, traversal_ids = ARRAY[id] WHERE id = $1', [
      group.id,
    ]);
    expect(await status()).toBe(401);
    const { scim: anew } = await provider(app.current, owner, group);
    expect(await status('?count=1', anew)).toBe(200);
  });

  it('is gone with the group', async () => {
    await app.current.database.query('UPDATE namespaces SET pending_delete = true WHERE id = $1', [group.id]);
    expect(await status()).toBe(401);
    await app.current.database.query('DELETE FROM namespaces WHERE id = $1', [group.id]);
    const { rows } = await app.current.database.query('SELECT 1 FROM scim_tokens WHERE group_id = $1', [
      group.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('notes its last use', async () => {
    const lastUse = async () => {
      const text = 'SELECT last_used_at FROM scim_tokens WHERE group_id = $1';
      return (await app.current.database.query(text, [group.id])).rows[0].last_used_at;
    };
    expect(await lastUse()).toBeNull();
    await status();
    while ((await lastUse()) === null) await status();
    expect(await lastUse()).toBeInstanceOf(Date);
  });

  it('cannot act as somebody', async () => {
    const list = await scim.get(`?count=1&sudo=${owner.username}`);
    expect(list.status).toBe(200);
    expect(
      (
        await app.current.api
          .with({ authorization: `Bearer ${token}`, sudo: 'root' })
          .get(`${scim.base}/Users?count=1`)
      ).status,
    ).toBe(200);
  });
});

describe('hostile requests', () => {
  it.each([
    '/%E0%A4%A',
    '/%00',
    '?filter=%00',
    '?filter[]=a&filter[]=b',
    '?filter[a]=b',
    '?startIndex[]=1',
    '?count=999999999999999999999',
    '?count=1e3',
  ])('answers 400 to %s', async (path) => {
    const { status: answered, body } = await scim.get(path);
    expect([answered, body]).toEqual([
      400,
      expect.objectContaining({ schemas: [ERROR_SCHEMA], status: '400' }),
    ]);
  });

  it.each(['..%2f..%2fetc', '%2e%2e', 'a%2Fb%2Fc', "'; DROP TABLE users; --", 'a\\b'])(
    'finds nobody at the path %s',
    async (path) => {
      const bearer = app.current.api.with({ authorization: `Bearer ${token}` });
      const { status: answered } = await bearer.get(`/api/scim/v2/groups/${encodeURI(path)}/Users?count=1`);
      expect(answered).toBe(404);
    },
  );

  it('answers unknown paths and methods as SCIM does', async () => {
    const bearer = app.current.api.with({ authorization: `Bearer ${token}` });
    const unknown = await bearer.get('/api/scim/v2/nothing');
    expect([unknown.status, unknown.body]).toEqual([
      404,
      { schemas: [ERROR_SCHEMA], detail: '404 Not Found', status: '404' },
    ]);
    expect((await bearer.delete(`${scim.base}/Users`)).status).toBe(405);
    expect((await bearer.head(`${scim.base}/Users?count=1`)).status).toBe(200);
  });

  it('is not kept busy by deep or wide bodies', async () => {
    const deep = `${'{"name":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1])),
    );
    const many = JSON.stringify({ emails: Array.from({ length: 5_000 }, () => ({ value: 'a@b.example' })) });
    for (const body of [deep, wide, many]) expect((await scim.create(body)).status).toBe(400);
    expect((await scim.patch('x', `{"Operations":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)).status).toBe(
      400,
    );
  });
});
