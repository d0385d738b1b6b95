import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';

const app = useApplication();

let admin: BuiltUser;
let user: BuiltUser;
let counter = 0;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  user = await app.current.build.user();
});

const fresh = (more: object = {}) => {
  counter += 1;
  return { name: `Group ${counter}`, path: `group-${counter}`, ...more };
};
const create = (params: object, by = user) => app.current.as(by).post('/groups', params);

describe('POST /groups', () => {
  it('makes a group with all its fields, whose owner is the caller', async () => {
    const params = fresh({
      description: 'What it is for',
      visibility: 'internal',
      lfs_enabled: false,
      request_access_enabled: true,
    });
    const { status, body } = await create(params);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: params.name,
      path: params.path,
      description: 'What it is for',
      visibility: 'internal',
      lfs_enabled: false,
      avatar_url: null,
      web_url: `http://service.test/groups/${params.path}`,
      request_access_enabled: true,
      full_name: params.name,
      full_path: params.path,
      file_template_project_id: null,
      parent_id: null,
      runners_token: expect.stringMatching(/^[\w-]{32}$/),
      shared_runners_minutes_limit: null,
      extra_shared_runners_minutes_limit: null,
      projects: [],
      shared_projects: [],
    });
    const members = await app.current.as(user).get(`/groups/${body.id}/members`);
    expect(members.body).toMatchObject([{ id: user.id, access_level: 50 }]);
    expect((await app.current.as(user).get(`/groups/${body.id}`)).body).toEqual(body);
  });

  it('takes limits on runners’ minutes from administrators, for groups at the top', async () => {
    const limits = { shared_runners_minutes_limit: 20, extra_shared_runners_minutes_limit: 3 };
    const made = await create(fresh(limits), admin);
    expect([made.status, made.body]).toEqual([201, expect.objectContaining(limits)]);
    const { status, body } = await create(fresh(limits));
    expect([status, body]).toEqual([403, { message: '403 Forbidden' }]);
    const inside = await create(fresh({ ...limits, parent_id: made.body.id }), admin);
    expect(inside.body).toEqual({
      message: {
        shared_runners_minutes_limit: ['is not supported for this namespace'],
        extra_shared_runners_minutes_limit: ['is not supported for this namespace'],
      },
    });
    expect((await create(fresh({ shared_runners_minutes_limit: -1 }), admin)).status).toBe(400);
  });

  it('gives subgroups the lock on sharing that the parent has', async () => {
    const parent = await create(fresh());
    await app.current.as(user).put(`/groups/${parent.body.id}`, { share_with_group_lock: true });
    const child = await create(fresh({ parent_id: parent.body.id }));
    const { rows } = await app.current.database.query(
      'SELECT share_with_group_lock FROM namespaces WHERE id = $1',
      [child.body.id],
    );
    expect(rows).toEqual([{ share_with_group_lock: true }]);
  });

  it('refuses full paths that no index holds', async () => {
    let parent: BuiltGroup | undefined;
    for (let depth = 0; depth < 8; depth++) {
      const path = `${counter}-${depth}-${'x'.repeat(240)}`;
      parent = await app.current.build.group({ path, ...(parent && { parent }), members: { owner: user } });
    }
    const { status, body } = await create(fresh({ path: 'y'.repeat(255), parent_id: parent?.id }));
    const message = { path: ['makes a full path that is too long (maximum is 2000 characters)'] };
    expect([status, body]).toEqual([400, { message }]);
  });

  it('makes private groups by default', async () => {
    expect((await create(fresh())).body).toMatchObject({
      visibility: 'private',
      description: '',
      lfs_enabled: true,
    });
  });

  it('makes subgroups for owners of the parent', async () => {
    const parent = await create(fresh({ name: 'Parent' }));
    const child = await create(fresh({ name: 'Child', path: 'child', parent_id: parent.body.id }));
    expect(child.body).toMatchObject({
      parent_id: parent.body.id,
      full_path: `${parent.body.path}/child`,
      full_name: 'Parent / Child',
    });
    const { rows } = await app.current.database.query('SELECT traversal_ids FROM namespaces WHERE id = $1', [
      child.body.id,
    ]);
    expect(rows[0].traversal_ids.map(Number)).toEqual([parent.body.id, child.body.id]);
  });

  it('refuses subgroups to everybody below', async () => {
    const parent = await app.current.build.group({ members: { maintainer: user } });
    expect((await create(fresh({ parent_id: parent.id }))).status).toBe(403);
    const open = await app.current.build.group({ visibility: 'public' });
    expect((await create(fresh({ parent_id: open.id }))).status).toBe(403);
    for (const id of [(await app.current.build.group()).id, 0, user.namespaceId]) {
      const { status, body } = await create(fresh({ parent_id: id }));
      expect([status, body]).toEqual([404, { message: '404 Group Not Found' }]);
    }
    expect((await create(fresh({ parent_id: parent.id }), admin)).status).toBe(201);
  });

  it('is for users who may create groups: 401, then 400, then 403', async () => {
    expect((await app.current.api.post('/groups', {})).status).toBe(401);
    const barred = await app.current.build.user();
    await app.current.database.query('UPDATE users SET can_create_group = false WHERE id = $1', [barred.id]);
    expect((await create({}, barred)).status).toBe(400);
    const { status, body } = await create(fresh(), barred);
    expect([status, body]).toEqual([403, { message: '403 Forbidden' }]);
    const parent = await app.current.build.group({ members: { owner: barred } });
    expect((await create(fresh({ parent_id: parent.id }), barred)).status).toBe(201);
  });

  const FORMAT =
    "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";
  it.each([
    [{ path: '..' }, { path: [FORMAT] }],
    [{ path: '.' }, { path: [FORMAT] }],
    [{ path: 'a/b' }, { path: [FORMAT] }],
    [{ path: '-x' }, { path: [FORMAT] }],
    [{ path: 'x.GIT' }, { path: [FORMAT] }],
    [{ path: 'x.atom' }, { path: [FORMAT] }],
    [{ path: 'ünicode' }, { path: [FORMAT] }],
    [{ path: 'line\nbreak' }, { path: [FORMAT] }],
    [{ path: '' }, { path: ["can't be blank"] }],
    [{ path: 'Admin' }, { path: ['is a reserved name'] }],
    [{ path: 'x'.repeat(256) }, { path: ['is too long (maximum is 255 characters)'] }],
    [{ name: '  ' }, { name: ["can't be blank"] }],
    [{ name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [{ description: 'x'.repeat(256) }, { description: ['is too long (maximum is 255 characters)'] }],
  ])('refuses %j', async (wrong, message) => {
    const { status, body } = await create(fresh(wrong));
    expect([status, body]).toEqual([400, { message }]);
  });

  it('refuses the words of pages inside of a group', async () => {
    const parent = await create(fresh());
    const { body } = await create(fresh({ path: 'tree', parent_id: parent.body.id }));
    expect(body).toEqual({ message: { path: ['is a reserved name'] } });
    expect((await create(fresh({ path: 'admin', parent_id: parent.body.id }))).status).toBe(201);
  });

  it('answers 400 to what is missing or unknown', async () => {
    expect((await create(fresh({ path: undefined }))).body).toEqual({
      message: '400 (Bad request) "path" not given',
    });
    expect((await create(fresh({ visibility: 'secret' }))).body).toEqual({
      error: 'visibility does not have a valid value',
    });
    expect((await create(fresh({ parent_id: 'x' }))).body).toEqual({ error: 'parent_id is invalid' });
    expect((await create(fresh({ path: ['a', 'b'] }))).body).toEqual({ error: 'path is invalid' });
  });

  it('refuses names and paths that siblings or users have', async () => {
    const first = fresh();
    await create(first);
    const taken = ['has already been taken'];
    expect((await create(first)).body).toEqual({ message: { name: taken, path: taken } });
    expect((await create(fresh({ path: first.path.toUpperCase() }))).body).toEqual({
      message: { path: taken },
    });
    expect((await create(fresh({ path: user.username }))).body).toEqual({ message: { path: taken } });
  });

  it('lets one of several simultaneous requests win', async () => {
    const params = fresh();
    const answers = await Promise.all([create(params), create(params), create(params)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  it('refuses to show more than the parent shows', async () => {
    const parent = await create(fresh({ visibility: 'internal' }));
    const { status, body } = await create(fresh({ parent_id: parent.body.id, visibility: 'public' }));
    expect([status, body]).toEqual([
      400,
      {
        message: {
          visibility_level: ['public is not allowed since the parent group has a internal visibility.'],
        },
      },
    ]);
  });

  it('nests a hundred deep, where it works as anywhere, and no deeper', async () => {
    let parent = await app.current.build.group({ members: { owner: user } });
    for (let depth = 2; depth < 100; depth += 1) parent = await app.current.build.group({ parent });
    const { status, body: deepest } = await create(fresh({ parent_id: parent.id }));
    expect(status).toBe(201);
    const { body: read } = await app.current.as(user).get(`/groups/${encodeURIComponent(deepest.full_path)}`);
    expect(read.full_path.split('/')).toHaveLength(100);
    const { status: above, body } = await create(fresh({ parent_id: deepest.id }));
    expect([above, body]).toEqual([400, { message: { parent_id: ['has too deep level of nesting'] } }]);
  });
});

describe('GET /groups/:id', () => {
  it('tells the runners’ token to owners and administrators alone', async () => {
    const members = { owner: user, maintainer: await app.current.build.user() };
    const group = await app.current.build.group({ visibility: 'public', members });
    const shows = async (by: BuiltUser): Promise<boolean> =>
      'runners_token' in (await app.current.as(by).get(`/groups/${group.id}`)).body;
    expect(await shows(members.owner)).toBe(true);
    expect(await shows(admin)).toBe(true);
    expect(await shows(members.maintainer)).toBe(false);
    expect((await app.current.api.get(`/groups/${group.id}`)).body).not.toHaveProperty('runners_token');
  });

  it('shows the projects that the caller sees, and none when not asked to', async () => {
    const group = await app.current.build.group({ visibility: 'public', members: { owner: user } });
    const open = await app.current.build.project({ namespace: group, visibility: 'public' });
    const hidden = await app.current.build.project({ namespace: group, visibility: 'private' });
    const shared = await app.current.build.project({ visibility: 'public' });
    await app.current.build.share(shared, group, 'developer');
    const ids = (projects: { id: number }[]): number[] => projects.map(({ id }) => id);
    const own = (await app.current.as(user).get(`/groups/${group.id}`)).body;
    expect(ids(own.projects).sort()).toEqual([open.id, hidden.id].sort());
    expect(ids(own.shared_projects)).toEqual([shared.id]);
    const anonymous = (await app.current.api.get(`/groups/${group.id}`)).body;
    expect(ids(anonymous.projects)).toEqual([open.id]);
    const without = (await app.current.as(user).get(`/groups/${group.id}?with_projects=false`)).body;
    expect(without).not.toHaveProperty('projects');
    expect(without).not.toHaveProperty('shared_projects');
  });

  it('is found by id or path, and hidden from strangers', async () => {
    const group = await app.current.build.group({ path: 'Hidden-group', members: { guest: user } });
    const child = await app.current.build.group({ path: 'Child.one', parent: group });
    expect((await app.current.as(user).get('/groups/hidden-GROUP%2Fchild.one')).body.id).toBe(child.id);
    expect((await app.current.as(user).head(`/groups/${group.id}`)).status).toBe(200);
    const stranger = await app.current.build.user();
    for (const api of [app.current.as(stranger), app.current.api]) {
      const { status, body } = await api.get(`/groups/${group.id}`);
      expect([status, body]).toEqual([404, { message: '404 Group Not Found' }]);
    }
    expect((await app.current.as(user).get(`/groups/${user.username}`)).status).toBe(404);
  });
});
