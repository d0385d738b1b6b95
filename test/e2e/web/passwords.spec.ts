import { MailRequests, PasswordResets, Sessions, Users } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';
import { Mailbox } from '../../support/mailbox';
import { PageClient, type Page } from '../../support/page-client';
import { PASSWORD, person } from '../../support/person';

const app = useApplication();
const FRESH = 'another fine password';
const EDIT = '/-/profile/password/edit';

const visitor = (): PageClient => new PageClient(app.current.url);
const signedIn = async (user: BuiltUser, password = PASSWORD): Promise<PageClient> => {
  const browser = visitor();
  await browser.signIn(user.username, password);
  return browser;
};
const fields = (current: string, password: string, confirmation = password) => ({
  'user[current_password]': current,
  'user[password]': password,
  'user[password_confirmation]': confirmation,
});
const change = async (browser: PageClient, ...given: Parameters<typeof fields>): Promise<Page> =>
  browser.submit(await browser.get(EDIT), EDIT, fields(...given));
const apiOf = (browser: PageClient) =>
  app.current.api.with({ Cookie: `_service_session=${browser.cookies.get('_service_session')}` });

describe('changing the password', () => {
  it('takes the current one, ends all other sessions and goes on in a new one', async () => {
    const user = await person(app.current);
    const [browser, elsewhere] = [await signedIn(user), await signedIn(user)];
    const before = browser.cookies.get('_service_session');
    const answer = await change(browser, PASSWORD, FRESH);
    expect([answer.status, answer.location]).toEqual([303, '/?notice=password_changed']);
    expect(browser.cookies.get('_service_session')).not.toBe(before);
    expect((await browser.get('/?notice=password_changed')).text).toContain('Your password is changed.');
    expect((await elsewhere.get('/')).status).toBe(302);
    expect((await visitor().signIn(user.username, PASSWORD)).status).toBe(401);
    expect((await visitor().signIn(user.username, FRESH)).status).toBe(303);
    expect((await app.current.as(user).get('/user')).status).toBe(200);
    await new Mailbox(app.current).find(user.email, /^Subject: (Password changed)$/m);
  });

  it.each([
    ['wrong', FRESH, FRESH, 'The current password is wrong.'],
    [PASSWORD, FRESH, 'other than that', 'The repeated password doesn&#39;t match the password.'],
    [PASSWORD, 'seven 7', 'seven 7', 'The new password is too short (minimum is 8 characters).'],
    [PASSWORD, 'x'.repeat(129), 'x'.repeat(129), 'The new password is too long (maximum is 128 characters).'],
    [PASSWORD, PASSWORD, PASSWORD, 'The new password must differ from the current one.'],
  ])('refuses %j → %j (%j)', async (current, password, confirmation, message) => {
    const user = await person(app.current);
    const browser = await signedIn(user);
    const answer = await change(browser, current, password, confirmation);
    expect([answer.status, answer.text.includes(message)]).toEqual([422, true]);
    expect(answer.text).not.toContain(password === PASSWORD ? PASSWORD : `value="${password}"`);
    expect((await visitor().signIn(user.username, PASSWORD)).status).toBe(303);
  });

  it('is no way to guess it: the account is locked after ten failures', async () => {
    const user = await person(app.current);
    const browser = await signedIn(user);
    for (let i = 0; i < 10; i += 1) await change(browser, `wrong ${i}`, FRESH);
    expect((await change(browser, PASSWORD, FRESH)).text).toContain('there were too many failures');
    expect((await visitor().signIn(user.username, PASSWORD)).status).toBe(401);
  });
});

