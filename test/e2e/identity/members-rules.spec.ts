import { ExpiredMembers } from '../../../src/identity/members/expired-members.job';
import { startApplication, useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication({ TIER: 'starter' });

let admin: BuiltUser;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const idsOf = (body: { id: number }[]): number[] => body.map(({ id }) => id);
const lock = (group: BuiltGroup) =>
  app.current.database.query('UPDATE namespaces SET membership_lock = true WHERE id = $1', [group.id]);

const running = (): { signal: AbortSignal } => ({ signal: new AbortController().signal });

describe('GET /groups/:id/members', () => {
  it('finds the named users', async () => {
    const { build } = app.current;
    const [owner, developer, guest] = [await build.user(), await build.user(), await build.user()];
    const group = await build.group({ members: { owner, developer, guest } });
    const api = app.current.as(owner);
    const ids = `user_ids[]=${guest.id}&user_ids[]=${owner.id}&user_ids[]=${admin.id}`;
    expect(idsOf((await api.get(`/groups/${group.id}/members?${ids}`)).body)).toEqual([owner.id, guest.id]);
    const all = await api.get(`/groups/${group.id}/members/all?${ids}&query=${guest.username}`);
    expect(idsOf(all.body)).toEqual([guest.id]);
    const bad = await api.get(`/groups/${group.id}/members?user_ids[]=many`);
    expect([bad.status, bad.body]).toEqual([400, { error: 'user_ids is invalid' }]);
  });

  it('tells of blocked members, and not of those whose account is being removed', async () => {
    const { build, database } = app.current;
    const [owner, blocked, leaving] = [
      await build.user(),
      await build.user({ blocked: true }),
      await build.user(),
    ];
    const group = await build.group({ members: { owner, developer: blocked, guest: leaving } });
    await database.query('UPDATE users SET pending_delete = true WHERE id = $1', [leaving.id]);
    for (const list of ['members', 'members/all']) {
      const { body, headers } = await app.current.as(owner).get(`/groups/${group.id}/${list}`);
      expect(idsOf(body)).toEqual([owner.id, blocked.id]);
      expect(headers['x-total']).toBe('2');
      expect(body[1].state).toBe('blocked');
    }
  });
});

describe('GET /projects/:id/members/all', () => {
  it('pages through users of many sources, each once', async () => {
    const { build } = app.current;
    const users: BuiltUser[] = [];
    for (let count = 0; count < 9; count += 1) users.push(await build.user());
    const top = await build.group();
    const below = await build.group({ parent: top });
    const shared = await build.group();
    const project = await build.project({ namespace: below });
    await build.share(project, shared, 'reporter');
    for (const [index, user] of users.entries()) {
      if (index % 2 === 0) await build.member('namespace', top.id, user, 'guest');
      if (index % 3 === 0) await build.member('namespace', below.id, user, 'developer');
      if (index % 4 === 1) await build.member('namespace', shared.id, user, 'maintainer');
      if (index > 5) await build.member('project', project.id, user, 'reporter');
    }
    const seen: [number, number][] = [];
    for (let page = 1; page <= 4; page += 1) {
      const { body, headers } = await app.current
        .as(admin)
        .get(`/projects/${project.id}/members/all?per_page=3&page=${page}`);
      expect(headers['x-total']).toBe('9');
      seen.push(
        ...body.map(({ id, access_level: level }: { id: number; access_level: number }) => [id, level]),
      );
    }
    const levels = [30, 20, 10, 30, 10, 20, 30, 20, 20];
    expect(seen).toEqual(users.map(({ id }, index) => [id, levels[index]]));
  });

  it('passes over shares that have ended, and groups that are being removed', async () => {
    const { build, database } = app.current;
    const user = await build.user();
    const [ended, leaving] = [
      await build.group({ members: { owner: user } }),
      await build.group({ members: { owner: user } }),
    ];
    const project = await build.project({ visibility: 'public' });
    await build.share(project, ended, 'developer');
    await build.share(project, leaving, 'developer');
    const path = `/projects/${project.id}/members/all/${user.id}`;
    expect((await app.current.as(user).get(path)).body.access_level).toBe(30);
    await database.query('UPDATE project_shares SET expires_at = current_date WHERE group_id = $1', [
      ended.id,
    ]);
    await database.query('UPDATE namespaces SET pending_delete = true WHERE id = $1', [leaving.id]);
    expect((await app.current.as(user).get(path)).status).toBe(404);
    expect(
      (await app.current.as(user).post(`/projects/${project.id}/members`, { user_id: 1, access_level: 10 }))
        .status,
    ).toBe(403);
  });
});

describe('a group with a member lock', () => {
  let owner: BuiltUser;
  let newcomer: BuiltUser;
  let project: BuiltProject;
  let top: BuiltGroup;

  beforeAll(async () => {
    const { build } = app.current;
    [owner, newcomer] = [await build.user(), await build.user()];
    top = await build.group({ members: { owner } });
    const below = await build.group({ parent: top });
    project = await build.project({ namespace: below, members: { guest: await build.user() } });
    await lock(top);
  });

  const add = (by: BuiltUser) =>
    app.current.as(by).post(`/projects/${project.id}/members`, { user_id: newcomer.id, access_level: 30 });

  it('POST /projects/:id/members takes nobody in, not even from an administrator', async () => {
    for (const by of [owner, admin]) {
      const { status, body } = await add(by);
      expect([status, body]).toEqual([405, { message: '405 Method Not Allowed' }]);
    }
    expect((await app.current.as(owner).get(`/projects/${project.id}/members/${newcomer.id}`)).status).toBe(
      404,
    );
  });

  it('POST /groups/:id/members still takes people into the group', async () => {
    const body = { user_id: newcomer.id, access_level: 10 };
    expect((await app.current.as(owner).post(`/groups/${top.id}/members`, body)).status).toBe(201);
  });

  it('lets members of its projects be changed and removed', async () => {
    const path = `/projects/${project.id}/members`;
    const [{ id }] = (await app.current.as(owner).get(path)).body;
    expect((await app.current.as(owner).put(`${path}/${id}`, { access_level: 20 })).status).toBe(200);
    expect((await app.current.as(owner).delete(`${path}/${id}`)).status).toBe(204);
  });

  it('means nothing where it is not licensed', async () => {
    const core = await startApplication({ TIER: 'core' });
    try {
      const { build, database } = core;
      const [holder, user] = [await build.user(), await build.user()];
      const group = await build.group({ members: { owner: holder } });
      await database.query('UPDATE namespaces SET membership_lock = true WHERE id = $1', [group.id]);
      const inside = await build.project({ namespace: group });
      const body = { user_id: user.id, access_level: 30 };
      expect((await core.as(holder).post(`/projects/${inside.id}/members`, body)).status).toBe(201);
    } finally {
      await core.close();
    }
  });
});

describe('owners of a group', () => {
  it('do not count while they are blocked', async () => {
    const { build } = app.current;
    const [owner, blocked] = [await build.user(), await build.user({ blocked: true })];
    const group = await build.group({ members: { owner } });
    await build.member('namespace', group.id, blocked, 'owner');
    const path = `/groups/${group.id}/members`;
    expect((await app.current.as(owner).delete(`${path}/${owner.id}`)).status).toBe(403);
    expect((await app.current.as(owner).delete(`${path}/${blocked.id}`)).status).toBe(204);
  });

  it('do not lower each other at once so that none is left', async () => {
    const { build } = app.current;
    const [one, two] = [await build.user(), await build.user()];
    const groups: BuiltGroup[] = [];
    for (let count = 0; count < 8; count += 1) {
      const group = await build.group({ members: { owner: one } });
      await build.member('namespace', group.id, two, 'owner');
      groups.push(group);
    }
    const lower = (group: BuiltGroup, by: BuiltUser, whom: BuiltUser) =>
      app.current.as(by).put(`/groups/${group.id}/members/${whom.id}`, { access_level: 10 });
    await Promise.all(groups.flatMap((group) => [lower(group, one, two), lower(group, two, one)]));
    for (const group of groups) {
      const { body } = await app.current.as(admin).get(`/groups/${group.id}/members`);
      const owners = body.filter(({ access_level: level }: { access_level: number }) => level === 50);
      expect(owners).toHaveLength(1);
    }
  });
});

describe('a membership with an end', () => {
  it('lasts through the day before it, and counts nowhere from that day on', async () => {
    const { build } = app.current;
    const [owner, user] = [await build.user(), await build.user()];
    const group = await build.group({ members: { owner } });
    const project = await build.project({ namespace: group });
    await build.member('namespace', group.id, user, 'developer', inDays(1));
    expect((await app.current.as(user).get(`/projects/${project.id}`)).status).toBe(200);
    await app.current.database.query('UPDATE members SET expires_at = current_date WHERE user_id = $1', [
      user.id,
    ]);
    for (const path of [`/projects/${project.id}`, `/groups/${group.id}`])
      expect((await app.current.as(user).get(path)).status).toBe(404);
    expect((await app.current.as(user).get('/groups')).body).toEqual([]);
    expect((await app.current.as(user).get('/projects?membership=true')).body).toEqual([]);
    const all = await app.current.as(owner).get(`/projects/${project.id}/members/all`);
    expect(idsOf(all.body)).toEqual([owner.id]);
  });

  it('is cleared away by a job, those that go on are not', async () => {
    const { build, database, nest } = app.current;
    const [owner, ended, going] = [await build.user(), await build.user(), await build.user()];
    const group = await build.group({ members: { owner } });
    await build.member('namespace', group.id, ended, 'developer', inDays(0));
    await build.member('namespace', group.id, going, 'developer', inDays(2));
    const job = nest.get(ExpiredMembers);
    await Promise.all([job.run({}, running()), job.run({}, running())]);
    await job.run({}, running());
    const { rows } = await database.query<{ id: string }>(
      'SELECT user_id AS id FROM members WHERE source_id = $1 ORDER BY user_id',
      [group.id],
    );
    expect(rows.map(({ id }) => Number(id))).toEqual([owner.id, going.id]);
  });
});

describe('a change of members', () => {
  it('counts at the next request on every node', async () => {
    const { build } = app.current;
    const [owner, user] = [await build.user(), await build.user()];
    const group = await build.group({ members: { owner } });
    const project = await build.project({ namespace: group, files: { README: 'x' } });
    const other = await app.current.startAnother();
    const file = `/projects/${project.id}/repository/files/README?ref=master`;
    const statuses = async () => [
      (await app.current.as(user).get(file)).status,
      (await other.as(user).get(file)).status,
    ];
    expect(await statuses()).toEqual([404, 404]);
    const members = `/groups/${group.id}/members`;
    await app.current.as(owner).post(members, { user_id: user.id, access_level: 20 });
    expect(await statuses()).toEqual([200, 200]);
    await other.as(owner).put(`${members}/${user.id}`, { access_level: 10 });
    expect(await statuses()).toEqual([403, 403]);
    await app.current.as(owner).delete(`${members}/${user.id}`);
    expect(await statuses()).toEqual([404, 404]);
  });
});

describe('one statement decides', () => {
  it('who calls, upon what, and at which level', async () => {
    const { build } = app.current;
    const [owner, user] = [await build.user(), await build.user()];
    const top = await build.group({ members: { owner } });
    const group = await build.group({ parent: top, members: { developer: user } });
    const project = await build.project({ namespace: group, files: { README: 'x' } });
    const readings = [
      `/projects/${project.id}`,
      `/projects/${encodeURIComponent(project.fullPath)}/repository/branches`,
      `/projects/${project.id}/repository/files/README?ref=master`,
      `/groups/${group.id}/members`,
      `/groups/${encodeURIComponent(group.fullPath)}/members/all`,
      '/users',
    ];
    for (const path of readings) {
      const sent = await statementsDuring(async () => {
        expect((await app.current.as(user).get(path)).status).toBe(200);
      });
      const deciding = sent.filter(({ text }) => /FROM access_tokens|AS token_id/.test(text));
      expect([path, deciding.length]).toEqual([path, 1]);
      expect(sent[0]).toBe(deciding[0]);
    }
  });

  it('and a list costs as many statements for many members as for few', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const group = await build.group({ members: { owner } });
    const path = `/groups/${group.id}/members/all`;
    const count = async () =>
      (await statementsDuring(() => app.current.as(owner).get(path).expect(200))).length;
    const few = await count();
    for (let number = 0; number < 15; number += 1)
      await build.member('namespace', group.id, await build.user(), 'guest');
    expect(await count()).toBe(few);
  });
});
