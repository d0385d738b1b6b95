import supertest from 'supertest';
import { PasswordLogins } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { OAuthFixture, type TestClient } from '../../support/oauth-client';

const app = useApplication();

let oauth: OAuthFixture;
let client: TestClient;
let user: BuiltUser;
beforeAll(async () => {
  oauth = new OAuthFixture(app.current);
  client = await oauth.client({ scopes: 'api read_user read_repository' });
  user = await app.current.build.user();
});

const server = () => app.current.nest.getHttpServer();
const seconds = (): number => Math.floor(Date.now() / 1000);

describe('POST /oauth/token', () => {
  it('exchanges a code for tokens, field by field', async () => {
    const before = seconds();
    const { status, body, headers } = await oauth.exchange(client, await oauth.code(client, user));
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{40}$/),
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: expect.stringMatching(/^[0-9a-f]{40}$/),
      scope: 'api',
      created_at: expect.any(Number),
    });
    expect(body.created_at).toBeGreaterThanOrEqual(before - 60);
    expect(body.created_at).toBeLessThanOrEqual(seconds() + 60);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toMatch(/^application\/json/);
    const { body: shown } = await app.current.api
      .with({ authorization: `Bearer ${body.access_token}` })
      .get('/user');
    expect(shown.id).toBe(user.id);
    expect((await app.current.api.get(`/user?access_token=${body.access_token}`)).status).toBe(200);
  });

  it('takes the client from the header, and a body of JSON', async () => {
    const code = await oauth.code(client, user);
    const { status } = await supertest(server())
      .post('/oauth/token')
      .auth(client.uid, client.secret)
      .send({ grant_type: 'authorization_code', code, redirect_uri: client.redirectUri });
    expect(status).toBe(200);
  });

  it('gives no more than was agreed to', async () => {
    const { access_token: token } = await oauth.tokens(client, user, { scope: 'read_user' });
    expect(await oauth.use(token)).toBe(200);
    const { status, body } = await app.current.api
      .with({ authorization: `Bearer ${token}` })
      .get('/projects/1');
    expect([status, body.error]).toEqual([403, 'insufficient_scope']);
  });

  it.each([
    ['nothing', {}, 'invalid_client', 401],
    ['another grant type', { grant_type: 'implicit' }, 'unsupported_grant_type', 400],
    ['no code', { grant_type: 'authorization_code' }, 'invalid_request', 400],
    ['an unknown code', { grant_type: 'authorization_code', code: 'x' }, 'invalid_grant', 401],
    ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant', 401],
    ['a code that is a list', { grant_type: 'authorization_code', 'code[]': 'x' }, 'invalid_request', 400],
    ['a hash for a grant type', { 'grant_type[a]': 'x' }, 'invalid_request', 400],
  ])('refuses %s', async (what, form, error, expected) => {
    const { status, body, headers } = await oauth.token(what === 'nothing' ? null : client, form);
    expect([status, body]).toEqual([expected, { error, error_description: expect.any(String) }]);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('refuses a parameter that comes twice, and secrets in the address', async () => {
    const twice = 'grant_type=password&username=a&username=b&password=c';
    const { body: repeated } = await supertest(server()).post('/oauth/token').type('form').send(twice);
    expect(repeated.error).toBe('invalid_request');
    const { body: inAddress } = await supertest(server())
      .post(`/oauth/token?client_secret=${client.secret}`)
      .type('form')
      .send({ grant_type: 'client_credentials', client_id: client.uid });
    expect(inAddress.error).toBe('invalid_request');
  });

  it('refuses unknown clients and wrong secrets, all in the same way', async () => {
    const code = await oauth.code(client, user);
    const wrong: TestClient[] = [
      { ...client, secret: 'wrong' },
      { ...client, secret: '' },
      { ...client, uid: 'unknown' },
      { ...client, secret: (await oauth.client()).secret },
    ];
    for (const other of wrong) {
      const { status, body, headers } = await oauth.exchange(other, code);
      expect([status, body.error]).toEqual([401, 'invalid_client']);
      expect(headers['www-authenticate']).toMatch(/^Basic /);
    }
    expect((await oauth.exchange(client, code)).status).toBe(200);
  });

  it('is open to programs in browsers, which send no cookies', async () => {
    const { headers } = await oauth.token(client, { grant_type: 'x' }).set('origin', 'https://spa.example');
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    const preflight = await supertest(server())
      .options('/oauth/token')
      .set({ origin: 'https://spa.example', 'access-control-request-headers': 'authorization' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization');
    const consent = await supertest(server()).get('/oauth/authorize').set('origin', 'https://spa.example');
    expect(consent.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('the scope sudo', () => {
  it('lets an administrator’s token act as others, once granted', async () => {
    const mighty = await oauth.client({ scopes: 'api sudo' });
    const admin = await app.current.build.user({ admin: true });
    const { body } = await oauth.exchange(
      mighty,
      await oauth.code(mighty, admin, { scope: 'api sudo' }, { isAdmin: true }),
    );
    const asAdmin = app.current.api.with({ authorization: `Bearer ${body.access_token}` });
    expect((await asAdmin.get(`/user?sudo=${user.username}`)).body.id).toBe(user.id);
    const { access_token: plain } = await oauth.tokens(mighty, admin);
    const without = app.current.api.with({ authorization: `Bearer ${plain}`, sudo: user.username });
    expect((await without.get('/user')).body).toMatchObject({ error: 'insufficient_scope', scope: 'sudo' });
  });

  it('is gone with the administrator’s rank at the next refresh', async () => {
    const mighty = await oauth.client({ scopes: 'api sudo' });
    const admin = await app.current.build.user({ admin: true });
    const code = await oauth.code(mighty, admin, { scope: 'api sudo' }, { isAdmin: true });
    const { body } = await oauth.exchange(mighty, code);
    await app.current.database.query('UPDATE users SET is_admin = false WHERE id = $1', [admin.id]);
    expect((await oauth.refresh(mighty, body.refresh_token)).body.error).toBe('invalid_grant');
  });
});

describe('other methods', () => {
  it('are not allowed', async () => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
      const { status, headers } = await supertest(server()).get(path);
      expect([status, headers['allow']]).toEqual([405, 'OPTIONS, POST']);
    }
  });
});

describe('POST /oauth/token by refresh token', () => {
  it('replaces both tokens', async () => {
    const first = await oauth.tokens(client, user, { scope: 'api read_user' });
    const { status, body: second } = await oauth.refresh(client, first.refresh_token);
    expect(status).toBe(200);
    expect(second).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'api read_user' });
    expect(await oauth.use(second.access_token)).toBe(200);
    expect(await oauth.use(first.access_token)).toBe(401);
    expect(second.refresh_token).not.toBe(first.refresh_token);
  });

  it('may ask for less, not for more, and asking for more costs nothing', async () => {
    const { refresh_token: refresh } = await oauth.tokens(client, user, { scope: 'read_user' });
    const wider = await oauth.refresh(client, refresh, { scope: 'read_user api' });
    expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
    expect((await oauth.refresh(client, refresh)).status).toBe(200);

    const { refresh_token: both } = await oauth.tokens(client, user, { scope: 'api read_user' });
    const narrow = await oauth.refresh(client, both, { scope: 'read_user' });
    expect(narrow.body.scope).toBe('read_user');
    const again = await oauth.refresh(client, narrow.body.refresh_token);
    expect(again.body.scope).toBe('api read_user');
  });

  it('gives no scopes that the client has lost meanwhile', async () => {
    const other = await oauth.client({ scopes: 'api read_user' });
    const { refresh_token: refresh } = await oauth.tokens(other, user);
    await app.current.database.query(`UPDATE oauth_applications SET scopes = '{read_user}' WHERE id = $1`, [
      other.id,
    ]);
    expect((await oauth.refresh(other, refresh)).body.error).toBe('invalid_grant');
  });

  it('refuses an expired one', async () => {
    const { refresh_token: refresh } = await oauth.tokens(client, user);
    await app.current.database.query(`UPDATE oauth_refresh_tokens SET expires_at = now()`);
    expect((await oauth.refresh(client, refresh)).body.error).toBe('invalid_grant');
  });
});

describe('POST /oauth/token for an application itself', () => {
  it('gives a token that acts for nobody', async () => {
    const { status, body } = await oauth.token(client, { grant_type: 'client_credentials' });
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_in: 7200,
        scope: 'api',
        created_at: expect.any(Number),
      },
    ]);
    expect(await oauth.use(body.access_token)).toBe(401);
    const info = await oauth.info(body.access_token);
    expect(info.body).toMatchObject({ resource_owner_id: null, application: { uid: client.uid } });
  });

  it('is not for those who cannot keep a secret, nor for sudo', async () => {
    const open = await oauth.client({ confidential: false });
    const refused = await oauth.token(open, { grant_type: 'client_credentials' });
    expect([refused.status, refused.body.error]).toEqual([400, 'unauthorized_client']);
    const mighty = await oauth.client({ scopes: 'api sudo' });
    const sudo = await oauth.token(mighty, { grant_type: 'client_credentials', scope: 'sudo' });
    expect(sudo.body.error).toBe('invalid_scope');
  });
});

