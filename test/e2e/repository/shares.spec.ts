import { ExpiredShares } from '../../../src/repository/shares/expired-shares.job';
import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const TOMORROW = new Date(Date.now() + 36 * 60 * 60 * 1000).toISOString().slice(0, 10);
const YESTERDAY = new Date(Date.now() - 36 * 60 * 60 * 1000).toISOString().slice(0, 10);

let maintainer: BuiltUser;
let outsider: BuiltUser;
let home: BuiltGroup;
let project: BuiltProject;
let group: BuiltGroup;

beforeEach(async () => {
  const { build } = app.current;
  maintainer = await build.user();
  outsider = await build.user();
  home = await build.group();
  project = await build.project({ namespace: home, members: { maintainer }, files: { a: 'a' } });
  group = await build.group({ visibility: 'internal', members: { developer: outsider } });
});

const share = (body: object, user = maintainer) =>
  app.current.as(user).post(`/projects/${project.id}/share`, body);
const unshare = (groupId: number | string, user = maintainer) =>
  app.current.as(user).delete(`/projects/${project.id}/share/${groupId}`);
const shownTo = async (user: BuiltUser) => (await app.current.as(user).get(`/projects/${project.id}`)).status;
const levelOf = async (user: BuiltUser) => {
  const { rows } = await app.current.database.query<{ count: string }>(
    'SELECT count(*) FROM project_shares WHERE project_id = $1',
    [project.id],
  );
  return [Number(rows[0]?.count), await shownTo(user)];
};

