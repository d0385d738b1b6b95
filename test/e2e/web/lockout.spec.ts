import { PasswordLogins, Passwords } from '../../../src/identity/identity.api';
import { useApplication, type TestApplication } from '../../support/application';
import { PageClient } from '../../support/page-client';
import { PASSWORD, person } from '../../support/person';

const app = useApplication();
const LOCKED = 'There were too many failed attempts. Try again in ten minutes.';

describe('guessing', () => {
  let other: TestApplication;
  beforeAll(async () => {
    other = await app.current.startAnother();
  });

  const attempt = async (node: TestApplication, login: string, password: string) => {
    const { status, text } = await new PageClient(node.url).signIn(login, password);
    return { status, isLocked: text.includes(LOCKED) };
  };
  const failTenTimes = async (login: string): Promise<void> => {
    for (let i = 0; i < 10; i += 1) {
      const answer = await attempt(i % 2 === 0 ? app.current : other, login, `wrong ${i}`);
      expect(answer).toEqual({ status: 401, isLocked: false });
    }
  };

  it('locks an account after ten failures on whichever nodes, for all of them and for git', async () => {
    const user = await person(app.current);
    await failTenTimes(user.username);
    for (const node of [app.current, other]) {
      expect(await attempt(node, user.email, PASSWORD)).toEqual({ status: 401, isLocked: true });
      expect(
        await node.nest.get(PasswordLogins).withPassword(user.username, PASSWORD, '192.0.2.1'),
      ).toBeNull();
    }
  });

  it('tells nobody whether there is an account: an unknown login is locked alike', async () => {
    await failTenTimes('nobody-at-all');
    for (const node of [app.current, other])
      expect(await attempt(node, 'Nobody-At-All', 'x')).toEqual({ status: 401, isLocked: true });
  });

  it('is possible again after ten minutes, and the failures begin anew', async () => {
    const user = await person(app.current);
    await failTenTimes(user.username);
    await app.current.database.query(
      `UPDATE sign_in_failures SET forgotten_at = forgotten_at - interval '10 minutes' WHERE account = $1`,
      [`user ${user.id}`],
    );
    expect((await attempt(other, user.username, 'wrong')).isLocked).toBe(false);
    expect((await attempt(app.current, user.username, PASSWORD)).status).toBe(303);
    expect((await attempt(other, user.username, 'wrong')).isLocked).toBe(false);
  });

  it('locks for ten minutes from the tenth failure on', async () => {
    const user = await person(app.current);
    for (let i = 0; i < 9; i += 1) await attempt(app.current, user.username, `wrong ${i}`);
    const account = `user ${user.id}`;
    await app.current.database.query(
      `UPDATE sign_in_failures SET forgotten_at = now() + interval '5 seconds' WHERE account = $1`,
      [account],
    );
    await attempt(other, user.username, 'wrong');
    const { rows } = await app.current.database.query(
      `SELECT extract(epoch FROM forgotten_at - now()) AS seconds FROM sign_in_failures WHERE account = $1`,
      [account],
    );
    expect(Number(rows[0].seconds)).toBeGreaterThan(500);
  });

  it('gets hardly further by many guesses at once on several nodes', async () => {
    const user = await person(app.current);
    const nodes = [app.current, other];
    const comparisons = nodes.map(({ nest }) => jest.spyOn(nest.get(Passwords), 'verify'));
    const guess = async (node: TestApplication, i: number): Promise<unknown> =>
      node.nest.get(PasswordLogins).withPassword(user.username, `wrong ${i}`, '127.0.0.1');
    await Promise.all(nodes.flatMap((node) => Array.from({ length: 30 }, (_, i) => guess(node, i))));
    const made = comparisons.map((spy) => spy.mock.calls.length);
    comparisons.forEach((spy) => spy.mockRestore());
    // Ten, and on each of two nodes the two that were under way at the same time.
    expect(Math.min(...made)).toBeGreaterThan(0);
    expect(made.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(14);
    expect((await attempt(other, user.username, PASSWORD)).isLocked).toBe(true);
  });

  it('shuts an address out after ten failures, whatever the logins, and no other address', async () => {
    const user = await person(app.current);
    const from = async (address: string, login: string) => {
      const browser = new PageClient(app.current.url);
      const page = await browser.get('/users/sign_in');
      const token = /name="authenticity_token" value="(\w+)"/.exec(page.text)?.[1] ?? '';
      const fields = { authenticity_token: token, 'user[login]': login, 'user[password]': PASSWORD };
      return browser.post('/users/sign_in', fields, { 'x-forwarded-for': address });
    };
    for (let i = 0; i < 10; i += 1) expect((await from('192.0.2.99', `guess-${i}`)).status).toBe(401);
    expect((await from('192.0.2.99', user.username)).text).toContain(LOCKED);
    expect((await from('192.0.2.98', user.username)).status).toBe(303);
  });

  it('is over when an administrator unblocks the account', async () => {
    const admin = await app.current.build.user({ admin: true });
    const user = await person(app.current);
    await failTenTimes(user.username);
    await app.current.as(admin).post(`/users/${user.id}/block`);
    expect((await app.current.as(admin).post(`/users/${user.id}/unblock`)).status).toBe(201);
    expect((await attempt(other, user.username, PASSWORD)).status).toBe(303);
  });
});