describe('a password that an administrator has set', () => {
  it('lets in to the page where it is changed, and to nothing else', async () => {
    const admin = await app.current.build.user({ admin: true });
    const user = await person(app.current);
    const set = await app.current.as(admin).put(`/users/${user.id}`, { password: 'set by an admin' });
    expect(set.status).toBe(200);
    const browser = await signedIn(user, 'set by an admin');
    for (const path of ['/', '/-/profile/personal_access_tokens'])
      expect((await browser.get(path)).location).toBe(EDIT);
    expect((await browser.get(EDIT)).text).toContain('Your password has expired.');
    const refused = await apiOf(browser).get('/user');
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        message:
          '403 Forbidden - Your password expired. Please access the service from a web browser to update your password.',
      },
    ]);
    const token = /csrf-token" content="(\w+)"/.exec((await browser.get(EDIT)).text)?.[1] ?? '';
    const create = { authenticity_token: token, 'personal_access_token[name]': 'x' };
    expect((await browser.post('/-/profile/personal_access_tokens', create)).location).toBe(EDIT);

    expect((await change(browser, 'set by an admin', FRESH)).status).toBe(303);
    expect((await browser.get('/')).status).toBe(200);
    expect((await apiOf(browser).get('/user')).body.id).toBe(user.id);
  });

  it('may be left by signing out', async () => {
    const browser = await signedIn(await person(app.current, { password_expires_at: new Date() }));
    const answer = await browser.submit(await browser.get(EDIT), '/users/sign_out');
    expect(answer.location).toBe('/users/sign_in?notice=signed_out');
  });
});

