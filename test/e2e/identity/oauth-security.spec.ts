import type { LoggerService } from '@nestjs/common';
import { Authorizations } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { OAuthFixture, s256, VERIFIER, type TestClient } from '../../support/oauth-client';

const app = useApplication();

let oauth: OAuthFixture;
let client: TestClient;
let open: TestClient;
let user: BuiltUser;
beforeAll(async () => {
  oauth = new OAuthFixture(app.current);
  client = await oauth.client();
  open = await oauth.client({ confidential: false, redirectUri: 'com.example.app:/back' });
  user = await app.current.build.user();
});

const CHALLENGE = { code_challenge: s256(VERIFIER), code_challenge_method: 'S256' };
const begin = (query: Record<string, unknown>, person = { id: user.id, isAdmin: false }) =>
  app.current.nest.get(Authorizations).begin(person, query);
const exchangeOpen = (code: string, more: Record<string, string> = {}) =>
  oauth.send('/oauth/token', {
    client_id: open.uid,
    grant_type: 'authorization_code',
    code,
    redirect_uri: open.redirectUri,
    ...more,
  });

describe('a code', () => {
  it('works once, and coming again ends what it has brought', async () => {
    const code = await oauth.code(client, user);
    const { body: tokens } = await oauth.exchange(client, code);
    const again = await oauth.exchange(client, code);
    expect([again.status, again.body.error]).toEqual([401, 'invalid_grant']);
    expect(await oauth.use(tokens.access_token)).toBe(401);
    expect((await oauth.refresh(client, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('works once however many come at the same time, and on all nodes', async () => {
    const other = new OAuthFixture(await app.current.startAnother());
    const code = await oauth.code(client, user);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? oauth : other).exchange(client, code)),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(11);
    // The others came second: whoever it was, the code had leaked.
    expect(await oauth.use(won[0]?.body.access_token)).toBe(401);
  });

  it('is used up by a wrong verifier', async () => {
    const code = await oauth.code(client, user, CHALLENGE);
    const wrong = await oauth.exchange(client, code, { code_verifier: 'w'.repeat(43) });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_grant']);
    expect((await oauth.exchange(client, code, { code_verifier: VERIFIER })).body.error).toBe(
      'invalid_grant',
    );
  });

  it.each([
    ['S256', s256(VERIFIER)],
    ['plain', VERIFIER],
  ])('with a challenge by %s needs its verifier', async (method, challenge) => {
    const asked = { code_challenge: challenge, code_challenge_method: method };
    const without = await oauth.exchange(client, await oauth.code(client, user, asked));
    expect(without.body.error).toBe('invalid_grant');
    const right = await oauth.exchange(client, await oauth.code(client, user, asked), {
      code_verifier: VERIFIER,
    });
    expect(right.status).toBe(200);
  });

  it('without a challenge takes no verifier, so that a code cannot be slipped in', async () => {
    const code = await oauth.code(client, user);
    expect((await oauth.exchange(client, code, { code_verifier: VERIFIER })).body.error).toBe(
      'invalid_grant',
    );
  });

  it('is for the client that it was given to, and another cannot spoil it', async () => {
    const code = await oauth.code(client, user);
    const other = { ...(await oauth.client()), redirectUri: client.redirectUri };
    expect((await oauth.exchange(other, code)).body.error).toBe('invalid_grant');
    expect((await oauth.exchange(client, code)).status).toBe(200);
  });

  it.each(['https://client.example/callback/', 'https://client.example/callbacK', ''])(
    'does not work with the redirect URI "%s"',
    async (redirectUri) => {
      const code = await oauth.code(client, user);
      const { body } = await oauth.exchange(client, code, { redirect_uri: redirectUri });
      expect(body.error).toBe('invalid_grant');
    },
  );

  it('ends after ten minutes', async () => {
    const code = await oauth.code(client, user);
    const { rows } = await app.current.database.query(
      `SELECT extract(epoch FROM max(expires_at) - now())::int AS left FROM oauth_codes`,
    );
    expect(rows[0].left).toBeGreaterThan(500);
    expect(rows[0].left).toBeLessThanOrEqual(600);
    await app.current.database.query(`UPDATE oauth_codes SET expires_at = now()`);
    expect((await oauth.exchange(client, code)).body.error).toBe('invalid_grant');
  });

  it('is no token, and neither is a refresh token', async () => {
    expect(await oauth.use(await oauth.code(client, user))).toBe(401);
    const { refresh_token: refresh } = await oauth.tokens(client, user);
    expect(await oauth.use(refresh)).toBe(401);
    expect((await oauth.info(refresh)).status).toBe(401);
  });
});

describe('a client that cannot keep a secret', () => {
  it('needs a challenge, and then its verifier alone', async () => {
    const verdict = await begin(oauth.query(open));
    expect(verdict).toMatchObject({
      kind: 'redirected',
      location: expect.stringContaining('com.example.app:/back?error=invalid_request'),
    });
    const code = await oauth.code(open, user, CHALLENGE);
    expect((await exchangeOpen(code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  it('cannot do without the verifier', async () => {
    const code = await oauth.code(open, user, CHALLENGE);
    expect((await exchangeOpen(code)).body.error).toBe('invalid_grant');
  });

  it('does not pass for another: its consent is asked for each time', async () => {
    await exchangeOpen(await oauth.code(open, user, CHALLENGE), { code_verifier: VERIFIER });
    expect((await begin({ ...oauth.query(open), ...CHALLENGE })).kind).toBe('asked');
  });

  it('that shows a secret must show the right one', async () => {
    const code = await oauth.code(open, user, CHALLENGE);
    const { body } = await exchangeOpen(code, { code_verifier: VERIFIER, client_secret: 'wrong' });
    expect(body.error).toBe('invalid_client');
  });
});

describe('a client that can', () => {
  it('does not get by with a verifier instead', async () => {
    const code = await oauth.code(client, user, CHALLENGE);
    const { body } = await oauth.send('/oauth/token', {
      client_id: client.uid,
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
      code_verifier: VERIFIER,
    });
    expect(body.error).toBe('invalid_client');
  });
});

describe('a refresh token', () => {
  it('works once, and coming again ends the whole family', async () => {
    const first = await oauth.tokens(client, user);
    const { body: second } = await oauth.refresh(client, first.refresh_token);
    const again = await oauth.refresh(client, first.refresh_token);
    expect([again.status, again.body.error]).toEqual([401, 'invalid_grant']);
    expect(await oauth.use(second.access_token)).toBe(401);
    expect((await oauth.refresh(client, second.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('works once however many come at the same time', async () => {
    const { refresh_token: refresh } = await oauth.tokens(client, user);
    const answers = await Promise.all(Array.from({ length: 8 }, () => oauth.refresh(client, refresh)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
  });

  it('is for the client that it was given to', async () => {
    const { refresh_token: refresh } = await oauth.tokens(client, user);
    expect((await oauth.refresh(await oauth.client(), refresh)).body.error).toBe('invalid_grant');
    expect((await oauth.refresh(null, refresh)).body.error).toBe('invalid_grant');
    expect((await oauth.refresh({ ...client, secret: 'wrong' }, refresh)).body.error).toBe('invalid_client');
    expect((await oauth.refresh(client, refresh)).status).toBe(200);
  });
});

describe('a person who is blocked', () => {
  it('has no use of tokens, codes and refresh tokens any more', async () => {
    const person = await app.current.build.user();
    const { access_token: access, refresh_token: refresh } = await oauth.tokens(client, person);
    const code = await oauth.code(client, person);
    await app.current.database.query(`UPDATE users SET state = 'blocked' WHERE id = $1`, [person.id]);
    const { status, body } = await app.current.api.with({ authorization: `Bearer ${access}` }).get('/user');
    expect([status, body.message]).toEqual([403, '403 Forbidden - Your account has been blocked.']);
    expect((await oauth.refresh(client, refresh)).body.error).toBe('invalid_grant');
    expect((await oauth.exchange(client, code)).body.error).toBe('invalid_grant');
    expect((await oauth.info(access)).status).toBe(401);
  });
});

describe('the scope sudo', () => {
  it('is for administrators alone', async () => {
    const mighty = await oauth.client({ scopes: 'api sudo' });
    const query = { ...oauth.query(mighty), scope: 'api sudo' };
    expect(await begin(query)).toMatchObject({ location: expect.stringContaining('error=invalid_scope') });
    const admin = await app.current.build.user({ admin: true });
    expect((await begin(query, { id: admin.id, isAdmin: true })).kind).toBe('asked');
  });
});

describe('who is sent back where', () => {
  const MISUSED = [
    'https://client.example/callback/',
    'https://client.example/callback?x=1',
    'https://client.example/callback#x',
    'https://client.example/Callback',
    'https://CLIENT.example/callback',
    'https://client.example/callback/../evil',
    'https://client.example.evil.example/callback',
    'https://client.example@evil.example/callback',
    'https://client.example:443/callback',
    'http://client.example/callback',
    'https://client.example/callback%2e',
    '//client.example/callback',
    '/users/sign_in',
    '',
  ];

  it.each(MISUSED)('nobody is sent to "%s"', async (redirectUri) => {
    const verdict = await begin({ ...oauth.query(client), redirect_uri: redirectUri });
    expect(verdict.kind).toBe('refused');
  });

  it('nor anywhere without a redirect URI, with several, or by an unknown client', async () => {
    const { redirect_uri: redirectUri, ...without } = oauth.query(client);
    expect((await begin(without)).kind).toBe('refused');
    expect((await begin({ ...without, redirect_uri: [redirectUri, 'https://evil.example'] })).kind).toBe(
      'refused',
    );
    expect((await begin({ ...oauth.query(client), client_id: 'unknown' })).kind).toBe('refused');
    expect((await begin({ ...oauth.query(client), client_id: { a: client.uid } })).kind).toBe('refused');
  });

  it.each([
    [{ response_type: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: ['code'] }, 'invalid_request'],
    [{ scope: 'api everything' }, 'invalid_scope'],
    [{ scope: 'write_repository' }, 'invalid_scope'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ ...CHALLENGE, code_challenge_method: 'none' }, 'invalid_request'],
  ])('the application is told of %j', async (more, error) => {
    const verdict = await begin({ ...oauth.query(client), state: 'a b&c', ...more });
    if (verdict.kind !== 'redirected') throw new Error('not sent back');
    const location = new URL(verdict.location);
    expect(`${location.origin}${location.pathname}`).toBe(client.redirectUri);
    expect(location.searchParams.get('error')).toBe(error);
    expect(location.searchParams.get('state')).toBe('a b&c');
    expect(location.searchParams.get('code')).toBeNull();
  });

  it('parameters of its own address stay', async () => {
    const other = await oauth.client({ redirectUri: 'https://client.example/cb?tenant=%41' });
    const verdict = await begin({ ...oauth.query(other), response_type: 'x' });
    expect(verdict).toMatchObject({
      location: expect.stringMatching(/^https:\/\/client\.example\/cb\?tenant=%41&error=/),
    });
  });
});

describe('consent', () => {
  it('is not asked for twice, unless for more', async () => {
    const person = await app.current.build.user();
    const other = await oauth.client();
    const query = { ...oauth.query(other), scope: 'read_user', state: 's' };
    expect((await begin(query, { id: person.id, isAdmin: false })).kind).toBe('asked');
    await oauth.tokens(other, person, { scope: 'read_user' });
    expect(await begin(query, { id: person.id, isAdmin: false })).toMatchObject({
      kind: 'redirected',
      location: expect.stringMatching(/^https:\/\/client\.example\/callback\?code=[0-9a-f]{40}&state=s$/),
    });
    expect((await begin({ ...query, scope: 'read_user api' }, { id: person.id, isAdmin: false })).kind).toBe(
      'asked',
    );
  });

  it('ends with its revocation', async () => {
    const person = await app.current.build.user();
    const { access_token: access, refresh_token: refresh } = await oauth.tokens(client, person);
    const authorizations = app.current.nest.get(Authorizations);
    expect(await authorizations.ofUser(person.id)).toMatchObject([{ id: client.id, scopes: ['api'] }]);
    await authorizations.revoke(person.id, client.id);
    expect(await oauth.use(access)).toBe(401);
    expect((await oauth.refresh(client, refresh)).body.error).toBe('invalid_grant');
    expect(await authorizations.ofUser(person.id)).toEqual([]);
    expect((await begin(oauth.query(client), { id: person.id, isAdmin: false })).kind).toBe('asked');
    await expect(authorizations.revoke(person.id, client.id)).rejects.toMatchObject({
      detail: { kind: 'not_found' },
    });
  });

  it('is not asked for by trusted applications', async () => {
    const trusted = await oauth.client({ trusted: true });
    expect(await begin(oauth.query(trusted))).toMatchObject({
      kind: 'redirected',
      location: expect.stringContaining('code='),
    });
  });

  it('can be refused', async () => {
    const verdict = await app.current.nest
      .get(Authorizations)
      .deny({ id: user.id, isAdmin: false }, { ...oauth.query(client), state: 's' });
    expect(verdict).toMatchObject({ location: expect.stringMatching(/error=access_denied.*state=s$/) });
  });
});

describe('secrets', () => {
  it('are kept as digests, and stand in no log line', async () => {
    const lines: string[] = [];
    const record = (...parts: unknown[]): void => void lines.push(JSON.stringify(parts));
    const logger: LoggerService = {
      log: record,
      error: record,
      warn: record,
      debug: record,
      verbose: record,
    };
    app.current.nest.useLogger(logger);
    const code = await oauth.code(client, user, CHALLENGE);
    const { body } = await oauth.exchange(client, code, { code_verifier: VERIFIER });
    await oauth.exchange(client, code, { code_verifier: VERIFIER });
    await oauth.refresh(client, body.refresh_token);
    app.current.nest.useLogger(false);
    const tables = [
      'oauth_applications',
      'oauth_grants',
      'oauth_codes',
      'oauth_refresh_tokens',
      'access_tokens',
    ];
    const kept = lines;
    for (const table of tables) {
      const { rows } = await app.current.database.query(`SELECT to_jsonb(t)::text AS row FROM ${table} t`);
      expect(rows.length).toBeGreaterThan(0);
      kept.push(...rows.map(({ row }) => String(row)));
    }
    expect(kept.length).toBeGreaterThan(10);
    const secrets: string[] = [client.secret, code, VERIFIER, body.access_token, body.refresh_token];
    expect(secrets.filter((secret) => kept.some((line) => line.includes(secret)))).toEqual([]);
  });
});
