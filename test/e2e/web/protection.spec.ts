import { useApplication } from '../../support/application';
import { PageClient } from '../../support/page-client';
import { PASSWORD, person } from '../../support/person';

const app = useApplication();
const visitor = (): PageClient => new PageClient(app.current.url);
const tokenIn = (text: string): string => /name="authenticity_token" value="(\w+)"/.exec(text)?.[1] ?? '';

/** Everything a stranger can open, and what only people who are signed in can. */
const PUBLIC = [
  '/users/sign_in',
  '/users/password/new',
  '/users/password/edit?reset_password_token=x',
  '/users/confirmation?confirmation_token=x',
  '/users/confirmation/new',
  '/users/email_change?approval_token=x',
];
const PERSONAL = ['/', '/-/profile/personal_access_tokens', '/-/profile/password/edit'];

describe('forms', () => {
  const POSTS = [
    '/users/sign_in',
    '/users/sign_out',
    '/users/password',
    '/users/password/edit',
    '/users/confirmation',
    '/users/email_change',
    '/-/profile/password/edit',
    '/-/profile/personal_access_tokens',
    '/-/profile/personal_access_tokens/1/revoke',
  ];

  it.each(POSTS)('POST %s is refused without the token of a page, signed in or not', async (path) => {
    const user = await person(app.current);
    const browser = visitor();
    await browser.get('/users/sign_in');
    for (const attempt of [{}, { authenticity_token: '' }, { authenticity_token: 'a'.repeat(64) }]) {
      expect((await browser.post(path, attempt)).status).toBe(403);
    }
    await browser.signIn(user.username, PASSWORD);
    const cookie = browser.cookies.get('_service_session');
    for (const attempt of [{}, { authenticity_token: 'a'.repeat(64) }]) {
      const answer = await browser.post(path, attempt);
      expect([answer.status, answer.text.includes('no longer good')]).toEqual([403, true]);
    }
    expect(browser.cookies.get('_service_session')).toBe(cookie);
    expect((await browser.get('/')).status).toBe(200);
  });

  it('take no token of another browser, nor of an earlier session', async () => {
    const user = await person(app.current);
    const foreign = tokenIn((await visitor().get('/users/sign_in')).text);
    const browser = visitor();
    const own = tokenIn((await browser.get('/users/sign_in')).text);
    expect(own).not.toBe(foreign);
    const fields = { 'user[login]': user.username, 'user[password]': PASSWORD };
    expect((await browser.post('/users/sign_in', { ...fields, authenticity_token: foreign })).status).toBe(
      403,
    );
    expect((await browser.post('/users/sign_in', { ...fields, authenticity_token: own })).status).toBe(303);
    expect((await browser.post('/users/sign_out', { authenticity_token: own })).status).toBe(403);
  });

  it('take the token as a header, too', async () => {
    const user = await person(app.current);
    const browser = visitor();
    await browser.signIn(user.username, PASSWORD);
    const token = tokenIn((await browser.get('/')).text);
    expect((await browser.post('/users/sign_out', {}, { 'x-csrf-token': token })).status).toBe(303);
  });

  it.each([
    ['sec-fetch-site', 'cross-site', 403],
    ['sec-fetch-site', 'same-site', 403],
    ['sec-fetch-site', 'same-origin', 401],
    ['origin', 'https://evil.test', 403],
    ['origin', 'null', 403],
    ['origin', 'http://service.test.evil.test', 403],
    ['origin', 'http://service.test', 401],
  ])('sent with %s: %s are answered %i', async (name, value, status) => {
    const browser = visitor();
    const token = tokenIn((await browser.get('/users/sign_in')).text);
    const fields = { authenticity_token: token, 'user[login]': 'a', 'user[password]': 'b' };
    expect((await browser.post('/users/sign_in', fields, { [name]: value })).status).toBe(status);
  });

  it('of a page work against the API as X-CSRF-Token, and nothing else does', async () => {
    const user = await person(app.current);
    const browser = visitor();
    await browser.signIn(user.username, PASSWORD);
    const token = /name="csrf-token" content="(\w+)"/.exec((await browser.get('/')).text)?.[1] ?? '';
    const api = app.current.api.with({
      Cookie: `_service_session=${browser.cookies.get('_service_session')}`,
    });
    expect((await api.get('/projects')).status).toBe(200);
    expect((await api.post('/projects', { name: 'x' })).status).toBe(401);
    expect((await api.with({ 'X-CSRF-Token': 'a'.repeat(64) }).post('/projects', { name: 'x' })).status).toBe(
      401,
    );
    expect((await api.with({ 'X-CSRF-Token': token }).post('/projects', { name: 'x' })).status).toBe(201);
  });

  it.each([
    'user[login][]=a&user[login][]=b',
    'user=text',
    'user[login][x]=y',
    'user[]=1',
    'user[password]=1&user[password]=2',
  ])('of unforeseen shape (%s) are failures like others', async (body) => {
    const browser = visitor();
    const token = tokenIn((await browser.get('/users/sign_in')).text);
    const answer = await browser.post('/users/sign_in', {
      authenticity_token: token,
      ...Object.fromEntries(new URLSearchParams(body)),
    });
    expect(answer.status).toBe(401);
  });
});

