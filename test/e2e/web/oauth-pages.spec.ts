import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { OAuthFixture, s256, VERIFIER, type TestClient } from '../../support/oauth-client';
import { PageClient, type Page } from '../../support/page-client';
import { PASSWORD, person } from '../../support/person';

const app = useApplication();

let oauth: OAuthFixture;
let client: TestClient;
let user: BuiltUser;
let browser: PageClient;
beforeAll(async () => {
  oauth = new OAuthFixture(app.current);
  client = await oauth.client();
});
beforeEach(async () => {
  user = await person(app.current);
  browser = await signedIn(user);
});

async function signedIn(who: BuiltUser): Promise<PageClient> {
  const page = new PageClient(app.current.url);
  await page.signIn(who.username, PASSWORD);
  return page;
}

const addressOf = (query: Record<string, string>): string =>
  `/oauth/authorize?${new URLSearchParams(query).toString()}`;
const asked = (more: Record<string, string> = {}): string =>
  addressOf({ ...oauth.query(client), scope: 'read_user', state: 'of the client', ...more });
const grants = async (): Promise<number> => {
  const text = 'SELECT count(*)::int AS count FROM oauth_grants WHERE user_id = $1';
  return (await app.current.database.query(text, [user.id])).rows[0]?.count;
};

describe('GET /oauth/authorize', () => {
  it('sends people to sign in first, and lets them come back', async () => {
    const stranger = new PageClient(app.current.url);
    const { status, location } = await stranger.get(asked());
    expect([status, location]).toEqual([302, `/users/sign_in?return_to=${encodeURIComponent(asked())}`]);
  });

  it('asks for consent: who wants what, and where it leads', async () => {
    const page = await browser.get(asked());
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/<h1>Let Client [0-9a-f]+ act for you\?<\/h1>/);
    expect(page.text).toContain('<code>read_user</code>');
    expect(page.text).not.toContain('<code>api</code>');
    expect(page.text).toContain('client.example</strong>');
    expect(page.text).toContain(user.username);
  });

  it('cannot be framed, cached or scripted', async () => {
    const { headers } = await browser.get(asked());
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('content-security-policy')).not.toContain('script-src');
  });

  it.each([
    ['client_id', 'unknown'],
    ['client_id', ''],
    ['redirect_uri', 'https://evil.example/'],
    ['redirect_uri', ''],
    ['redirect_uri', '/'],
  ])('shows what is wrong, and sends nobody anywhere, with the %s "%s"', async (name, value) => {
    const page = await browser.get(asked({ [name]: value }));
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.text).toContain('The application is not set up properly');
  });

  it('sends people back with other errors', async () => {
    const page = await browser.get(asked({ response_type: 'token' }));
    expect(page.status).toBe(302);
    expect(page.location).toMatch(/^https:\/\/client\.example\/callback\?error=unsupported_response_type&/);
    expect(page.location).toMatch(/&state=of\+the\+client$/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
  });

  it('shows hostile names and states as text', async () => {
    const admin = await app.current.build.user({ admin: true });
    const { body } = await app.current.as(admin).post('/applications', {
      name: '"><script>alert(1)</script>',
      redirect_uri: 'https://client.example/callback',
      scopes: 'api',
    });
    const page = await browser.get(
      addressOf({ ...oauth.query(client), client_id: body.application_id, state: '"><img src=x>' }),
    );
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/<script>|<img/);
    expect(page.text).toContain('value="&quot;&gt;&lt;img src=x&gt;"');
  });

  it('comes after a new password, where that is due', async () => {
    await app.current.database.query('UPDATE users SET password_expires_at = now() WHERE id = $1', [user.id]);
    expect((await browser.get(asked())).location).toBe('/-/profile/password/edit');
  });

  it('does not serve a person who is blocked meanwhile', async () => {
    await app.current.database.query(`UPDATE users SET state = 'blocked' WHERE id = $1`, [user.id]);
    expect((await browser.get(asked())).location).toMatch(/^\/users\/sign_in/);
  });
});

