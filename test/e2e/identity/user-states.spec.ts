import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();

let admin: BuiltUser;
let user: BuiltUser;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
});
beforeEach(async () => {
  user = await app.current.build.user();
});

type Step = 'block' | 'unblock' | 'activate' | 'deactivate';
const step = (name: Step, id: number | string = user.id, by = admin) =>
  app.current.as(by).post(`/users/${id}/${name}`);
const set = (columns: string) =>
  app.current.database.query(`UPDATE users SET ${columns} WHERE id = $1`, [user.id]);
const state = async (): Promise<string> => {
  const { rows } = await app.current.database.query('SELECT state FROM users WHERE id = $1', [user.id]);
  return rows[0].state;
};
const DONE = { status: 201, text: 'true' };

describe('POST /users/:id/block', () => {
  it("blocks: the user's tokens and sessions are refused from the next request on", async () => {
    const session = await app.current.build.token(user, [], { kind: 'session' });
    expect(await step('block')).toMatchObject(DONE);
    const refused = await app.current.as(user).get('/user');
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: '403 Forbidden - Your account has been blocked.' },
    ]);
    const visit = await app.current.api.with({ cookie: `_service_session=${session}` }).get('/user');
    expect(visit.status).toBe(401);
    expect((await app.current.as(admin).get(`/users/${user.id}`)).body.state).toBe('blocked');
  });

  it('works again without effect', async () => {
    await step('block').expect(201);
    expect(await step('block')).toMatchObject(DONE);
    expect(await state()).toBe('blocked');
  });

  it('leaves alone whom the directory has blocked, and oneself', async () => {
    await set(`state = 'ldap_blocked'`);
    const { status, body } = await step('block');
    expect([status, body]).toEqual([
      403,
      { message: '403 Forbidden - LDAP blocked users cannot be modified by the API' },
    ]);
    expect((await step('block', admin.id)).status).toBe(403);
    expect((await app.current.as(admin).get('/user')).status).toBe(200);
  });
});

describe('administrators who block each other', () => {
  it('leave one who can act, whatever the moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [
        await app.current.build.user({ admin: true }),
        await app.current.build.user({ admin: true }),
      ];
      await app.current.database.query('UPDATE users SET is_admin = id IN ($1, $2)', [one.id, two.id]);
      const answers = await Promise.all([step('block', one.id, two), step('block', two.id, one)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 403]);
    }
    await app.current.database.query('UPDATE users SET is_admin = id = $1', [admin.id]);
  });
});

describe('POST /users/:id/unblock', () => {
  it('lets the user in again, and forgets failed sign-ins', async () => {
    await step('block').expect(201);
    expect(await step('unblock')).toMatchObject(DONE);
    expect((await app.current.as(user).get('/user')).status).toBe(200);
    expect(await step('unblock')).toMatchObject(DONE);
  });

  it.each([
    ['ldap_blocked', 'LDAP blocked users cannot be unblocked by the API'],
    ['deactivated', 'Deactivated users cannot be unblocked by the API'],
  ])('refuses for %s users', async (present, reason) => {
    await set(`state = '${present}'`);
    const { status, body } = await step('unblock');
    expect([status, body]).toEqual([403, { message: `403 Forbidden - ${reason}` }]);
    expect(await state()).toBe(present);
  });
});

describe('POST /users/:id/deactivate', () => {
  it.each([
    ['who has never been here', 'last_activity_on = NULL'],
    ['who has been away for half a year', `last_activity_on = current_date - 181`],
  ])('puts somebody to sleep %s, whose tokens are refused', async (_, columns) => {
    await set(columns);
    expect(await step('deactivate')).toMatchObject(DONE);
    const refused = await app.current.as(user).get('/user');
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('Your account has been deactivated by your administrator'),
    ]);
    expect(await step('deactivate')).toMatchObject(DONE);
    const git = await fetch(`${app.current.url}/${user.username}/x.git/info/refs?service=git-upload-pack`, {
      headers: { authorization: `Basic ${btoa(`${user.username}:${user.token}`)}` },
    });
    expect(git.status).toBe(401);
  });

  it.each([
    ['last_activity_on = current_date - 100', 'has been active in the past 180 days'],
    [`current_sign_in_at = now() - interval '3 days'`, 'has been active in the past 180 days'],
    [`state = 'blocked'`, 'A blocked user cannot be deactivated by the API'],
    [`state = 'ldap_blocked'`, 'A blocked user cannot be deactivated by the API'],
  ])('refuses with %s', async (columns, reason) => {
    await set(columns);
    const { status, body } = await step('deactivate');
    expect([status, body.message]).toEqual([403, expect.stringContaining(reason)]);
  });
});