describe('pages', () => {
  it('for people who are signed in send strangers to the sign-in page', async () => {
    for (const path of PERSONAL) {
      const answer = await visitor().get(path);
      expect([answer.status, answer.location]).toEqual([
        302,
        `/users/sign_in?return_to=${encodeURIComponent(path)}`,
      ]);
    }
  });

  it('have no script, may not be framed, kept or sniffed, and load from here alone', async () => {
    const user = await person(app.current);
    const browser = visitor();
    const pages = await Promise.all(PUBLIC.map((path) => browser.get(path)));
    await browser.signIn(user.username, PASSWORD);
    for (const path of [...PERSONAL, '/-/profile/personal_access_tokens?page=x'])
      pages.push(await browser.get(path));
    pages.push(await browser.post('/users/sign_out', {}));
    for (const { headers, text } of pages) {
      expect(text).not.toMatch(/<script|javascript:|\son\w+=|style=/i);
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
      );
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('share one stylesheet, which browsers keep', async () => {
    const browser = visitor();
    const href =
      /rel="stylesheet" href="([^"]+)"/.exec((await browser.get('/users/sign_in')).text)?.[1] ?? '';
    const { status, headers, text } = await browser.get(href);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(headers.get('cache-control')).toContain('immutable');
    expect(text).not.toMatch(/url\(|@import/);
  });

  it('show names as text', async () => {
    const user = await person(app.current, { name: '<img src=x onerror=alert(1)>' });
    const browser = visitor();
    await browser.signIn(user.username, PASSWORD);
    expect((await browser.get('/')).text).toContain('Welcome, &lt;img src=x onerror=alert(1)&gt;');
  });

  it('tell no notice that the address makes up', async () => {
    const { text } = await visitor().get('/users/sign_in?notice=Your+account+is+hacked');
    expect(text).not.toMatch(/hacked|role="status"/);
  });
});

describe('an installation behind TLS, below a path', () => {
  const secure = useApplication({ EXTERNAL_URL: 'https://code.test/git' });

  it('has secure cookies, and addresses with the path', async () => {
    const user = await person(secure.current);
    const browser = new PageClient(secure.current.url);
    const page = await browser.get('/users/sign_in');
    expect(page.headers.getSetCookie()[0]).toMatch(
      /^_service_form=\w+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(page.text).toContain('action="/git/users/sign_in"');
    const fields = {
      authenticity_token: tokenIn(page.text),
      'user[login]': user.username,
      'user[password]': PASSWORD,
      return_to: '/-/profile/personal_access_tokens',
    };
    const answer = await browser.post('/users/sign_in', fields, { origin: 'https://code.test' });
    expect(answer.location).toBe('/git/-/profile/personal_access_tokens');
    expect(answer.headers.getSetCookie().join()).toMatch(
      /_service_session=\w+; Path=\/; HttpOnly; Secure; SameSite=Lax/,
    );
  });
});