describe('POST /oauth/authorize', () => {
  const agree = async (page?: Page): Promise<Page> =>
    browser.submit(page ?? (await browser.get(asked())), '/oauth/authorize');

  it('sends people back with a code and the state, and asks no second time', async () => {
    const done = await agree();
    expect(done.status).toBe(303);
    const location = new URL(done.location ?? '');
    expect(`${location.origin}${location.pathname}`).toBe(client.redirectUri);
    expect(location.searchParams.get('state')).toBe('of the client');
    const { body } = await oauth.exchange(client, location.searchParams.get('code') ?? '');
    expect(body.scope).toBe('read_user');
    const again = await browser.get(asked());
    expect([again.status, again.location?.includes('code=')]).toEqual([302, true]);
    expect((await browser.get(asked({ scope: 'read_user api' }))).status).toBe(200);
  });

  it('or without one, when they say no', async () => {
    const page = await browser.get(asked());
    const { status, location } = await browser.submit(page, '/oauth/authorize', { _method: 'delete' });
    expect(status).toBe(303);
    expect(location).toMatch(
      /^https:\/\/client\.example\/callback\?error=access_denied&.*state=of\+the\+client$/,
    );
    expect(await grants()).toBe(0);
  });

  it('carries a challenge along', async () => {
    const page = await browser.get(asked({ code_challenge: s256(VERIFIER), code_challenge_method: 'S256' }));
    const { location } = await agree(page);
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    expect((await oauth.exchange(client, code)).body.error).toBe('invalid_grant');
  });

  it('is for forms of ours alone: no token, a token of another session, another site', async () => {
    const fields = { ...oauth.query(client), scope: 'read_user' };
    expect((await browser.post('/oauth/authorize', fields)).status).toBe(403);
    const other = await signedIn(await person(app.current));
    const foreign =
      /name="authenticity_token" value="([^"]*)"/.exec((await other.get(asked())).text)?.[1] ?? '';
    expect(foreign).not.toBe('');
    expect((await browser.post('/oauth/authorize', { ...fields, authenticity_token: foreign })).status).toBe(
      403,
    );
    const own =
      /name="authenticity_token" value="([^"]*)"/.exec((await browser.get(asked())).text)?.[1] ?? '';
    const crossSite = { ...fields, authenticity_token: own };
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://client.example' }]) {
      expect((await browser.post('/oauth/authorize', crossSite, headers)).status).toBe(403);
    }
    expect(await grants()).toBe(0);
    expect((await browser.post('/oauth/authorize', crossSite)).status).toBe(303);
  });

  it('checks anew what the form says', async () => {
    const page = await browser.get(asked());
    const elsewhere = await browser.submit(page, '/oauth/authorize', {
      redirect_uri: 'https://evil.example/',
    });
    expect([elsewhere.status, elsewhere.location]).toEqual([400, null]);
    const more = await browser.submit(page, '/oauth/authorize', { scope: 'sudo' });
    expect(more.location).toContain('error=invalid_scope');
    expect(await grants()).toBe(0);
  });
});