describe('POST /users/:id/activate', () => {
  it('wakes a deactivated user up', async () => {
    await step('deactivate').expect(201);
    expect(await step('activate')).toMatchObject(DONE);
    expect((await app.current.as(user).get('/user')).status).toBe(200);
    expect(await step('activate')).toMatchObject(DONE);
  });

  it('does not let blocked users in', async () => {
    await step('block').expect(201);
    const { status, body } = await step('activate');
    expect([status, body]).toEqual([
      403,
      { message: '403 Forbidden - A blocked user must be unblocked to be activated' },
    ]);
  });
});

describe('the four of them', () => {
  it.each<Step>(['block', 'unblock', 'activate', 'deactivate'])('%s is for administrators', async (name) => {
    expect((await app.current.api.post(`/users/${user.id}/${name}`)).status).toBe(401);
    expect((await step(name, admin.id, user)).status).toBe(403);
    const nobody = await step(name, 2_000_000_000);
    expect([nobody.status, nobody.body]).toEqual([404, { message: '404 User Not Found' }]);
  });

  it('are not for the ghost', async () => {
    await app.current.database.query(
      `INSERT INTO users (username, name, email, kind) VALUES ('ghost', 'Ghost User', 'ghost@localhost', 'ghost')`,
    );
    const [ghost] = (await app.current.api.get('/users?username=ghost')).body;
    for (const name of ['block', 'unblock', 'activate', 'deactivate'] as const)
      expect((await step(name, ghost.id)).status).toBe(403);
    expect((await app.current.as(admin).delete(`/users/${ghost.id}`)).status).toBe(403);
    expect((await app.current.as(admin).put(`/users/${ghost.id}`, { name: 'x' })).status).toBe(403);
    const token = await app.current.build.token({ id: ghost.id }, ['api']);
    expect((await app.current.as({ token }).get('/user')).status).toBe(403);
  });
});

describe('GET /user/activities', () => {
  const activities = async (query = '') => app.current.as(admin).get(`/user/activities${query}`);

  it('notes the day on which a token was used, once', async () => {
    await app.current.as(user).get('/user').expect(200);
    const today = new Date().toISOString().slice(0, 10);
    const find = async () => {
      const { body } = await activities('?per_page=100');
      return body.find((activity: { username: string }) => activity.username === user.username);
    };
    // The note is written beside the answer, so it may come a moment later.
    for (let look = 0; look < 50 && !(await find()); look += 1) await app.current.as(user).get('/version');
    expect(await find()).toEqual({
      username: user.username,
      last_activity_on: today,
      last_activity_at: today,
    });
  });

  it('does not take a refused request for activity', async () => {
    await step('block').expect(201);
    await app.current.as(user).get('/user').expect(403);
    const { rows } = await app.current.database.query('SELECT last_activity_on FROM users WHERE id = $1', [
      user.id,
    ]);
    expect(rows[0].last_activity_on).toBeNull();
  });

  it('lists those of the last half year, the longest absent first, or from a day on', async () => {
    await app.current.database.query('UPDATE users SET last_activity_on = NULL');
    const [old, middle] = [await app.current.build.user(), await app.current.build.user()];
    const seen = (who: BuiltUser, day: string) =>
      app.current.database.query('UPDATE users SET last_activity_on = $2 WHERE id = $1', [who.id, day]);
    const ago = (days: number) => new Date(Date.now() - days * 24 * 3600_000).toISOString().slice(0, 10);
    await seen(old, ago(400));
    await seen(middle, ago(40));
    const names = async (query: string) =>
      (await activities(query)).body.map((activity: { username: string }) => activity.username);
    const recent = await names('');
    expect(recent[0]).toBe(middle.username);
    expect(recent).not.toContain(old.username);
    expect((await names(`?from=${ago(401)}`)).slice(0, 2)).toEqual([old.username, middle.username]);
    const page = await activities(`?from=${ago(401)}&per_page=1&page=2`);
    expect(page.body[0].username).toBe(middle.username);
    expect(page.headers['x-page']).toBe('2');
  });

  it('is for administrators, and asks for a day', async () => {
    expect((await app.current.api.get('/user/activities')).status).toBe(401);
    expect((await app.current.as(user).get('/user/activities')).status).toBe(403);
    expect((await activities('?from=soon')).status).toBe(400);
  });
});
