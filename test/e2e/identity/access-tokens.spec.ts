import { createHash } from 'node:crypto';
import { AccessTokens, Sessions } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();

let admin: BuiltUser;
let user: BuiltUser;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  user = await app.current.build.user();
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe.each([
  ['POST /users/:user_id/personal_access_tokens', 'personal_access_tokens', { last_used_at: null }],
  ['POST /users/:user_id/impersonation_tokens', 'impersonation_tokens', { impersonation: true }],
])('%s', (_row, collection, extra) => {
  const create = (params: object, by = admin, id: number | string = user.id) =>
    app.current.as(by).post(`/users/${id}/${collection}`, params);

  it('makes a token that works, and tells its secret this once', async () => {
    const expiresAt = inDays(3);
    const { status, body } = await create({
      name: 'robot',
      scopes: ['api', 'read_user', 'api'],
      expires_at: expiresAt,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'robot',
      revoked: false,
      active: true,
      created_at: expect.any(String),
      scopes: ['api', 'read_user'],
      expires_at: expiresAt,
      token: expect.stringMatching(/^[0-9a-f]{40}$/),
      ...(collection === 'personal_access_tokens' && { user_id: user.id }),
      ...extra,
    });
    expect((await app.current.as({ token: body.token }).get('/user')).body.id).toBe(user.id);
    const { rows } = await app.current.database.query('SELECT digest FROM access_tokens WHERE id = $1', [
      body.id,
    ]);
    expect(rows[0].digest).toEqual(createHash('sha256').update(body.token).digest());
  });

  it('lasts without a date', async () => {
    for (const none of [{}, { expires_at: null }, { expires_at: '' }]) {
      expect((await create({ name: 'x', scopes: ['api'], ...none })).body.expires_at).toBeNull();
    }
  });

  it('works until its last day', async () => {
    const today = await create({ name: 'x', scopes: ['api'], expires_at: inDays(0) });
    expect(today.body.active).toBe(false);
    const refused = await app.current.as(today.body).get('/user');
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_token']);
    expect((await create({ name: 'x', scopes: ['api'], expires_at: inDays(1) })).body.active).toBe(true);
  });

  it.each([
    [{ scopes: ['api'] }, { message: '400 (Bad request) "name" not given' }],
    [{ name: '', scopes: ['api'] }, { message: { name: ["can't be blank"] } }],
    [{ name: 'x' }, { message: { scopes: ["can't be blank"] } }],
    [{ name: 'x', scopes: [] }, { message: { scopes: ["can't be blank"] } }],
    [{ name: 'x', scopes: ['all'] }, { message: { scopes: ['can only contain available scopes'] } }],
    [{ name: 'x', scopes: ['sudo'] }, { message: { scopes: ['can only contain available scopes'] } }],
    [{ name: 'x', scopes: ['api'], expires_at: 'soon' }, { error: 'expires_at is invalid' }],
  ])('refuses %j', async (params, body) => {
    const answer = await create(params);
    expect([answer.status, answer.body]).toEqual([400, body]);
  });

  it('gives sudo to administrators', async () => {
    const { body } = await create({ name: 'x', scopes: ['api', 'sudo'] }, admin, admin.id);
    expect(body.scopes).toEqual(['api', 'sudo']);
  });

  it('answers 404 for nobody', async () => {
    for (const id of [0, 99999999, 'abc']) {
      const { status, body } = await create({ name: 'x', scopes: ['api'] }, admin, id);
      expect([status, body]).toEqual([404, { message: '404 User Not Found' }]);
    }
  });

  it('is for administrators', async () => {
    expect((await app.current.api.post(`/users/${user.id}/${collection}`, { name: 'x' })).status).toBe(401);
    expect((await create({ name: 'x', scopes: ['api'] }, user)).status).toBe(403);
  });
});