describe('POST /projects/:id/share', () => {
  it('lets the members of a group in, at most at the level of the share', async () => {
    expect(await shownTo(outsider)).toBe(404);
    const { status, body } = await share({ group_id: group.id, group_access: 20, expires_at: TOMORROW });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        project_id: project.id,
        group_id: group.id,
        group_access: 20,
        expires_at: TOMORROW,
      },
    ]);
    expect(Object.keys(body)).toEqual(['id', 'project_id', 'group_id', 'group_access', 'expires_at']);
    const api = app.current.as(outsider);
    const seen = await api.get(`/projects/${project.id}`);
    expect([seen.status, seen.body.shared_with_groups]).toEqual([
      200,
      [
        {
          group_id: group.id,
          group_name: group.fullPath,
          group_full_path: group.fullPath,
          group_access_level: 20,
          expires_at: TOMORROW,
        },
      ],
    ]);
    expect((await api.get(`/projects/${project.id}/repository/tree`)).status).toBe(200);
    const branch = { branch: 'b', ref: 'master' };
    expect((await api.post(`/projects/${project.id}/repository/branches`, branch)).status).toBe(403);
    expect((await api.get('/projects?membership=true')).body.map(({ id }: { id: number }) => id)).toEqual([
      project.id,
    ]);
  });

  it('goes on for ever where no end is given, also as null', async () => {
    const { body } = await share({ group_id: group.id, group_access: 30, expires_at: null });
    expect(body.expires_at).toBeNull();
    const branch = { branch: 'b', ref: 'master' };
    const made = await app.current.as(outsider).post(`/projects/${project.id}/repository/branches`, branch);
    expect(made.status).toBe(201);
  });

  it.each([
    [{ group_access: 10 }, { message: '400 (Bad request) "group_id" not given' }],
    [{ group_id: 1 }, { message: '400 (Bad request) "group_access" not given' }],
    [{ group_id: 'x', group_access: 10 }, { error: 'group_id is invalid' }],
    [{ group_id: [1], group_access: 10 }, { error: 'group_id is invalid' }],
    [{ group_id: 1, group_access: 50 }, { error: 'group_access does not have a valid value' }],
    [{ group_id: 1, group_access: 0 }, { error: 'group_access does not have a valid value' }],
    [{ group_id: 1, group_access: 15 }, { error: 'group_access does not have a valid value' }],
    [{ group_id: 1, group_access: 'developer' }, { error: 'group_access is invalid' }],
    [{ group_id: 1, group_access: 10, expires_at: 'soon' }, { error: 'expires_at is invalid' }],
    [{ group_id: 1, group_access: 10, expires_at: '2030-02-30' }, { error: 'expires_at is invalid' }],
  ])('refuses %j', async (body, expected) => {
    const answer = await share(body);
    expect([answer.status, answer.body]).toEqual([400, expected]);
  });

  it('does not find groups that are missing, hidden from the caller, being deleted, or none', async () => {
    const { build, database } = app.current;
    const hidden = await build.group();
    const gone = await build.group({ visibility: 'public' });
    await database.query('UPDATE namespaces SET pending_delete = true WHERE id = $1', [gone.id]);
    for (const id of [2_000_000_000, hidden.id, gone.id, maintainer.namespaceId]) {
      const { status, body } = await share({ group_id: id, group_access: 30 });
      expect([status, body]).toEqual([404, { message: 'Not Found' }]);
    }
  });

  it('refuses a group that has the project already', async () => {
    await share({ group_id: group.id, group_access: 30 });
    const again = await share({ group_id: group.id, group_access: 10 });
    expect([again.status, again.body]).toEqual([409, { message: 'Group already shared with this group' }]);
  });

  it('refuses the group the project is in, and those above', async () => {
    const { build } = app.current;
    const top = await build.group({ members: { maintainer } });
    const inner = await build.group({ parent: top });
    const below = await build.group({ parent: inner });
    const inside = await build.project({ namespace: inner });
    const post = (id: number) =>
      app.current.as(maintainer).post(`/projects/${inside.id}/share`, { group_id: id, group_access: 30 });
    for (const id of [inner.id, top.id]) {
      const { status, body } = await post(id);
      expect([status, body]).toEqual([
        409,
        { message: 'Project cannot be shared with the group it is in or one of its ancestors.' },
      ]);
    }
    expect((await post(below.id)).status).toBe(201);
  });

  it('is off where the group or one above has locked sharing', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const top = await build.group({ members: { owner } });
    const inner = await build.group({ parent: top });
    const inside = await build.project({ namespace: inner });
    const post = () =>
      app.current.as(owner).post(`/projects/${inside.id}/share`, { group_id: group.id, group_access: 30 });
    await app.current.as(owner).put(`/groups/${top.id}`, { share_with_group_lock: true }).expect(200);
    const { status, body } = await post();
    expect([status, body]).toEqual([400, { message: 'The project sharing with group is disabled' }]);
    await app.current.as(owner).put(`/groups/${inner.id}`, { share_with_group_lock: false }).expect(200);
    expect((await post()).status).toBe(201);
  });

  it('makes one share of many requests at once', async () => {
    const answers = await Promise.all(
      [10, 20, 30, 40, 10, 20].map((level) => share({ group_id: group.id, group_access: level })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('is for maintainers', async () => {
    const cast = await Cast.of(app.current, {});
    const row = await cast.row((api, { id }, turn) =>
      api.post(`/projects/${id}/share`, { group_id: 2_000_000_000 + turn, group_access: 30 }),
    );
    expect(row).toEqual({
      'anonymous public': 401,
      'anonymous internal': 401,
      'anonymous private': 401,
      'stranger public': 403,
      'stranger internal': 403,
      'stranger private': 404,
      guest: 403,
      reporter: 403,
      developer: 403,
      maintainer: 404,
      owner: 404,
      admin: 404,
    });
  });
});

describe('a share whose day has come', () => {
  beforeEach(() => share({ group_id: group.id, group_access: 30, expires_at: YESTERDAY }).expect(201));

  it('counts for nothing and is shown to nobody', async () => {
    expect(await shownTo(outsider)).toBe(404);
    const { body } = await app.current.as(maintainer).get(`/projects/${project.id}`);
    expect(body.shared_with_groups).toEqual([]);
  });

  it('makes room for a new one', async () => {
    expect((await share({ group_id: group.id, group_access: 10 })).status).toBe(201);
    expect(await shownTo(outsider)).toBe(200);
  });

  it('is cleared away, and no other', async () => {
    const lasting = await app.current.build.group({ visibility: 'internal' });
    await share({ group_id: lasting.id, group_access: 30, expires_at: TOMORROW }).expect(201);
    await app.current.nest.get(ExpiredShares).run({}, { signal: new AbortController().signal });
    expect(await levelOf(maintainer)).toEqual([1, 200]);
  });
});

describe('DELETE /projects/:id/share/:group_id', () => {
  it('shuts the members of the group out at once', async () => {
    await share({ group_id: group.id, group_access: 40 });
    expect(await shownTo(outsider)).toBe(200);
    const { status, text } = await unshare(group.id);
    expect([status, text]).toEqual([204, '']);
    expect(await shownTo(outsider)).toBe(404);
    const again = await unshare(group.id);
    expect([again.status, again.body]).toEqual([404, { message: '404 Group Link Not Found' }]);
  });

  it('takes numbers alone', async () => {
    const { status, body } = await unshare('me');
    expect([status, body]).toEqual([400, { error: 'group_id is invalid' }]);
  });

  it('keeps a share that was made since the caller looked', async () => {
    await share({ group_id: group.id, group_access: 40 });
    const header = { 'if-unmodified-since': new Date(Date.now() - 60_000).toUTCString() };
    const path = `/projects/${project.id}/share/${group.id}`;
    expect((await app.current.as(maintainer).with(header).delete(path)).status).toBe(412);
    expect(await shownTo(outsider)).toBe(200);
  });

  it('is for maintainers', async () => {
    await share({ group_id: group.id, group_access: 30 });
    expect((await unshare(group.id, outsider)).status).toBe(403);
    expect((await unshare(group.id, await app.current.build.user())).status).toBe(404);
    const anonymous = await app.current.api.delete(`/projects/${project.id}/share/${group.id}`);
    expect(anonymous.status).toBe(401);
  });
});
