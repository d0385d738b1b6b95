import supertest from 'supertest';
import { OAuthCleanup } from '../../../src/identity/oauth/oauth-cleanup.job';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { OAuthFixture, type TestClient } from '../../support/oauth-client';

const app = useApplication();

let oauth: OAuthFixture;
let client: TestClient;
let user: BuiltUser;
let tokens: { access_token: string; refresh_token: string };
beforeAll(async () => {
  oauth = new OAuthFixture(app.current);
  client = await oauth.client();
  user = await app.current.build.user();
});
beforeEach(async () => {
  tokens = await oauth.tokens(client, user, { scope: 'api read_user' });
});

const own = () => ({ client_id: client.uid, client_secret: client.secret });
const server = () => app.current.nest.getHttpServer();

describe('GET /oauth/token/info', () => {
  it('tells of the token that it is asked with, under old and new names', async () => {
    const { status, body } = await oauth.info(tokens.access_token);
    expect([status, body]).toEqual([
      200,
      {
        resource_owner_id: user.id,
        scope: ['api', 'read_user'],
        expires_in: expect.any(Number),
        application: { uid: client.uid },
        created_at: expect.any(Number),
        scopes: ['api', 'read_user'],
        expires_in_seconds: body.expires_in,
      },
    ]);
    expect(body.expires_in).toBeGreaterThan(7100);
    expect(body.expires_in).toBeLessThanOrEqual(7200);
  });

  it('takes the token as a parameter too', async () => {
    const { status } = await supertest(server()).get(`/oauth/token/info?access_token=${tokens.access_token}`);
    expect(status).toBe(200);
  });

  it('refuses no token, an unknown, a revoked and an expired one', async () => {
    await oauth.send('/oauth/revoke', { ...own(), token: tokens.access_token });
    const { access_token: expired } = await oauth.tokens(client, user);
    await app.current.database.query(`UPDATE access_tokens SET expires_at = now() WHERE kind = 'oauth'`);
    for (const token of ['unknown', tokens.access_token, expired, user.token]) {
      const { status, body, headers } = await oauth.info(token);
      expect([status, body.error]).toEqual([401, 'invalid_token']);
      expect(headers['www-authenticate']).toMatch(/^Bearer .*invalid_token/);
    }
    const { status, body } = await supertest(server()).get('/oauth/token/info');
    expect([status, body.error]).toEqual([401, 'invalid_token']);
    const twice = await supertest(server())
      .get('/oauth/token/info?access_token=x')
      .set('authorization', 'Bearer x');
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request']);
  });

  it('an expired token is told to be expired by the API', async () => {
    await app.current.database.query(`UPDATE access_tokens SET expires_at = now() WHERE kind = 'oauth'`);
    const { status, body } = await app.current.api
      .with({ authorization: `Bearer ${tokens.access_token}` })
      .get('/user');
    expect([status, body.error]).toEqual([401, 'invalid_token']);
    expect(body.error_description).toMatch(/expired/);
  });
});