describe('impersonation tokens of a user', () => {
  let owner: BuiltUser;
  let path: string;
  let ids: { active: number; revoked: number; expired: number };

  beforeAll(async () => {
    owner = await app.current.build.user();
    path = `/users/${owner.id}/impersonation_tokens`;
    const made = [];
    for (const expiresAt of [null, null, inDays(-1)]) {
      const answer = await app.current
        .as(admin)
        .post(path, { name: 'x', scopes: ['api'], expires_at: expiresAt });
      made.push(answer.body.id);
    }
    const [active, revoked, expired] = made;
    ids = { active, revoked, expired };
    expect((await app.current.as(admin).delete(`${path}/${revoked}`)).status).toBe(204);
  });

  const listed = async (state: string): Promise<number[]> =>
    (await app.current.as(admin).get(`${path}?state=${state}`)).body.map((token: { id: number }) => token.id);

  it('GET /users/:user_id/impersonation_tokens lists them by state, never with a secret', async () => {
    expect(await listed('all')).toEqual([ids.active, ids.revoked, ids.expired]);
    expect(await listed('active')).toEqual([ids.active]);
    expect(await listed('inactive')).toEqual([ids.revoked, ids.expired]);
    const { body, headers } = await app.current.as(admin).get(path);
    expect(headers['x-total']).toBe('3');
    expect(body[1]).toEqual({
      id: ids.revoked,
      name: 'x',
      revoked: true,
      active: false,
      created_at: expect.any(String),
      scopes: ['api'],
      expires_at: null,
      impersonation: true,
    });
    expect((await app.current.as(admin).get(`${path}?state=odd`)).status).toBe(400);
  });

  it('GET /users/:user_id/impersonation_tokens/:impersonation_token_id shows one of this user', async () => {
    expect((await app.current.as(admin).get(`${path}/${ids.active}`)).body).toMatchObject({
      id: ids.active,
      active: true,
    });
    const { status, body } = await app.current
      .as(admin)
      .get(`/users/${user.id}/impersonation_tokens/${ids.active}`);
    expect([status, body]).toEqual([404, { message: '404 Impersonation Token Not Found' }]);
    expect((await app.current.as(admin).get(`/users/0/impersonation_tokens/${ids.active}`)).body).toEqual({
      message: '404 User Not Found',
    });
  });

  it('shows no personal token', async () => {
    const personal = await app.current
      .as(admin)
      .post(`/users/${owner.id}/personal_access_tokens`, { name: 'p', scopes: ['api'] });
    expect((await app.current.as(admin).get(`${path}/${personal.body.id}`)).status).toBe(404);
    expect(await listed('all')).not.toContain(personal.body.id);
  });

  it('DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id revokes for good', async () => {
    const { body } = await app.current.as(admin).post(path, { name: 'gone', scopes: ['api'] });
    const long = new Date(Date.now() - 86_400_000).toUTCString();
    const stale = await app.current
      .as(admin)
      .with({ 'If-Unmodified-Since': long })
      .delete(`${path}/${body.id}`);
    expect([stale.status, stale.body]).toEqual([412, { message: '412 Precondition Failed' }]);
    expect((await app.current.as(body).get('/user')).status).toBe(200);
    expect((await app.current.as(admin).delete(`${path}/${body.id}`)).status).toBe(204);
    const refused = await app.current.as(body).get('/user');
    expect([refused.status, refused.body]).toEqual([
      401,
      {
        error: 'invalid_token',
        error_description: 'Token was revoked. You have to re-authorize from the user.',
      },
    ]);
    expect((await app.current.as(admin).get(`${path}/${body.id}`)).body).toMatchObject({
      revoked: true,
      active: false,
    });
    expect((await app.current.as(admin).delete(`${path}/0`)).status).toBe(404);
  });

  it('are hidden from everybody but administrators', async () => {
    for (const url of [path, `${path}/${ids.active}`]) {
      expect((await app.current.api.get(url)).status).toBe(401);
      expect((await app.current.as(owner).get(url)).status).toBe(403);
    }
    expect((await app.current.as(owner).delete(`${path}/${ids.active}`)).status).toBe(403);
  });
});

