import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication({ TIER: 'starter' });

const ROLES = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const;
type Role = (typeof ROLES)[number];

let admin: BuiltUser;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
});

/** Whoever was written to since the last look, once all mails are delivered. */
async function mailed(): Promise<string[]> {
  const { database, settings } = app.current;
  await until(async () => (await database.query('SELECT 1 FROM mails')).rows.length === 0);
  const folder = path.join(settings.dataDir, 'mails');
  const names = await fs.readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => fs.readFile(path.join(folder, name), 'utf8')));
  await fs.rm(folder, { recursive: true, force: true });
  return texts.flatMap((text) => /^To: (.*)$/m.exec(text)?.[1]?.trim() ?? []).sort();
}

const ROWS = {
  project: {
    list: 'GET /projects/:id/access_requests',
    make: 'POST /projects/:id/access_requests',
    approve: 'PUT /projects/:id/access_requests/:user_id/approve',
    remove: 'DELETE /projects/:id/access_requests/:user_id',
  },
  group: {
    list: 'GET /groups/:id/access_requests',
    make: 'POST /groups/:id/access_requests',
    approve: 'PUT /groups/:id/access_requests/:user_id/approve',
    remove: 'DELETE /groups/:id/access_requests/:user_id',
  },
} as const;

describe.each(['project', 'group'] as const)('requests for access to a %s', (kind) => {
  const rows = ROWS[kind];
  const managing: readonly Role[] = kind === 'project' ? ['maintainer', 'owner'] : ['owner'];
  let people: Record<Role, BuiltUser>;
  let stranger: BuiltUser;
  let source: { id: number; fullPath: string };
  let requests: string;
  let members: string;

  beforeAll(async () => {
    const { build } = app.current;
    const [guest, reporter, developer] = [await build.user(), await build.user(), await build.user()];
    people = { guest, reporter, developer, maintainer: await build.user(), owner: await build.user() };
  });

  async function made(options: {
    visibility?: 'public' | 'private';
    open?: boolean;
    members?: typeof people;
  }) {
    const { build, database } = app.current;
    const { visibility = 'public', open = true, members: inside = people } = options;
    const found =
      kind === 'project'
        ? await build.project({ visibility, members: inside, owner: inside.owner })
        : await build.group({ visibility, members: inside });
    const table = kind === 'project' ? 'projects' : 'namespaces';
    await database.query(`UPDATE ${table} SET request_access_enabled = $2 WHERE id = $1`, [found.id, open]);
    return found;
  }

  beforeEach(async () => {
    stranger = await app.current.build.user();
    source = await made({});
    requests = `/${kind}s/${source.id}/access_requests`;
    members = `/${kind}s/${source.id}/members`;
    await mailed();
  });

  const request = (by = stranger) => app.current.as(by).post(requests);
  const approve = (by: BuiltUser, body: object = {}) =>
    app.current.as(by).put(`${requests}/${stranger.id}/approve`, body);

  it(`${rows.make} asks for access`, async () => {
    const { status, body } = await request();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: stranger.id,
      name: stranger.name,
      username: stranger.username,
      state: 'active',
      avatar_url: null,
      web_url: `http://service.test/${stranger.username}`,
      requested_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  it('grants nothing and shows no member', async () => {
    await request();
    await app.current.database.query(`UPDATE members SET access_level = 50 WHERE user_id = $1`, [
      stranger.id,
    ]);
    expect((await app.current.as(people.guest).get(`${members}/${stranger.id}`)).status).toBe(404);
    expect((await app.current.as(people.guest).get(`${members}/all/${stranger.id}`)).status).toBe(404);
    expect((await app.current.as(stranger).get(requests)).status).toBe(403);
    expect((await app.current.as(stranger).get(`/${kind}s?min_access_level=10`)).body).toEqual([]);
    expect((await app.current.as(stranger).get(`/${kind}s?owned=true`)).body).toEqual([]);
    const put = await app.current.as(people.owner).put(`${members}/${stranger.id}`, { access_level: 20 });
    expect(put.status).toBe(404);
  });

  it('is refused to members, administrators, and where it is switched off', async () => {
    for (const role of ROLES) expect([role, (await request(people[role])).status]).toEqual([role, 403]);
    expect((await request(admin)).status).toBe(403);
    const closed = await made({ open: false });
    expect((await app.current.as(stranger).post(`/${kind}s/${closed.id}/access_requests`)).status).toBe(403);
    const hidden = await made({ visibility: 'private' });
    expect((await app.current.as(stranger).post(`/${kind}s/${hidden.id}/access_requests`)).status).toBe(404);
    expect((await app.current.api.post(requests)).status).toBe(401);
  });

  it('is made once, however often it is asked for', async () => {
    const answers = await Promise.all([request(), request(), request()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    const again = await request();
    expect([again.status, again.body]).toEqual([400, { message: { user_id: ['already exists in source'] } }]);
  });

  it('is told to managers who can be reached', async () => {
    await request();
    expect(await mailed()).toEqual(managing.map((role) => people[role].email).sort());
  });

  it('is told to few, however many manage', async () => {
    const { build, database } = app.current;
    const kindOfSource = kind === 'project' ? 'project' : 'namespace';
    for (let count = 0; count < 12; count += 1) {
      await build.member(
        kindOfSource,
        source.id,
        await build.user(),
        kind === 'project' ? 'maintainer' : 'owner',
      );
    }
    await database.query('UPDATE users SET confirmed_at = NULL WHERE id = $1', [people.owner.id]);
    await request();
    const told = await mailed();
    await database.query('UPDATE users SET confirmed_at = now() WHERE id = $1', [people.owner.id]);
    expect(told).toHaveLength(10);
    expect(told).not.toContain(people.owner.email);
  });

  it('follows a membership that has ended', async () => {
    const kindOfSource = kind === 'project' ? 'project' : 'namespace';
    await app.current.build.member(kindOfSource, source.id, stranger, 'owner', '2020-01-01');
    expect((await request()).status).toBe(201);
    expect((await approve(people.owner)).body).toMatchObject({ access_level: 30, expires_at: null });
  });

  it(`${rows.list} lists them to managers, in pages`, async () => {
    const second = await app.current.build.user();
    await request();
    await request(second);
    for (const role of ROLES) {
      const { status, body } = await app.current.as(people[role]).get(requests);
      expect([role, status]).toEqual([role, managing.includes(role) ? 200 : 403]);
      if (status === 200) expect(body.map(({ id }: { id: number }) => id)).toEqual([stranger.id, second.id]);
    }
    const page = await app.current.as(admin).get(`${requests}?per_page=1&page=2`);
    expect(page.body).toMatchObject([{ id: second.id }]);
    expect(page.headers).toMatchObject({ 'x-total': '2', 'x-next-page': '' });
    expect((await app.current.as(admin).head(requests)).headers['x-total']).toBe('2');
    expect((await app.current.api.get(requests)).status).toBe(401);
  });

  it(`${rows.approve} makes a member of them`, async () => {
    await request();
    const { status, body } = await approve(people.owner);
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: stranger.id, access_level: 30, expires_at: null });
    expect((await app.current.as(stranger).get(`${members}/${stranger.id}`)).body.access_level).toBe(30);
    expect((await app.current.as(people.owner).get(requests)).body).toEqual([]);
    const again = await approve(people.owner);
    expect([again.status, again.body]).toEqual([404, { message: '404 Not found' }]);
  });

  it('is approved at the wanted level, by managers alone, and at no level above their own', async () => {
    await request();
    for (const role of ROLES.filter((name) => !managing.includes(name)))
      expect([role, (await approve(people[role])).status]).toEqual([role, 403]);
    expect((await approve(stranger)).status).toBe(403);
    expect((await app.current.api.put(`${requests}/${stranger.id}/approve`)).status).toBe(401);
    expect((await approve(people.owner, { access_level: 35 })).body).toEqual({
      error: 'access_level does not have a valid value',
    });
    if (kind === 'project') expect((await approve(people.maintainer, { access_level: 50 })).status).toBe(403);
    expect((await approve(admin, { access_level: 40 })).body.access_level).toBe(40);
  });

  it(`${rows.remove} denies, and lets people withdraw their own`, async () => {
    const second = await app.current.build.user();
    await request();
    await request(second);
    const target = `${requests}/${stranger.id}`;
    for (const by of [people.guest, second])
      expect((await app.current.as(by).delete(target)).status).toBe(403);
    const stale = app.current.as(stranger).with({ 'If-Unmodified-Since': new Date(0).toUTCString() });
    expect((await stale.delete(target)).status).toBe(412);
    expect((await app.current.as(stranger).delete(target)).status).toBe(204);
    expect((await app.current.as(people.owner).delete(`${requests}/${second.id}`)).status).toBe(204);
    for (const user of [stranger, second]) {
      const { status, body } = await app.current.as(people.owner).delete(`${requests}/${user.id}`);
      expect([status, body]).toEqual([404, { message: '404 Not found' }]);
    }
    const member = await app.current.as(people.owner).delete(`${requests}/${people.guest.id}`);
    expect(member.status).toBe(404);
  });

  it('is answered by adding the user, too', async () => {
    await request();
    const body = { user_id: stranger.id, access_level: 20 };
    expect((await app.current.as(people.owner).post(members, body)).status).toBe(201);
    expect((await app.current.as(people.owner).get(requests)).body).toEqual([]);
  });

  it('answers for paths too, and 404 for none', async () => {
    const encoded = encodeURIComponent(source.fullPath);
    expect((await app.current.as(stranger).post(`/${kind}s/${encoded}/access_requests`)).status).toBe(201);
    const none = await app.current.as(stranger).post(`/${kind}s/${randomUUID()}/access_requests`);
    expect(none.status).toBe(404);
  });
});

describe('PUT /projects/:id/access_requests/:user_id/approve', () => {
  it('is refused where the group keeps members out', async () => {
    const { build, database } = app.current;
    const [owner, stranger] = [await build.user(), await build.user()];
    const group = await build.group({ visibility: 'public', members: { owner } });
    const project = await build.project({ visibility: 'public', namespace: group });
    await database.query('UPDATE projects SET request_access_enabled = true WHERE id = $1', [project.id]);
    const requests = `/projects/${project.id}/access_requests`;
    await mailed();
    expect((await app.current.as(stranger).post(requests)).status).toBe(201);
    expect(await mailed()).toEqual([owner.email]);
    await database.query('UPDATE namespaces SET membership_lock = true WHERE id = $1', [group.id]);
    expect((await app.current.as(owner).put(`${requests}/${stranger.id}/approve`)).status).toBe(405);
    await database.query('UPDATE namespaces SET membership_lock = false WHERE id = $1', [group.id]);
    const low = await app.current.as(owner).put(`${requests}/${stranger.id}/approve`, { access_level: 10 });
    expect([low.status, low.body.access_level]).toEqual([201, 10]);
  });
});
