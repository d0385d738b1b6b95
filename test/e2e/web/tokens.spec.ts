import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { PageClient, type Page } from '../../support/page-client';
import { PASSWORD, person } from '../../support/person';

const app = useApplication();
const PATH = '/-/profile/personal_access_tokens';
const SECRET = /id="created_token">([0-9a-f]{40})</;

const signedIn = async (user: BuiltUser): Promise<PageClient> => {
  const browser = new PageClient(app.current.url);
  await browser.signIn(user.username, PASSWORD);
  return browser;
};
const create = async (
  browser: PageClient,
  name: string,
  scopes: readonly string[],
  expiresAt = '',
): Promise<Page> =>
  browser.submit(await browser.get(PATH), PATH, {
    'personal_access_token[name]': name,
    'personal_access_token[expires_at]': expiresAt,
    'personal_access_token[scopes][]': scopes,
  });

describe('the page of personal access tokens', () => {
  let user: BuiltUser;
  let browser: PageClient;
  beforeEach(async () => {
    user = await person(app.current);
    browser = await signedIn(user);
  });

  it('makes a token that is shown once and works as the scopes say', async () => {
    const made = await create(browser, 'for the tests', ['read_user'], '2999-12-31');
    const token = SECRET.exec(made.text)?.[1] ?? '';
    expect((await app.current.as({ token }).get('/user')).body.id).toBe(user.id);
    expect((await app.current.as({ token }).post('/projects', { name: 'x' })).status).toBe(403);
    const list = await browser.get(PATH);
    expect(list.text).not.toContain(token);
    expect(list.text).toMatch(/for the tests<\/th>\s*<td>read_user<\/td>[\s\S]*<td>2999-12-31<\/td>/);
  });

  it('revokes a token', async () => {
    const token = SECRET.exec((await create(browser, 'mine', ['api'])).text)?.[1] ?? '';
    const list = await browser.get(PATH);
    const id =
      /personal_access_tokens\/(\d+)\/revoke"[^]*?aria-label="Revoke mine"/.exec(list.text)?.[1] ?? '';
    const all = [...list.text.matchAll(/personal_access_tokens\/(\d+)\/revoke/g)].map(([, each]) => each);
    expect(all).toHaveLength(2);
    const newest = String(Math.max(...all.map(Number)));
    expect(id).not.toBe('');
    const answer = await browser.submit(list, `${PATH}/${newest}/revoke`);
    expect(answer.location).toBe(`${PATH}?notice=token_revoked`);
    expect((await app.current.as({ token }).get('/user')).status).toBe(401);
    expect((await browser.get(PATH)).text).not.toContain('Revoke mine');
  });

  it("revokes nobody else's, not even for an administrator", async () => {
    const admin = await person(app.current, {}, { admin: true });
    const office = await signedIn(admin);
    const token = /csrf-token" content="(\w+)"/.exec((await office.get(PATH)).text)?.[1] ?? '';
    const { rows } = await app.current.database.query(
      `SELECT id FROM access_tokens WHERE user_id = $1 AND kind = 'personal'`,
      [user.id],
    );
    for (const id of [rows[0].id, '0', 'x', '1e3']) {
      const answer = await office.post(`${PATH}/${id}/revoke`, { authenticity_token: token });
      expect([answer.status, answer.text.includes('Nothing is here')]).toEqual([404, true]);
    }
    expect((await app.current.as(user).get('/user')).status).toBe(200);
  });

  it.each([
    ['', ['api'], '', 'The name can&#39;t be blank.'],
    ['x'.repeat(256), ['api'], '', 'The name is too long (maximum is 255 characters).'],
    ['x', [], '', 'The scopes can&#39;t be blank.'],
    ['x', ['sudo'], '', 'The scopes can only contain available scopes.'],
    ['x', ['everything'], '', 'The scopes can only contain available scopes.'],
    ['x', ['api'], 'soon', 'Enter the expiry as a date.'],
    ['x', ['api'], '2999-02-30', 'Enter the expiry as a date.'],
    ['x', ['api'], '2020-01-01', 'The expiry must lie in the future.'],
    ['x', ['api'], new Date().toISOString().slice(0, 10), 'The expiry must lie in the future.'],
  ])('refuses %j with %j until %j', async (name, scopes, expiresAt, message) => {
    const answer = await create(browser, name, scopes, expiresAt);
    expect([answer.status, answer.text.includes(message)]).toEqual([422, true]);
    expect(answer.text).toContain(`value="${name}"`);
    expect(answer.text).not.toMatch(SECRET);
  });

  it('offers sudo to administrators alone', async () => {
    expect((await browser.get(PATH)).text).not.toContain('value="sudo"');
    const office = await signedIn(await person(app.current, {}, { admin: true }));
    expect((await office.get(PATH)).text).toContain('value="sudo"');
    expect((await create(office, 'mighty', ['api', 'sudo'])).text).toMatch(SECRET);
  });

  it('shows names as text', async () => {
    const answer = await create(browser, '"><b>bold</b>', ['api']);
    expect(answer.text).toContain('aria-label="Revoke &quot;&gt;&lt;b&gt;bold&lt;/b&gt;"');
  });

  it('leads on to further tokens where there are many', async () => {
    await app.current.database.query(
      `INSERT INTO access_tokens (kind, user_id, name, digest, scopes)
       SELECT 'personal', $1::bigint, 'token ' || n, sha256(('many' || $1::bigint || n)::bytea), '{api}' FROM generate_series(1, 60) n`,
      [user.id],
    );
    const first = await browser.get(PATH);
    expect(first.text).toContain(`href="${PATH}?page=2"`);
    const second = await browser.get(`${PATH}?page=2`);
    expect(second.text).toContain('token 60<');
    expect(second.text).not.toContain('Further tokens');
    expect((await browser.get(`${PATH}?page=-1`)).status).toBe(200);
  });
});
