import { PASSWORD, person } from '../../support/person';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { PageClient } from '../../support/page-client';

const app = useApplication();
const visitor = (): PageClient => new PageClient(app.current.url);
const column = async (user: BuiltUser, name: string): Promise<unknown> => {
  const { rows } = await app.current.database.query(`SELECT ${name} AS value FROM users WHERE id = $1`, [
    user.id,
  ]);
  return rows[0]?.value;
};
const sessionsOf = async (user: BuiltUser): Promise<number> => {
  const text = `SELECT count(*)::int AS count FROM access_tokens WHERE user_id = $1 AND kind = 'session'`;
  return (await app.current.database.query(text, [user.id])).rows[0]?.count;
};

describe('the sign-in page', () => {
  it('lets in by username or e-mail, and gives a session that pages and API take', async () => {
    const user = await person(app.current);
    for (const login of [user.username, user.email.toUpperCase(), ` ${user.username} `]) {
      const browser = visitor();
      const answer = await browser.signIn(login, PASSWORD);
      expect([answer.status, answer.location]).toEqual([303, '/']);
      expect((await browser.get('/')).text).toContain(`Welcome, ${user.name}`);
      const api = app.current.api.with({
        Cookie: `_service_session=${browser.cookies.get('_service_session')}`,
      });
      expect((await api.get('/user')).body.id).toBe(user.id);
    }
  });

  it('keeps when somebody signed in, and what was before', async () => {
    const user = await person(app.current);
    await visitor().signIn(user.username, PASSWORD);
    const first = await column(user, 'current_sign_in_at');
    expect(first).toBeInstanceOf(Date);
    expect(await column(user, 'last_sign_in_at')).toEqual(first);
    await visitor().signIn(user.username, PASSWORD);
    expect(await column(user, 'last_sign_in_at')).toEqual(first);
    expect(await column(user, 'current_sign_in_at')).not.toEqual(first);
    expect(await column(user, 'last_activity_on::text')).toBe(new Date().toISOString().slice(0, 10));
  });

  it('says the same to a wrong password, an unknown login and somebody without a password', async () => {
    const user = await person(app.current);
    const none = await app.current.build.user();
    const tries = [
      [user.username, 'wrong'],
      ['nobody', PASSWORD],
      [none.username, ''],
      ['', ''],
    ] as const;
    for (const [login, password] of tries) {
      const answer = await visitor().signIn(login, password);
      expect([answer.status, answer.text.includes('Invalid login or password.')]).toEqual([401, true]);
    }
    expect(await sessionsOf(user)).toBe(0);
  });

  it('keeps the login in the form after a failure, escaped, and never the password', async () => {
    const answer = await visitor().signIn('"><script>alert(1)</script>', 'sesame-open');
    expect(answer.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(answer.text).not.toMatch(/<script>|sesame/);
  });

  it('refuses blocked and unconfirmed accounts, which only those who know the password are told', async () => {
    const blocked = await person(app.current, { state: 'blocked' });
    expect((await visitor().signIn(blocked.username, PASSWORD)).text).toContain(
      'Your account has been blocked.',
    );
    expect((await visitor().signIn(blocked.username, 'wrong')).text).toContain('Invalid login or password.');
    const unconfirmed = await person(app.current, { confirmed_at: null });
    const message = 'You have to confirm your email address before continuing.';
    expect((await visitor().signIn(unconfirmed.username, PASSWORD)).text).toContain(message);
    expect((await visitor().signIn(unconfirmed.username, 'wrong')).text).not.toContain(message);
    expect([await sessionsOf(blocked), await sessionsOf(unconfirmed)]).toEqual([0, 0]);
  });

  it('refuses the ghost', async () => {
    const ghost = await person(app.current, { kind: 'ghost' });
    expect((await visitor().signIn(ghost.username, PASSWORD)).status).toBeGreaterThanOrEqual(400);
    expect(await sessionsOf(ghost)).toBe(0);
    await app.current.database.query('DELETE FROM users WHERE id = $1', [ghost.id]);
  });

  it('makes a deactivated account active again', async () => {
    const user = await person(app.current, { state: 'deactivated' });
    expect((await visitor().signIn(user.username, PASSWORD)).status).toBe(303);
    expect(await column(user, 'state')).toBe('active');
  });

  it('leads those who are signed in on', async () => {
    const user = await person(app.current);
    const browser = visitor();
    await browser.signIn(user.username, PASSWORD);
    expect((await browser.get('/users/sign_in')).location).toBe('/');
    expect((await browser.get('/users/sign_in?return_to=%2F-%2Fapi')).location).toBe('/-/api');
  });
});

describe('after the sign-in', () => {
  it('one comes back to where one wanted to be, query included', async () => {
    const user = await person(app.current);
    const browser = visitor();
    const wanted = '/-/profile/personal_access_tokens?page=2&x=a%26b';
    const asked = await browser.get(wanted);
    expect(asked.location).toBe(`/users/sign_in?return_to=${encodeURIComponent(wanted)}`);
    const form = await browser.get(asked.location ?? '');
    const fields = { 'user[login]': user.username, 'user[password]': 'wrong' };
    const failed = await browser.submit(form, '/users/sign_in', fields);
    const answer = await browser.submit(failed, '/users/sign_in', { ...fields, 'user[password]': PASSWORD });
    expect(answer.location).toBe(wanted);
  });

  it.each([
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/.//evil.test',
    'javascript:x',
  ])('nobody is led to another site by %j', async (target) => {
    const user = await person(app.current);
    const browser = visitor();
    const form = await browser.get(`/users/sign_in?return_to=${encodeURIComponent(target)}`);
    expect(form.text).not.toContain('name="return_to"');
    const fields = { 'user[login]': user.username, 'user[password]': PASSWORD, return_to: target };
    expect((await browser.submit(form, '/users/sign_in', fields)).location).toBe('/');
    expect((await browser.get(`/users/sign_in?return_to=${encodeURIComponent(target)}`)).location).toBe('/');
  });
});

describe('a session', () => {
  it('is a new one at every sign-in, whatever cookie the browser had', async () => {
    const user = await person(app.current);
    const browser = visitor();
    browser.cookies.set('_service_session', 'a1'.repeat(20));
    await browser.signIn(user.username, PASSWORD);
    const first = browser.cookies.get('_service_session');
    expect(first).not.toBe('a1'.repeat(20));
    const form = await browser.get('/');
    const again = await browser.post('/users/sign_in', {
      authenticity_token: /csrf-token" content="(\w+)"/.exec(form.text)?.[1] ?? '',
      'user[login]': user.username,
      'user[password]': PASSWORD,
    });
    expect(again.status).toBe(303);
    expect(browser.cookies.get('_service_session')).not.toBe(first);
    expect(await sessionsOf(user)).toBe(1);
  });

  it('has a cookie that scripts and other sites do not get, and that ends with the browser unless remembered', async () => {
    const user = await person(app.current);
    const cookie = (answer: { headers: Headers }): string =>
      answer.headers.getSetCookie().find((line) => line.startsWith('_service_session=')) ?? '';
    const plain = cookie(await visitor().signIn(user.username, PASSWORD));
    expect(plain).toMatch(/^_service_session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax$/);
    const remembered = cookie(await visitor().signIn(user.username, PASSWORD, { 'user[remember_me]': '1' }));
    expect(remembered).toMatch(/; Expires=/);
  });

  it('is stored as a digest alone', async () => {
    const user = await person(app.current);
    const browser = visitor();
    await browser.signIn(user.username, PASSWORD);
    const secret = browser.cookies.get('_service_session') ?? '';
    const token = /csrf-token" content="(\w+)"/.exec((await browser.get('/')).text)?.[1] ?? '';
    const { rows } = await app.current.database.query(
      `SELECT t::text || encode(digest, 'escape') AS text FROM access_tokens t WHERE user_id = $1`,
      [user.id],
    );
    const stored = rows.map(({ text }) => text).join();
    expect([secret.length, token.length]).toEqual([40, 64]);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(token);
  });

  it('ends with the sign-out, on every node', async () => {
    const user = await person(app.current);
    const other = await app.current.startAnother();
    const browser = visitor();
    await browser.signIn(user.username, PASSWORD);
    const cookie = browser.cookies.get('_service_session') ?? '';
    const there = new PageClient(other.url);
    there.cookies.set('_service_session', cookie);
    expect((await there.get('/')).status).toBe(200);
    const answer = await browser.submit(await browser.get('/'), '/users/sign_out');
    expect(answer.location).toBe('/users/sign_in?notice=signed_out');
    expect(browser.cookies.has('_service_session')).toBe(false);
    expect((await there.get('/')).location).toBe('/users/sign_in?return_to=%2F');
    const api = other.api.with({ Cookie: `_service_session=${cookie}` });
    expect((await api.get('/user')).status).toBe(401);
    expect(await sessionsOf(user)).toBe(0);
  });

  it('does not survive that its user is blocked, nor comes back with the unblocking', async () => {
    const admin = await app.current.build.user({ admin: true });
    const user = await person(app.current);
    const browser = visitor();
    await browser.signIn(user.username, PASSWORD);
    expect((await app.current.as(admin).post(`/users/${user.id}/block`)).status).toBe(201);
    expect((await browser.get('/')).status).toBe(302);
    expect((await app.current.as(admin).post(`/users/${user.id}/unblock`)).status).toBe(201);
    expect((await browser.get('/')).status).toBe(302);
  });

  it('ends a week after its last use and lives on while it is used, for a month at most', async () => {
    const user = await person(app.current);
    const browser = visitor();
    await browser.signIn(user.username, PASSWORD);
    const set = (columns: string) =>
      app.current.database.query(
        `UPDATE access_tokens SET ${columns} WHERE user_id = $1 AND kind = 'session'`,
        [user.id],
      );
    const daysLeft = async (): Promise<number> => {
      const text = `SELECT extract(epoch FROM expires_at - now()) / 86400 AS days FROM access_tokens
        WHERE user_id = $1 AND kind = 'session'`;
      return Number((await app.current.database.query(text, [user.id])).rows[0]?.days);
    };
    await set(`expires_at = now() + interval '1 hour', last_used_at = now() - interval '6 days'`);
    await app.current.database.query(`UPDATE users SET last_activity_on = '2020-01-01' WHERE id = $1`, [
      user.id,
    ]);
    expect((await browser.get('/')).status).toBe(200);
    expect(await daysLeft()).toBeCloseTo(7, 1);
    expect(await column(user, 'last_activity_on::text')).toBe(new Date().toISOString().slice(0, 10));
    await set(`created_at = now() - interval '28 days', last_used_at = now() - interval '6 days'`);
    expect((await browser.get('/')).status).toBe(200);
    expect(await daysLeft()).toBeCloseTo(2, 1);
    await set(`expires_at = now()`);
    expect((await browser.get('/')).status).toBe(302);
  });
});