describe('the applications page', () => {
  const PATH = '/-/profile/applications';
  const described = (more: Record<string, string | string[]> = {}) => ({
    'application[name]': 'My reports',
    'application[redirect_uri]': 'https://reports.example/back',
    'application[confidential]': '1',
    'application[scopes][]': ['read_user', 'api'],
    ...more,
  });
  const textOf = (page: Page, id: string): string =>
    new RegExp(`id="${id}">([^<]*)<`).exec(page.text)?.[1] ?? '';
  const register = async (more: Record<string, string | string[]> = {}): Promise<Page> =>
    browser.submit(await browser.get(PATH), PATH, described(more));
  const idOf = async (page: Page): Promise<number> => {
    const text = 'SELECT id FROM oauth_applications WHERE uid = $1';
    return (await app.current.database.query(text, [textOf(page, 'client_id')])).rows[0]?.id;
  };

  it('registers an application, and shows its secret once', async () => {
    const page = await register();
    expect(page.status).toBe(200);
    const secret = textOf(page, 'client_secret');
    expect(secret).toMatch(/^[0-9a-f]{40}$/);
    const listed = await browser.get(PATH);
    expect(listed.text).toContain('My reports');
    expect(listed.text).toContain(textOf(page, 'client_id'));
    expect(listed.text).not.toContain(secret);
    const own = {
      id: 0,
      uid: textOf(page, 'client_id'),
      secret,
      redirectUri: 'https://reports.example/back',
    };
    expect((await oauth.exchange(own, await oauth.code(own, user))).status).toBe(200);
    expect((await browser.get(`${PATH}/${await idOf(page)}/edit`)).text).not.toContain(secret);
  });

  it('never makes one that is trusted', async () => {
    const page = await register({ 'application[trusted]': '1', 'application[owner_id]': '1' });
    const { rows } = await app.current.database.query(
      'SELECT trusted, owner_id::int FROM oauth_applications WHERE id = $1',
      [await idOf(page)],
    );
    expect(rows).toEqual([{ trusted: false, owner_id: user.id }]);
  });

  it.each([
    [{ 'application[name]': '' }, 'The name can&#39;t be blank.'],
    [{ 'application[redirect_uri]': 'http://reports.example' }, 'A redirect URI must use https'],
    [{ 'application[redirect_uri]': 'javascript:alert(1)' }, 'A redirect URI has a scheme'],
    [{ 'application[scopes][]': [] }, 'The scopes can&#39;t be blank.'],
    [{ 'application[scopes][]': ['everything'] }, 'The scopes can only contain available scopes.'],
  ])('says what is wrong with %j, and keeps the rest of the form', async (more, sentence) => {
    const page = await register(more);
    expect(page.status).toBe(422);
    expect(page.text).toContain(sentence);
    if (!('application[name]' in more)) expect(page.text).toContain('value="My reports"');
  });

  it('has an end', async () => {
    await app.current.database.query(
      `INSERT INTO oauth_applications (uid, secret_digest, name, redirect_uris, scopes, owner_id)
       SELECT md5(n::text || $1::text), '', 'many', '{https://a.example}', '{api}', $1::bigint
       FROM generate_series(1, 100) n`,
      [user.id],
    );
    expect((await register()).text).toContain('You cannot register more than 100 applications.');
  });

  it('changes an application', async () => {
    const id = await idOf(await register());
    const page = await browser.get(`${PATH}/${id}/edit`);
    expect(page.text).toContain('https://reports.example/back</textarea>');
    const wrong = await browser.submit(page, `${PATH}/${id}`, described({ 'application[name]': '' }));
    expect(wrong.status).toBe(422);
    const changes = described({ 'application[name]': 'Renamed', 'application[scopes][]': ['read_user'] });
    const done = await browser.submit(page, `${PATH}/${id}`, changes);
    expect([done.status, done.location]).toEqual([303, `${PATH}?notice=application_changed`]);
    expect((await browser.get(done.location ?? '')).text).toMatch(/The application is changed\.[^]*Renamed/);
  });

  it('makes a new secret, after which the old one does not work', async () => {
    const page = await register();
    const id = await idOf(page);
    const renewed = await browser.submit(await browser.get(`${PATH}/${id}/edit`), `${PATH}/${id}/secret`);
    const uid = textOf(page, 'client_id');
    const ask = (secret: string) =>
      oauth.token({ id, uid, secret, redirectUri: '' }, { grant_type: 'client_credentials' });
    expect((await ask(textOf(page, 'client_secret'))).status).toBe(401);
    expect((await ask(textOf(renewed, 'client_secret'))).status).toBe(200);
  });

  it('deletes an application', async () => {
    const id = await idOf(await register());
    const done = await browser.submit(await browser.get(`${PATH}/${id}/edit`), `${PATH}/${id}/delete`);
    expect(done.location).toBe(`${PATH}?notice=application_deleted`);
    expect((await browser.get(`${PATH}/${id}/edit`)).status).toBe(404);
  });

  it('shows nobody the applications of others, nor lets them touch one', async () => {
    const id = await idOf(await register());
    const other = await signedIn(await person(app.current));
    expect((await other.get(`${PATH}/${id}/edit`)).status).toBe(404);
    const token = /name="authenticity_token" value="([^"]*)"/.exec((await other.get(PATH)).text)?.[1] ?? '';
    for (const path of [
      `${PATH}/${id}`,
      `${PATH}/${id}/secret`,
      `${PATH}/${id}/delete`,
      `${PATH}/${id}/revoke`,
    ]) {
      expect((await other.post(path, { ...described(), authenticity_token: token })).status).toBe(404);
    }
    for (const bad of ['0', 'x', '1e3', '9'.repeat(30)]) {
      expect((await other.get(`${PATH}/${bad}/edit`)).status).toBe(404);
    }
    expect((await browser.get(`${PATH}/${id}/edit`)).status).toBe(200);
  });

  it('shows what may act for the person, and takes it back', async () => {
    const { access_token: token } = await oauth.tokens(client, user);
    const page = await browser.get(PATH);
    expect(page.text).toMatch(/<h2 id="authorized">[^]*Client [0-9a-f]{6}[^]*<h2 id="own">/);
    const done = await browser.submit(page, `${PATH}/${client.id}/revoke`);
    expect(done.location).toBe(`${PATH}?notice=application_revoked`);
    expect(await oauth.use(token)).toBe(401);
    expect((await browser.get(PATH)).text).not.toContain(`${PATH}/${client.id}/revoke`);
  });

  it('is for those who are signed in', async () => {
    const stranger = new PageClient(app.current.url);
    for (const path of [PATH, `${PATH}/1/edit`]) {
      expect((await stranger.get(path)).location).toMatch(/^\/users\/sign_in/);
    }
    expect((await stranger.post(PATH, described())).status).toBe(403);
  });
});