describe('a forgotten password', () => {
  const LINK = /(\/users\/password\/edit\?reset_password_token=\w+)/;
  const ask = async (email: string): Promise<Page> => {
    const browser = visitor();
    return browser.submit(await browser.get('/users/password/new'), '/users/password', {
      'user[email]': email,
    });
  };
  const redeem = async (link: string, password: string, confirmation = password): Promise<Page> => {
    const browser = visitor();
    const wanted = { 'user[password]': password, 'user[password_confirmation]': confirmation };
    return browser.submit(await browser.get(link), '/users/password/edit', wanted);
  };

  it('is replaced by a link that comes by mail and works once', async () => {
    const user = await person(app.current);
    const browser = await signedIn(user);
    expect((await ask(user.email.toUpperCase())).location).toBe('/users/sign_in?notice=reset_sent');
    const link = await new Mailbox(app.current).find(user.email, LINK);
    expect((await redeem(link, FRESH, 'different')).status).toBe(422);
    expect((await redeem(link, 'short')).text).toContain('too short');
    expect((await redeem(link, FRESH)).location).toBe('/users/sign_in?notice=password_reset');
    expect((await browser.get('/')).status).toBe(302);
    expect((await visitor().signIn(user.username, FRESH)).status).toBe(303);
    expect((await visitor().get(link)).text).toContain('This link no longer works');
    expect((await visitor().signIn(user.username, PASSWORD)).status).toBe(401);
  });

  it('answers the same for an address that nobody has, and sends nothing', async () => {
    const known = await person(app.current);
    const [one, other] = [await ask(known.email), await ask('nobody@example.com')];
    expect([other.status, other.location]).toEqual([one.status, one.location]);
    const mailbox = new Mailbox(app.current);
    await mailbox.find(known.email, LINK);
    expect(await mailbox.of('nobody@example.com')).toEqual([]);
  });

  it('is not for blocked accounts, and not more than once a minute', async () => {
    const blocked = await person(app.current, { state: 'blocked' });
    const impatient = await person(app.current);
    await ask(blocked.email);
    await ask(impatient.email);
    const mailbox = new Mailbox(app.current);
    await mailbox.find(impatient.email, LINK);
    await ask(impatient.email);
    // A later mail of somebody else shows that the earlier requests are done with.
    const last = await person(app.current);
    await ask(last.email);
    await mailbox.find(last.email, LINK);
    expect(await mailbox.of(blocked.email)).toEqual([]);
    expect(await mailbox.of(impatient.email)).toHaveLength(1);
  });

  it('has no link that is older than six hours, or of an earlier mail', async () => {
    const user = await person(app.current);
    const { nest, database } = app.current;
    const entity = await nest.get(Users).get(String(user.id));
    const mailbox = new Mailbox(app.current);
    await nest.get(PasswordResets).send(entity);
    const first = await mailbox.find(user.email, LINK);
    await nest.get(PasswordResets).send(entity);
    await mailbox.find(user.email, new RegExp(`(reset_password_token=(?!${first.split('=')[1]})\\w+)`));
    expect((await visitor().get(first)).status).toBe(422);
    const second = (await mailbox.of(user.email))
      .map((text) => LINK.exec(text)?.[1])
      .find((link) => link !== first);
    expect((await visitor().get(second ?? '')).status).toBe(200);
    const age = `UPDATE users SET reset_password_sent_at = now() - interval '6 hours' WHERE id = $1`;
    await database.query(age, [user.id]);
    expect((await visitor().get(second ?? '')).status).toBe(422);
  });

  it('is changed by one of two who use a link at the same moment', async () => {
    const user = await person(app.current);
    await ask(user.email);
    const link = await new Mailbox(app.current).find(user.email, LINK);
    const browsers = [visitor(), visitor()];
    const pages = await Promise.all(browsers.map((browser) => browser.get(link)));
    const answers = await Promise.all(
      browsers.map((browser, i) => {
        const wanted = {
          'user[password]': `password ${i}!`,
          'user[password_confirmation]': `password ${i}!`,
        };
        const page = pages[i];
        if (!page) throw new Error('there are as many pages');
        return browser.submit(page, '/users/password/edit', wanted);
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
  });

  it('keeps the token out of the database', async () => {
    const user = await person(app.current);
    await ask(user.email);
    const link = await new Mailbox(app.current).find(user.email, LINK);
    const token = link.split('=')[1] ?? '';
    const { rows } = await app.current.database.query(
      `SELECT u::text || (SELECT coalesce(string_agg(m::text, ''), '') FROM mails m) ||
        (SELECT string_agg(data::text, '') FROM pgboss.job) AS text FROM users u WHERE id = $1`,
      [user.id],
    );
    expect(token).toHaveLength(40);
    expect(rows[0].text).not.toContain(token);
  });

  it('is no way to send mail without end', async () => {
    const from = async (address: string, email: string): Promise<number> => {
      const browser = visitor();
      const page = await browser.get('/users/password/new');
      const token = /name="authenticity_token" value="(\w+)"/.exec(page.text)?.[1] ?? '';
      const wanted = { authenticity_token: token, 'user[email]': email };
      return (await browser.post('/users/password', wanted, { 'x-forwarded-for': address })).status;
    };
    for (let i = 0; i < 10; i += 1) expect(await from('192.0.2.50', `nobody-${i}@example.com`)).toBe(303);
    expect(await from('192.0.2.50', 'nobody@example.com')).toBe(503);
    expect(await from('192.0.2.51', 'nobody@example.com')).toBe(303);
  });

  it('asks for an address', async () => {
    for (const email of ['', 'nobody', 'a@b@c', 'a b@c']) {
      const answer = await ask(email);
      expect([answer.status, answer.text.includes('Enter an email address.')]).toEqual([422, true]);
    }
  });
});

describe('a password that a directory keeps', () => {
  const provider = { url: 'ldap://127.0.0.1:9', encryption: 'none', base: 'dc=example', uid: 'uid' };
  const linked = useApplication({
    LDAP_CONFIG: JSON.stringify({ ldapmain: provider }),
    LDAP_SYNC_MINUTES: '10080',
  });

  it('is neither changed nor recovered here', async () => {
    const { database, nest, url } = linked.current;
    const [member, local] = [await person(linked.current), await person(linked.current)];
    await database.query(
      `INSERT INTO identities (user_id, provider, extern_uid) VALUES ($1, 'ldapmain', 'uid=a,dc=example')`,
      [member.id],
    );
    const browser = new PageClient(url);
    browser.cookies.set('_service_session', (await nest.get(Sessions).start(member)).cookie);
    const page = await browser.get(EDIT);
    expect(page.text).toContain('Your password is kept in your organisation');
    const token = /csrf-token" content="(\w+)"/.exec(page.text)?.[1] ?? '';
    const answer = await browser.post(EDIT, { authenticity_token: token, ...fields(PASSWORD, FRESH) });
    expect(answer.text).toContain('Your password is kept in your organisation');

    const requests = nest.get(MailRequests);
    for (const { email } of [member, local]) await requests.request('password', email, '127.0.0.1');
    const mailbox = new Mailbox(linked.current);
    await mailbox.find(local.email, /(reset_password_token=)/);
    expect(await mailbox.of(member.email)).toEqual([]);
  });
});