describe('POST /oauth/revoke', () => {
  it.each(['access_token', 'refresh_token'] as const)('ends the grant by its %s', async (name) => {
    const { status, body } = await oauth.send('/oauth/revoke', { ...own(), token: tokens[name] });
    expect([status, body]).toEqual([200, {}]);
    expect(await oauth.use(tokens.access_token)).toBe(401);
    expect((await oauth.refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('says the same, and does nothing, for whoever may not', async () => {
    const other = await oauth.client();
    const attempts: Record<string, string>[] = [
      { client_id: other.uid, client_secret: other.secret },
      { client_id: client.uid, client_secret: 'wrong' },
      { client_id: client.uid },
      {},
    ];
    for (const credentials of attempts) {
      const { status, body } = await oauth.send('/oauth/revoke', {
        ...credentials,
        token: tokens.access_token,
      });
      expect([status, body]).toEqual([200, {}]);
    }
    expect(await oauth.use(tokens.access_token)).toBe(200);
  });

  it('says the same of tokens that are none, and leaves personal tokens alone', async () => {
    for (const token of ['', 'unknown', user.token]) {
      const { status, body } = await oauth.send('/oauth/revoke', { ...own(), token });
      expect([status, body]).toEqual([200, {}]);
    }
    expect((await app.current.as(user).get('/user')).status).toBe(200);
  });

  it('needs no secret of a client that has none to keep', async () => {
    const open = await oauth.client({ confidential: false });
    const challenge = { code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' };
    const { body } = await oauth.exchange(open, await oauth.code(open, user, challenge), {
      code_verifier: 'v'.repeat(43),
    });
    await oauth.send('/oauth/revoke', { client_id: open.uid, token: body.access_token });
    expect(await oauth.use(body.access_token)).toBe(401);
  });
});

describe('POST /oauth/introspect', () => {
  const ask = (form: Record<string, string>) => oauth.send('/oauth/introspect', form);

  it('tells a client of its own tokens', async () => {
    const { status, body } = await ask({ ...own(), token: tokens.access_token });
    expect([status, body]).toEqual([
      200,
      {
        active: true,
        scope: 'api read_user',
        client_id: client.uid,
        token_type: 'Bearer',
        exp: expect.any(Number),
        iat: expect.any(Number),
      },
    ]);
    // The two are read from different clocks.
    expect(Math.abs(body.exp - body.iat - 7200)).toBeLessThan(60);
    const byToken = await ask({ token: tokens.access_token }).set(
      'authorization',
      `Bearer ${tokens.access_token}`,
    );
    expect(byToken.body.active).toBe(true);
  });

  it('tells nothing of others', async () => {
    const other = await oauth.client();
    const asOther = { client_id: other.uid, client_secret: other.secret };
    for (const token of [tokens.access_token, tokens.refresh_token, user.token, 'unknown']) {
      expect((await ask({ ...asOther, token })).body).toEqual({ active: false });
    }
    await oauth.send('/oauth/revoke', { ...own(), token: tokens.access_token });
    expect((await ask({ ...own(), token: tokens.access_token })).body).toEqual({ active: false });
  });

  it('answers nobody who does not prove who they are', async () => {
    const open = await oauth.client({ confidential: false });
    for (const credentials of [{}, { client_id: open.uid }, { ...own(), client_secret: 'wrong' }]) {
      const { status, body } = await ask({ ...credentials, token: tokens.access_token });
      expect([status, body.error]).toEqual([401, 'invalid_client']);
    }
    expect((await ask(own())).body.error).toBe('invalid_request');
  });
});

describe('cleaning up', () => {
  const counts = async (): Promise<Record<string, number>> => {
    const { rows } = await app.current.database.query(`
      SELECT (SELECT count(*)::int FROM oauth_codes) AS codes,
        (SELECT count(*)::int FROM oauth_refresh_tokens) AS refresh,
        (SELECT count(*)::int FROM access_tokens WHERE kind = 'oauth') AS access,
        (SELECT count(*)::int FROM oauth_grants) AS grants`);
    return rows[0];
  };

  it('removes what has ended and nothing else', async () => {
    await app.current.database.query('DELETE FROM oauth_grants');
    const { access_token: live } = await oauth.tokens(client, user);
    await oauth.tokens(client, user);
    const ended = `(SELECT max(id) FROM oauth_grants)`;
    await app.current.database.query(`
      UPDATE oauth_codes SET expires_at = now() - interval '2 days' WHERE grant_id = ${ended};
      UPDATE oauth_refresh_tokens SET expires_at = now() - interval '2 days' WHERE grant_id = ${ended};
      UPDATE access_tokens SET expires_at = now() - interval '2 days' WHERE grant_id = ${ended};
      UPDATE oauth_grants SET ends_at = now() - interval '2 days' WHERE id = ${ended}`);
    expect(await counts()).toEqual({ codes: 2, refresh: 2, access: 2, grants: 2 });
    await app.current.nest.get(OAuthCleanup).run({}, { signal: new AbortController().signal });
    expect(await counts()).toEqual({ codes: 1, refresh: 1, access: 1, grants: 1 });
    expect(await oauth.use(live)).toBe(200);
    expect((await app.current.as(user).get('/user')).status).toBe(200);
  });

  it('is a job of every hour', () => {
    expect(app.current.nest.get(OAuthCleanup).queue.options.everyMinutes).toBe(60);
  });
});
