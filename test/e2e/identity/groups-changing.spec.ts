import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';

const app = useApplication();

let admin: BuiltUser;
let owner: BuiltUser;
let counter = 0;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  owner = await app.current.build.user();
});

type GroupOptions = Parameters<typeof app.current.build.group>[0];

const group = (options: GroupOptions = {}): Promise<BuiltGroup> =>
  app.current.build.group({ members: { owner }, ...options });
const change = ({ id }: { id: number }, params: object, by = owner) =>
  app.current.as(by).put(`/groups/${id}`, params);
const word = (): string => `word-${(counter += 1)}`;

const columns = async ({ id }: { id: number }, names: string): Promise<Record<string, unknown>> => {
  const { rows } = await app.current.database.query(`SELECT ${names} FROM namespaces WHERE id = $1`, [id]);
  return rows[0];
};

describe('PUT /groups/:id', () => {
  it('changes what is given and answers the group with its projects', async () => {
    const made = await group();
    const project = await app.current.build.project({ namespace: made });
    const params = {
      name: word(),
      path: word(),
      description: 'New words',
      visibility: 'internal',
      lfs_enabled: false,
      request_access_enabled: true,
      membership_lock: true,
      share_with_group_lock: true,
      file_template_project_id: project.id,
    };
    const { status, body } = await change(made, params);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: made.id,
      name: params.name,
      path: params.path,
      description: 'New words',
      visibility: 'internal',
      lfs_enabled: false,
      avatar_url: null,
      web_url: `http://service.test/groups/${params.path}`,
      request_access_enabled: true,
      full_name: params.name,
      full_path: params.path,
      file_template_project_id: project.id,
      parent_id: null,
      runners_token: expect.any(String),
      shared_runners_minutes_limit: null,
      extra_shared_runners_minutes_limit: null,
      projects: [expect.objectContaining({ id: project.id })],
      shared_projects: [],
    });
    expect(await columns(made, 'membership_lock, share_with_group_lock')).toEqual({
      membership_lock: true,
      share_with_group_lock: true,
    });
  });

  it('leaves the rest as it is, and all of it when nothing is given', async () => {
    const made = await group({ visibility: 'public' });
    await change(made, { description: 'Stays' });
    const before = (await app.current.as(owner).get(`/groups/${made.id}`)).body;
    const { status, body } = await change(made, {});
    expect([status, body]).toEqual([200, before]);
    const renamed = (await change(made, { name: word() })).body;
    expect(renamed).toEqual({ ...before, name: renamed.name, full_name: renamed.name });
    expect((await change(made, { description: '' })).body.description).toBe('');
    expect((await change(made, { id: 1, parent_id: 1, owner_id: 1, runners_token: 'x' })).body).toEqual({
      ...renamed,
      description: '',
    });
  });

  it('is for owners and administrators; whom the group is hidden from do not find it', async () => {
    const { build } = app.current;
    const members = {
      guest: await build.user(),
      reporter: await build.user(),
      developer: await build.user(),
      maintainer: await build.user(),
      owner,
    };
    const hidden = await group({ members });
    const open = await group({ visibility: 'public' });
    const stranger = await build.user();
    for (const name of ['guest', 'reporter', 'developer', 'maintainer'] as const)
      expect((await change(hidden, { name: word() }, members[name])).status).toBe(403);
    expect((await change(hidden, { name: word() }, stranger)).body).toEqual({
      message: '404 Group Not Found',
    });
    expect((await change(open, { name: word() }, stranger)).body).toEqual({ message: '403 Forbidden' });
    expect((await app.current.api.put(`/groups/${open.id}`, { name: word() })).status).toBe(401);
    expect((await app.current.api.put(`/groups/${hidden.id}`, { name: word() })).status).toBe(401);
    expect((await change(hidden, { name: word() }, admin)).status).toBe(200);
    expect((await change({ id: 0 }, { name: word() }, admin)).status).toBe(404);
    const child = await app.current.build.group({ parent: hidden });
    expect((await change(child, { name: word() })).status).toBe(200);
  });

  it('moves everything inside when the path changes', async () => {
    const { build } = app.current;
    const top = await group({ path: 'Old_path' });
    const sibling = await group({ path: 'Old_path2' });
    const child = await group({ path: 'child', parent: top });
    const project = await build.project({ namespace: child, path: 'deep', files: { 'a.txt': 'a' } });
    const other = await build.project({ namespace: sibling, path: 'near' });
    await change(top, { path: 'New.path' }).expect(200);
    const as = app.current.as(owner);
    const found = (await as.get(`/projects/${encodeURIComponent('New.path/child/deep')}`)).body;
    expect(found).toMatchObject({
      id: project.id,
      path_with_namespace: 'New.path/child/deep',
      namespace: { full_path: 'New.path/child' },
    });
    const file = `/projects/${encodeURIComponent('new.PATH/child/deep')}/repository/files/a.txt/raw?ref=master`;
    expect((await as.get(file)).text).toBe('a');
    expect((await as.get('/groups/New.path%2Fchild')).body.id).toBe(child.id);
    expect((await as.get('/groups/Old_path%2Fchild')).body.full_path).toBe('New.path/child');
    expect((await as.get('/groups/Old_path')).body.id).toBe(top.id);
    expect((await as.get('/groups/Old_path2')).body.id).toBe(sibling.id);
    expect((await as.get(`/projects/${other.id}`)).body.path_with_namespace).toBe('Old_path2/near');
    expect((await change(top, { path: 'NEW.path' })).body.full_path).toBe('NEW.path');
    expect((await as.get(`/projects/${project.id}`)).body.path_with_namespace).toBe('NEW.path/child/deep');
  });

  it('moves a subgroup within its parent alone', async () => {
    const top = await group();
    const child = await group({ path: 'first', parent: top });
    const grandchild = await group({ path: 'first', parent: child });
    expect((await change(child, { path: 'second' })).body.full_path).toBe(`${top.fullPath}/second`);
    expect((await app.current.as(owner).get(`/groups/${grandchild.id}`)).body.full_path).toBe(
      `${top.fullPath}/second/first`,
    );
  });

  it('refuses names and paths that others have', async () => {
    const taken = ['has already been taken'];
    const first = await group();
    const second = await group();
    expect((await change(second, { path: first.fullPath.toUpperCase() })).body).toEqual({
      message: { path: taken },
    });
    expect((await change(second, { name: first.fullPath, path: owner.username })).body).toEqual({
      message: { name: taken, path: taken },
    });
    const { status } = await change(second, { name: second.fullPath, path: second.fullPath });
    expect(status).toBe(200);
    const inside = await group({ path: 'inside', parent: first });
    await app.current.build.project({ namespace: first, path: 'a-project' });
    expect((await change(inside, { path: 'A-project' })).body).toEqual({ message: { path: taken } });
  });

  it('lets one of several who want a path at the same moment have it', async () => {
    const groups = [await group(), await group(), await group()];
    const path = word();
    const answers = await Promise.all(groups.map((each) => change(each, { path })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it.each([
    [{ path: 'a/b' }, 'path'],
    [{ path: '../x' }, 'path'],
    [{ path: 'x.git' }, 'path'],
    [{ path: '' }, 'path'],
    [{ path: 'dashboard' }, 'path'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ description: 'x'.repeat(256) }, 'description'],
    [{ file_template_project_id: 0 }, 'file_template_project_id'],
  ])('refuses %j', async (wrong, field) => {
    const made = await group();
    const { status, body } = await change(made, { ...wrong, lfs_enabled: false });
    expect([status, Object.keys(body.message)]).toEqual([400, [field]]);
    expect(await columns(made, 'lfs_enabled')).toEqual({ lfs_enabled: true });
  });

  it('refuses values that are none', async () => {
    const made = await group();
    expect((await change(made, { visibility: 'secret' })).body).toEqual({
      error: 'visibility does not have a valid value',
    });
    expect((await change(made, { name: { first: 'x' } })).body).toEqual({ error: 'name is invalid' });
    expect((await change(made, { membership_lock: 'perhaps' })).status).toBe(400);
  });

  it('refuses a path that makes those inside too long', async () => {
    const top = await group();
    let parent = top;
    for (let depth = 0; depth < 8; depth++)
      parent = await group({ path: `${word()}-${'x'.repeat(235)}`, parent });
    const { status, body } = await change(top, { path: 'y'.repeat(200) });
    const message = { path: ['makes a full path that is too long (maximum is 2000 characters)'] };
    expect([status, body]).toEqual([400, { message }]);
  });

  it('stays within what the parent shows', async () => {
    const parent = await group({ visibility: 'internal' });
    const child = await group({ parent });
    expect((await change(child, { visibility: 'public' })).body).toEqual({
      message: {
        visibility_level: ['public is not allowed since the parent group has a internal visibility.'],
      },
    });
    expect((await change(child, { visibility: 'internal' })).status).toBe(200);
  });

  it('shows no less than what is inside', async () => {
    const top = await group({ visibility: 'public' });
    const child = await group({ visibility: 'internal', parent: top });
    expect((await change(top, { visibility: 'private' })).body).toEqual({
      message: {
        visibility_level: ['private is not allowed since there are sub-groups with higher visibility.'],
      },
    });
    const project = await app.current.build.project({ namespace: top, visibility: 'public' });
    expect((await change(top, { visibility: 'internal' })).body).toEqual({
      message: {
        visibility_level: [
          'internal is not allowed since this group contains projects with higher visibility.',
        ],
      },
    });
    await app.current.as(owner).put(`/projects/${project.id}`, { visibility: 'internal' }).expect(200);
    expect((await change(top, { visibility: 'internal' })).status).toBe(200);
    await app.current.as(owner).delete(`/projects/${project.id}`).expect(202);
    await app.current.as(owner).delete(`/groups/${child.id}`).expect(202);
    expect((await change(top, { visibility: 'private' })).status).toBe(200);
  });

  it('never is private around something public, whoever is faster', async () => {
    for (let round = 0; round < 5; round++) {
      const top = await group({ visibility: 'public' });
      const params = { name: word(), path: word(), parent_id: top.id, visibility: 'public' };
      const as = app.current.as(owner);
      await Promise.all([
        as.post('/groups', params),
        as.post('/projects', { path: word(), namespace_id: top.id, visibility: 'public' }),
        change(top, { visibility: 'private' }),
      ]);
      const { rows } = await app.current.database.query(
        `SELECT 1 FROM namespaces top WHERE id = $1 AND visibility = 'private' AND (
           EXISTS (SELECT 1 FROM namespaces WHERE parent_id = top.id AND visibility = 'public')
           OR EXISTS (SELECT 1 FROM projects WHERE namespace_id = top.id AND visibility = 'public'))`,
        [top.id],
      );
      expect(rows).toEqual([]);
    }
  });

  it('makes the right path for what is put in while it is renamed', async () => {
    for (let round = 0; round < 5; round++) {
      const top = await group();
      const child = await group({ parent: top });
      const as = app.current.as(owner);
      const moved = word();
      const [made, project] = await Promise.all([
        as.post('/groups', { name: word(), path: 'made', parent_id: child.id }),
        as.post('/projects', { path: 'project', namespace_id: child.id }),
        change(top, { path: moved }),
      ]);
      for (const url of [`/groups/${made.body.id}?with_projects=false`, `/projects/${project.body.id}`]) {
        const { full_path: ofGroup, path_with_namespace: ofProject } = (await as.get(url)).body;
        expect((ofGroup ?? ofProject).split('/')[0]).toBe(moved);
      }
    }
  });

  it('locks the sharing of projects for all groups inside, who cannot unlock it', async () => {
    const { build } = app.current;
    const childOwner = await build.user();
    const top = await group();
    const child = await group({ parent: top, members: { owner: childOwner } });
    const grandchild = await group({ parent: child, members: {} });
    await change(top, { share_with_group_lock: true }).expect(200);
    const isLocked = { share_with_group_lock: true };
    expect(await columns(child, 'share_with_group_lock')).toEqual(isLocked);
    expect(await columns(grandchild, 'share_with_group_lock')).toEqual(isLocked);
    const { status, body } = await change(child, { share_with_group_lock: false }, childOwner);
    expect([status, Object.keys(body.message)]).toEqual([400, ['share_with_group_lock']]);
    expect((await change(child, { share_with_group_lock: true }, childOwner)).status).toBe(200);
    expect((await change(child, { share_with_group_lock: false })).status).toBe(200);
    await change(top, { share_with_group_lock: false }).expect(200);
    expect((await change(grandchild, { share_with_group_lock: false }, childOwner)).status).toBe(200);
  });

  it('takes templates from a project of its own, and forgets them with it', async () => {
    const made = await group();
    const project = await app.current.build.project({ namespace: made });
    const elsewhere = await app.current.build.project({ namespace: await group() });
    const refused = await change(made, { file_template_project_id: elsewhere.id });
    expect(refused.body).toEqual({
      message: { file_template_project_id: ['is not a project of this group'] },
    });
    const set = async (): Promise<void> => {
      const { body } = await change(made, { file_template_project_id: project.id });
      expect(body.file_template_project_id).toBe(project.id);
    };
    await set();
    expect((await change(made, { file_template_project_id: null })).body.file_template_project_id).toBeNull();
    await set();
    const target = await group();
    await app.current.as(admin).post(`/groups/${target.id}/projects/${project.id}`).expect(201);
    expect(await columns(made, 'file_template_project_id')).toEqual({ file_template_project_id: null });
  });

  it('takes limits on runners’ minutes from administrators, for groups at the top', async () => {
    const made = await group();
    const limits = { shared_runners_minutes_limit: 100, extra_shared_runners_minutes_limit: 5 };
    expect((await change(made, limits)).status).toBe(403);
    expect((await change(made, limits, admin)).body).toMatchObject(limits);
    expect((await change(made, { ...limits, description: 'same limits' })).status).toBe(200);
    expect((await change(made, { shared_runners_minutes_limit: null }, admin)).body).toMatchObject({
      shared_runners_minutes_limit: null,
      extra_shared_runners_minutes_limit: 5,
    });
    const child = await group({ parent: made });
    expect((await change(child, { shared_runners_minutes_limit: 7 }, admin)).body).toEqual({
      message: { shared_runners_minutes_limit: ['is not supported for this namespace'] },
    });
  });
});

describe('PUT /groups/:id where nothing is licensed', () => {
  const core = useApplication({ TIER: 'core' });

  it('passes over what the tier does not have', async () => {
    const { build } = core.current;
    const by = await build.user();
    const made = await build.group({ members: { owner: by } });
    const project = await build.project({ namespace: made });
    const { status, body } = await core.current.as(by).put(`/groups/${made.id}`, {
      description: 'Changed',
      membership_lock: true,
      file_template_project_id: project.id,
      shared_runners_minutes_limit: 5,
    });
    expect([status, body.description, body.file_template_project_id]).toEqual([200, 'Changed', null]);
    expect(body).not.toHaveProperty('shared_runners_minutes_limit');
    const { rows } = await core.current.database.query(
      'SELECT membership_lock, shared_runners_minutes_limit FROM namespaces WHERE id = $1',
      [made.id],
    );
    expect(rows).toEqual([{ membership_lock: false, shared_runners_minutes_limit: null }]);
  });
});
