import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const ROLES = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const;
type Role = (typeof ROLES)[number];

let admin: BuiltUser;
let stranger: BuiltUser;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  stranger = await app.current.build.user();
});

async function staff(): Promise<Record<Role, BuiltUser>> {
  const { build } = app.current;
  const [guest, reporter, developer] = [await build.user(), await build.user(), await build.user()];
  return { guest, reporter, developer, maintainer: await build.user(), owner: await build.user() };
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const idsOf = (body: { id: number }[]): number[] => body.map(({ id }) => id);

const ROWS = {
  project: {
    list: 'GET /projects/:id/members',
    show: 'GET /projects/:id/members/:user_id',
    add: 'POST /projects/:id/members',
    change: 'PUT /projects/:id/members/:user_id',
    remove: 'DELETE /projects/:id/members/:user_id',
  },
  group: {
    list: 'GET /groups/:id/members',
    show: 'GET /groups/:id/members/:user_id',
    add: 'POST /groups/:id/members',
    change: 'PUT /groups/:id/members/:user_id',
    remove: 'DELETE /groups/:id/members/:user_id',
  },
} as const;

describe.each(['project', 'group'] as const)('members of a %s', (kind) => {
  const rows = ROWS[kind];
  let people: Record<Role, BuiltUser>;
  let path: string;
  let openPath: string;

  const made = (options: { visibility?: 'public'; members?: Record<Role, BuiltUser> }) =>
    kind === 'project' ? app.current.build.project(options) : app.current.build.group(options);
  const manager = (): BuiltUser => (kind === 'project' ? people.maintainer : people.owner);

  beforeAll(async () => {
    people = await staff();
    path = `/${kind}s/${(await made({ members: people })).id}/members`;
    openPath = `/${kind}s/${(await made({ visibility: 'public' })).id}/members`;
  });

  it(`${rows.list} lists them`, async () => {
    const { status, body, headers } = await app.current.as(people.guest).get(path);
    expect(status).toBe(200);
    expect(headers['x-total']).toBe('5');
    expect(body[0]).toEqual({
      id: people.guest.id,
      name: people.guest.name,
      username: people.guest.username,
      state: 'active',
      avatar_url: null,
      web_url: `http://service.test/${people.guest.username}`,
      access_level: 10,
      expires_at: null,
    });
    expect(body.map((member: { access_level: number }) => member.access_level)).toEqual([10, 20, 30, 40, 50]);
  });

  it('finds by a part of the name or username, in pages', async () => {
    const { body } = await app.current
      .as(people.guest)
      .get(`${path}?query=${people.developer.username.toUpperCase()}`);
    expect(idsOf(body)).toEqual([people.developer.id]);
    const page = await app.current.as(people.guest).get(`${path}?per_page=2&page=3`);
    expect(idsOf(page.body)).toEqual([people.owner.id]);
    expect(page.headers).toMatchObject({ 'x-total': '5', 'x-prev-page': '2', 'x-next-page': '' });
    expect((await app.current.as(people.guest).head(`${path}?per_page=2`)).headers['x-total-pages']).toBe(
      '3',
    );
  });

  it(`${rows.show} shows one`, async () => {
    const found = await app.current.as(people.guest).get(`${path}/${people.reporter.id}`);
    expect(found.body).toMatchObject({ id: people.reporter.id, access_level: 20 });
    for (const id of [stranger.id, 0]) {
      const { status, body } = await app.current.as(people.guest).get(`${path}/${id}`);
      expect([status, body]).toEqual([404, { message: '404 Not found' }]);
    }
    expect((await app.current.as(people.guest).get(`${path}/abc`)).body).toEqual({
      error: 'user_id is invalid',
    });
  });

  it('is read by signed-in callers who see the source', async () => {
    for (const list of [
      path,
      `${path}/all`,
      `${path}/${people.guest.id}`,
      `${path}/all/${people.guest.id}`,
      openPath,
    ]) {
      expect((await app.current.api.get(list)).status).toBe(401);
    }
    expect((await app.current.as(stranger).get(path)).status).toBe(404);
    expect((await app.current.as(stranger).get(openPath)).status).toBe(200);
  });

  it(`${rows.add} adds somebody`, async () => {
    const user = await app.current.build.user();
    const params = { user_id: user.id, access_level: 30, expires_at: inDays(5) };
    const { status, body } = await app.current.as(manager()).post(path, params);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: user.id,
      username: user.username,
      access_level: 30,
      expires_at: inDays(5),
    });
    expect((await app.current.as(user).get(path)).status).toBe(200);
    const again = await app.current.as(manager()).post(path, params);
    expect([again.status, again.body]).toEqual([409, { message: 'Member already exists' }]);
  });

  it('adds somebody once, however many ask at once', async () => {
    const user = await app.current.build.user();
    const add = () => app.current.as(manager()).post(path, { user_id: user.id, access_level: 20 });
    const answers = await Promise.all([add(), add(), add()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('adds somebody anew whose membership has ended', async () => {
    const user = await app.current.build.user();
    await app.current.as(manager()).post(path, { user_id: user.id, access_level: 30, expires_at: inDays(1) });
    await app.current.database.query(`UPDATE members SET expires_at = '2020-01-01' WHERE user_id = $1`, [
      user.id,
    ]);
    expect((await app.current.as(manager()).get(`${path}/${user.id}`)).status).toBe(404);
    expect((await app.current.as(manager()).put(`${path}/${user.id}`, { access_level: 20 })).status).toBe(
      404,
    );
    const { status, body } = await app.current
      .as(manager())
      .post(path, { user_id: user.id, access_level: 10 });
    expect([status, body.access_level, body.expires_at]).toEqual([201, 10, null]);
  });

  it.each([
    [{ access_level: 30 }, { message: '400 (Bad request) "user_id" not given' }],
    [{ user_id: 1 }, { message: '400 (Bad request) "access_level" not given' }],
    [{ user_id: 1, access_level: 35 }, { error: 'access_level does not have a valid value' }],
    [{ user_id: [1, 2], access_level: 30 }, { error: 'user_id is invalid' }],
    [{ user_id: 1, access_level: 30, expires_at: 'soon' }, { error: 'expires_at is invalid' }],
  ])('refuses %j', async (params, body) => {
    const answer = await app.current.as(manager()).post(path, params);
    expect([answer.status, answer.body]).toEqual([400, body]);
  });

  it('refuses nobody and dates in the past', async () => {
    const nobody = await app.current.as(manager()).post(path, { user_id: 0, access_level: 30 });
    expect([nobody.status, nobody.body]).toEqual([404, { message: '404 User Not Found' }]);
    const past = { user_id: stranger.id, access_level: 30, expires_at: inDays(-1) };
    const { status, body } = await app.current.as(manager()).post(path, past);
    expect([status, body]).toEqual([400, { message: { expires_at: ['cannot be a date in the past'] } }]);
  });

  it(`${rows.change} changes level and end`, async () => {
    const user = await app.current.build.user();
    await app.current.as(manager()).post(path, { user_id: user.id, access_level: 30 });
    const change = async (params: object) =>
      (await app.current.as(manager()).put(`${path}/${user.id}`, params)).body;
    expect(await change({ access_level: 20, expires_at: inDays(9) })).toMatchObject({
      id: user.id,
      access_level: 20,
      expires_at: inDays(9),
    });
    expect(await change({ access_level: 40 })).toMatchObject({ access_level: 40, expires_at: inDays(9) });
    expect(await change({ access_level: 40, expires_at: null })).toMatchObject({ expires_at: null });
    expect((await app.current.as(manager()).get(`${path}/${user.id}`)).body).toMatchObject({
      access_level: 40,
    });
    const missing = await app.current.as(manager()).put(`${path}/${stranger.id}`, { access_level: 20 });
    expect([missing.status, missing.body]).toEqual([404, { message: '404 Not found' }]);
  });

  it(`${rows.remove} removes somebody, and lets everybody leave`, async () => {
    const [first, second] = [await app.current.build.user(), await app.current.build.user()];
    for (const user of [first, second]) {
      await app.current.as(manager()).post(path, { user_id: user.id, access_level: 10 });
    }
    expect((await app.current.as(first).delete(`${path}/${second.id}`)).status).toBe(403);
    const stale = app.current.as(manager()).with({ 'If-Unmodified-Since': new Date(0).toUTCString() });
    expect((await stale.delete(`${path}/${second.id}`)).status).toBe(412);
    expect((await app.current.as(manager()).delete(`${path}/${second.id}`)).status).toBe(204);
    expect((await app.current.as(first).delete(`${path}/${first.id}`)).status).toBe(204);
    expect((await app.current.as(manager()).delete(`${path}/${first.id}`)).status).toBe(404);
    expect((await app.current.as(first).get(path)).status).toBe(404);
  });

  it('is managed by managers alone', async () => {
    const add = { user_id: stranger.id, access_level: 99 };
    for (const role of ROLES) {
      const may = kind === 'project' ? ['maintainer', 'owner'].includes(role) : role === 'owner';
      const target = `${path}/${people.guest.id}`;
      const posted = await app.current.as(people[role]).post(path, { ...add, access_level: 10 });
      expect([role, posted.status]).toEqual([role, may ? 201 : 403]);
      if (may) await app.current.as(admin).delete(`${path}/${stranger.id}`);
      expect((await app.current.as(people[role]).put(target, { access_level: 10 })).status).toBe(
        may ? 200 : 403,
      );
    }
    expect((await app.current.api.post(path, add)).status).toBe(401);
    expect((await app.current.api.delete(`${openPath}/${people.guest.id}`)).status).toBe(401);
    expect((await app.current.as(stranger).post(path, { ...add, access_level: 10 })).status).toBe(404);
    expect((await app.current.as(stranger).post(openPath, { ...add, access_level: 10 })).status).toBe(403);
    expect((await app.current.as(stranger).delete(`${path}/${people.guest.id}`)).status).toBe(404);
    expect((await app.current.as(admin).post(path, { ...add, access_level: 10 })).status).toBe(201);
  });
});

describe('levels in a project', () => {
  let project: BuiltProject;
  let people: Record<Role, BuiltUser>;

  beforeAll(async () => {
    people = await staff();
    project = await app.current.build.project({ members: people });
  });

  it('end at maintainer', async () => {
    const { status, body } = await app.current
      .as(people.owner)
      .post(`/projects/${project.id}/members`, { user_id: stranger.id, access_level: 50 });
    expect([status, body]).toEqual([400, { message: { access_level: ['is not included in the list'] } }]);
  });

  it('cannot be changed or taken away by somebody with less', async () => {
    const path = `/projects/${project.id}/members/${people.owner.id}`;
    expect((await app.current.as(people.maintainer).put(path, { access_level: 10 })).status).toBe(403);
    expect((await app.current.as(people.maintainer).delete(path)).status).toBe(403);
    const own = `/projects/${project.id}/members/${people.maintainer.id}`;
    expect((await app.current.as(people.maintainer).put(own, { access_level: 50 })).status).toBe(403);
  });
});

describe('the last owner of a group', () => {
  let owner: BuiltUser;
  let group: BuiltGroup;
  let path: string;

  beforeEach(async () => {
    owner = await app.current.build.user();
    group = await app.current.build.group({ members: { owner } });
    path = `/groups/${group.id}/members`;
  });

  it('cannot leave, be removed or be lowered', async () => {
    expect((await app.current.as(owner).delete(`${path}/${owner.id}`)).status).toBe(403);
    expect((await app.current.as(admin).delete(`${path}/${owner.id}`)).status).toBe(403);
    expect((await app.current.as(owner).put(`${path}/${owner.id}`, { access_level: 40 })).status).toBe(403);
    expect((await app.current.as(owner).put(`${path}/${owner.id}`, { access_level: 50 })).status).toBe(200);
  });

  it('is still there when two owners leave at once', async () => {
    const other = await app.current.build.user();
    const groups = [];
    for (let count = 0; count < 12; count++) {
      groups.push(await app.current.build.group({ members: { owner } }));
      await app.current.build.member('namespace', groups[count]?.id ?? 0, other, 'owner');
    }
    const leave = (from: BuiltGroup) =>
      Promise.all(
        [owner, other].map((user) => app.current.as(user).delete(`/groups/${from.id}/members/${user.id}`)),
      );
    for (const answers of await Promise.all(groups.map(leave))) {
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
    }
  });

  it('may leave a subgroup whose parent has an owner', async () => {
    const child = await app.current.build.group({ parent: group });
    const inside = await app.current.build.user();
    await app.current.build.member('namespace', child.id, inside, 'owner');
    expect((await app.current.as(inside).delete(`/groups/${child.id}/members/${inside.id}`)).status).toBe(
      204,
    );
  });
});

describe('inherited memberships', () => {
  let owner: BuiltUser;
  let developer: BuiltUser;
  let guest: BuiltUser;
  let parent: BuiltGroup;
  let child: BuiltGroup;
  let project: BuiltProject;

  beforeAll(async () => {
    const { build } = app.current;
    [owner, developer, guest] = [await build.user(), await build.user(), await build.user()];
    parent = await build.group({ path: 'ancestor', members: { owner, developer } });
    child = await build.group({ parent, members: { guest } });
    project = await build.project({ namespace: child, members: { maintainer: guest } });
  });

  it('GET /groups/:id/members/all adds those from above', async () => {
    const { body } = await app.current.as(guest).get(`/groups/${child.id}/members/all`);
    expect(idsOf(body)).toEqual([owner.id, developer.id, guest.id]);
    expect(body[1].access_level).toBe(30);
    expect(idsOf((await app.current.as(guest).get(`/groups/${child.id}/members`)).body)).toEqual([guest.id]);
  });

  it('GET /projects/:id/members/all tells each user once, with the greatest level', async () => {
    const { body, headers } = await app.current.as(guest).get(`/projects/${project.id}/members/all`);
    expect(
      body.map((member: { id: number; access_level: number }) => [member.id, member.access_level]),
    ).toEqual([
      [owner.id, 50],
      [developer.id, 30],
      [guest.id, 40],
    ]);
    expect(headers['x-total']).toBe('3');
    const searched = await app.current
      .as(guest)
      .get(`/projects/${project.id}/members/all?query=${owner.username}`);
    expect(idsOf(searched.body)).toEqual([owner.id]);
  });

  it('GET /projects/:id/members/all/:user_id shows one', async () => {
    const path = `/projects/${project.id}/members`;
    expect((await app.current.as(guest).get(`${path}/all/${developer.id}`)).body.access_level).toBe(30);
    expect((await app.current.as(guest).get(`${path}/${developer.id}`)).status).toBe(404);
    expect((await app.current.as(guest).get(`${path}/all/${stranger.id}`)).status).toBe(404);
  });

  it('GET /groups/:id/members/all/:user_id shows one', async () => {
    const inGroup = await app.current.as(guest).get(`/groups/${child.id}/members/all/${owner.id}`);
    expect(inGroup.body.access_level).toBe(50);
  });

  it('come through shares too, capped by them', async () => {
    const shared = await app.current.build.project();
    await app.current.build.share(shared, parent, 'reporter');
    const { body } = await app.current.as(owner).get(`/projects/${shared.id}/members/all/${owner.id}`);
    expect(body.access_level).toBe(20);
  });

  it('include the owner of a personal project', async () => {
    const user = await app.current.build.user();
    const personal = await app.current.build.project({ owner: user });
    const { body } = await app.current.as(user).get(`/projects/${personal.id}/members/all/${user.id}`);
    expect(body).toMatchObject({ id: user.id, access_level: 50 });
  });

  it('cannot be lowered by a direct one', async () => {
    const { status, body } = await app.current
      .as(owner)
      .post(`/projects/${project.id}/members`, { user_id: developer.id, access_level: 20 });
    const text = 'should be higher than Developer inherited membership from group ancestor';
    expect([status, body]).toEqual([400, { message: { access_level: [text] } }]);
    const same = await app.current
      .as(owner)
      .post(`/groups/${child.id}/members`, { user_id: developer.id, access_level: 30 });
    expect(same.status).toBe(201);
    const lower = await app.current
      .as(owner)
      .put(`/groups/${child.id}/members/${developer.id}`, { access_level: 10 });
    expect(lower.body).toEqual({ message: { access_level: [text] } });
  });
});