describe('POST /oauth/token by password', () => {
  const PASSWORD = 'Zwölf 🐎 + & % pferde';
  let rider: { id: number; username: string };
  beforeAll(async () => {
    const admin = await app.current.build.user({ admin: true });
    const params = {
      username: 'rider',
      email: 'rider@example.com',
      name: 'Rider',
      password: PASSWORD,
      skip_confirmation: true,
    };
    rider = (await app.current.as(admin).post('/users', params)).body;
  });
  const byPassword = (more: object = {}, from: TestClient | null = null) =>
    oauth.token(from, { grant_type: 'password', username: 'rider', password: PASSWORD, ...more });

  it('gives tokens without any client, as the reference does, and refreshes them', async () => {
    const { status, body } = await byPassword();
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'api' });
    expect(await oauth.use(body.access_token)).toBe(200);
    expect((await oauth.info(body.access_token)).body).toMatchObject({
      resource_owner_id: rider.id,
      application: { uid: null },
    });
    const { body: next } = await oauth.refresh(null, body.refresh_token);
    expect(await oauth.use(next.access_token)).toBe(200);
  });

  it('works by e-mail, for a client and with scopes', async () => {
    const more = { username: 'Rider@example.com', scope: 'read_user' };
    const { body } = await byPassword(more, client);
    expect(body.scope).toBe('read_user');
    expect((await oauth.refresh(null, body.refresh_token)).body.error).toBe('invalid_grant');
    const { body: beyond } = await byPassword({ scope: 'write_repository' }, client);
    expect(beyond.error).toBe('invalid_scope');
    expect((await byPassword({ scope: 'sudo' })).body.error).toBe('invalid_scope');
  });

  it.each([
    ['a wrong password', { password: 'wrong horse' }],
    ['nobody', { username: 'nobody' }],
    ['a token for a password', { password: 'a'.repeat(40) }],
  ])('refuses %s with 401', async (_what, more) => {
    const { status, body } = await byPassword(more);
    expect([status, body.error]).toEqual([401, 'invalid_grant']);
  });

  it('refuses missing credentials', async () => {
    expect((await byPassword({ password: '' })).body.error).toBe('invalid_request');
    expect((await byPassword({ username: '' })).body.error).toBe('invalid_request');
  });

  it.each([
    ['with a second factor', 'two_factor_enabled = true', 'two_factor_enabled = false'],
    ['who are blocked', `state = 'blocked'`, `state = 'active'`],
    ['who must change it', 'password_expires_at = now()', 'password_expires_at = NULL'],
  ])('refuses those %s', async (_who, change, back) => {
    const set = (what: string) =>
      app.current.database.query(`UPDATE users SET ${what} WHERE id = $1`, [rider.id]);
    await set(change);
    const { status, body } = await byPassword();
    expect([status, body.error]).toEqual([401, 'invalid_grant']);
    await set(back);
    expect((await byPassword()).status).toBe(200);
  });

  it('asks where everybody signs in, so that guesses are counted', async () => {
    const asked = jest.spyOn(app.current.nest.get(PasswordLogins), 'withPassword');
    await byPassword({ password: 'wrong horse' });
    expect(asked).toHaveBeenCalledWith('rider', 'wrong horse', expect.any(String));
    asked.mockRestore();
  });

  it('keeps the tokens when the password changes', async () => {
    const { body } = await byPassword();
    await app.current.database.query(`UPDATE users SET password_digest = NULL WHERE id = $1`, [rider.id]);
    expect(await oauth.use(body.access_token)).toBe(200);
    expect((await oauth.refresh(null, body.refresh_token)).status).toBe(200);
  });
});