describe('personal access tokens', () => {
  it('GET /personal_access_tokens lists the own ones, and for administrators everybody’s', async () => {
    const own = await app.current.as(user).get('/personal_access_tokens?per_page=100');
    expect(own.status).toBe(200);
    expect(new Set(own.body.map((token: { user_id: number }) => token.user_id))).toEqual(new Set([user.id]));
    expect(own.body[0]).not.toHaveProperty('token');
    expect(own.body[0]).toMatchObject({ name: 'test', scopes: ['api'], active: true, revoked: false });
    const all = await app.current.as(admin).get('/personal_access_tokens?per_page=100');
    expect(new Set(all.body.map((token: { user_id: number }) => token.user_id)).size).toBeGreaterThan(1);
    const one = await app.current.as(admin).get(`/personal_access_tokens?user_id=${user.id}&per_page=100`);
    expect(one.body).toHaveLength(own.body.length);
  });

  it('shows nobody else’s', async () => {
    expect((await app.current.as(user).get(`/personal_access_tokens?user_id=${admin.id}`)).status).toBe(403);
    expect((await app.current.api.get('/personal_access_tokens')).status).toBe(401);
  });

  it('DELETE /personal_access_tokens/:id revokes one’s own, administrators anybody’s', async () => {
    const make = async (): Promise<number> =>
      (
        await app.current
          .as(admin)
          .post(`/users/${user.id}/personal_access_tokens`, { name: 'd', scopes: ['api'] })
      ).body.id;
    const [own, other] = [await make(), await make()];
    expect((await app.current.as(user).delete(`/personal_access_tokens/${own}`)).status).toBe(204);
    const stranger = await app.current.build.user();
    const hidden = await app.current.as(stranger).delete(`/personal_access_tokens/${other}`);
    expect([hidden.status, hidden.body]).toEqual([404, { message: '404 Not found' }]);
    expect((await app.current.as(admin).delete(`/personal_access_tokens/${other}`)).status).toBe(204);
    const { rows } = await app.current.database.query(
      'SELECT 1 FROM access_tokens WHERE id = ANY($1) AND revoked_at IS NOT NULL',
      [[own, other]],
    );
    expect(rows).toHaveLength(2);
    expect((await app.current.as(user).delete('/personal_access_tokens/abc')).status).toBe(404);
  });
});

describe('tokens and sessions of the services', () => {
  it('issues a token with a secret that an operator has chosen', async () => {
    const secret = 'chosen-by-the-operator-1';
    await app.current.nest
      .get(AccessTokens)
      .issue(
        { id: user.id, isAdmin: false },
        { kind: 'personal', name: 'cli', scopes: ['api'], expiresAt: null, secret },
      );
    expect((await app.current.as({ token: secret }).get('/user')).body.id).toBe(user.id);
  });

  it('starts a session that reads by cookie, writes with its CSRF token, and ends', async () => {
    const sessions = app.current.nest.get(Sessions);
    const { cookie, csrfToken } = await sessions.start(admin);
    const browser = app.current.api.with({ Cookie: `_service_session=${cookie}` });
    expect((await browser.get('/user')).body.id).toBe(admin.id);
    expect((await browser.post(`/users/${user.id}/impersonation_tokens`, {})).status).toBe(401);
    const write = browser.with({ 'X-CSRF-Token': csrfToken });
    expect(
      (await write.post(`/users/${user.id}/impersonation_tokens`, { name: 'x', scopes: ['api'] })).status,
    ).toBe(201);
    await sessions.end(cookie);
    expect((await browser.get('/user')).status).toBe(401);
  });

  it('takes no session cookie for a token', async () => {
    const { cookie } = await app.current.nest.get(Sessions).start(user);
    expect((await app.current.as({ token: cookie }).get('/user')).status).toBe(401);
  });
});
