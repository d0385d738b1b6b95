import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import { until } from '#libs/testing';
import { RemoveProject } from '../../../src/repository/projects/project-removal.job';
import { useApplication } from '../../support/application';

const app = useApplication();

const as = (user: { token: string }) => app.current.as(user);

const git = (repository: string, ...args: string[]): string =>
  execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim();

const diskPathOf = async (id: number): Promise<string> => {
  const { rows } = await app.current.database.query<{ disk_path: string }>(
    'SELECT disk_path FROM projects WHERE id = $1',
    [id],
  );
  const [storage] = app.current.settings.repositoryStorages.values();
  return `${storage}/${rows[0]?.disk_path}.git`;
};

describe('GET /projects/:id', () => {
  it('finds a project by id and by path in any letter case', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const project = await build.project({ owner });
    for (const id of [
      project.id,
      encodeURIComponent(project.fullPath),
      encodeURIComponent(project.fullPath.toUpperCase()),
    ]) {
      const { status, body } = await as(owner).get(`/projects/${id}`);
      expect({ status, id: body.id }).toEqual({ status: 200, id: project.id });
    }
    expect((await as(owner).head(`/projects/${project.id}`)).status).toBe(200);
  });

  it('shows anonymous callers the simple form of public projects alone', async () => {
    const { build, api } = app.current;
    const project = await build.project({ visibility: 'public', files: { 'a.md': 'a' } });
    const { body } = await api.get(`/projects/${project.id}?statistics=true`);
    expect(Object.keys(body)).toEqual([
      ...[
        'id',
        'description',
        'default_branch',
        'ssh_url_to_repo',
        'http_url_to_repo',
        'web_url',
        'readme_url',
      ],
      ...[
        'tag_list',
        'name',
        'name_with_namespace',
        'path',
        'path_with_namespace',
        'created_at',
        'last_activity_at',
      ],
      ...['forks_count', 'avatar_url', 'star_count'],
    ]);
    for (const visibility of ['internal', 'private'] as const) {
      const hidden = await build.project({ visibility });
      const answer = await api.get(`/projects/${hidden.id}`);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 404,
        body: { message: '404 Project Not Found' },
      });
    }
  });

  it('shows each role what is theirs', async () => {
    const { build } = app.current;
    const members = {
      guest: await build.user(),
      reporter: await build.user(),
      developer: await build.user(),
      maintainer: await build.user(),
    };
    const owner = await build.user();
    const [admin, stranger] = [await build.user({ admin: true }), await build.user()];
    const project = await build.project({ owner, members, files: { 'a.md': 'a' } });
    const seenBy = async (user: { token: string }) => {
      const { status, body } = await as(user).get(`/projects/${project.id}?statistics=true&license=true`);
      return {
        status,
        code: 'default_branch' in body,
        statistics: 'statistics' in body,
        secret: 'runners_token' in body && 'import_error' in body,
        storage: 'repository_storage' in body,
        license: body.license,
        access: body.permissions?.project_access?.access_level,
      };
    };
    const base = { status: 200, license: null, storage: false };
    expect(await seenBy(members.guest)).toEqual({
      ...base,
      code: false,
      statistics: false,
      secret: false,
      access: 10,
    });
    expect(await seenBy(members.reporter)).toEqual({
      ...base,
      code: true,
      statistics: true,
      secret: false,
      access: 20,
    });
    expect(await seenBy(members.developer)).toEqual({
      ...base,
      code: true,
      statistics: true,
      secret: false,
      access: 30,
    });
    expect(await seenBy(members.maintainer)).toEqual({
      ...base,
      code: true,
      statistics: true,
      secret: true,
      access: 40,
    });
    expect(await seenBy(owner)).toEqual({
      ...base,
      code: true,
      statistics: true,
      secret: true,
      access: undefined,
    });
    expect(await seenBy(admin)).toEqual({
      ...base,
      storage: true,
      code: true,
      statistics: true,
      secret: true,
      access: undefined,
    });
    expect((await seenBy(stranger)).status).toBe(404);
  });

  it('shows shares, but no groups that are hidden from the caller', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const project = await build.project({ owner });
    const [open, hidden, own] = [
      await build.group({ visibility: 'public' }),
      await build.group(),
      await build.group({ members: { guest: owner } }),
    ];
    for (const group of [open, hidden, own]) await build.share(project, group, 'developer');
    const { body } = await as(owner).get(`/projects/${project.id}`);
    const share = (group: { id: number; fullPath: string }) => ({
      group_id: group.id,
      group_name: group.fullPath,
      group_full_path: group.fullPath,
      group_access_level: 30,
      expires_at: null,
    });
    expect(body.shared_with_groups).toEqual([share(open), share(own)]);
  });

  it('knows readme, commit count and size a moment after a commit', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const project = await build.project({ owner, files: { 'a.md': 'a' } });
    const file = { branch: 'master', content: '# x', commit_message: 'readme' };
    expect((await as(owner).post(`/projects/${project.id}/repository/files/readme.md`, file)).status).toBe(
      201,
    );
    const read = async () => (await as(owner).get(`/projects/${project.id}?statistics=true`)).body;
    await until(async () => (await read()).readme_url !== null);
    const { readme_url: url, statistics } = await read();
    expect(url).toBe(`http://service.test/${project.fullPath}/blob/master/readme.md`);
    expect(statistics).toMatchObject({
      commit_count: 2,
      wiki_size: 0,
      lfs_objects_size: 0,
      job_artifacts_size: 0,
      packages_size: 0,
    });
    expect(statistics.repository_size).toBeGreaterThan(0);
    expect(statistics.storage_size).toBe(statistics.repository_size);
  });
});

describe('PUT /projects/:id', () => {
  it('changes settings, for maintainers', async () => {
    const { build } = app.current;
    const maintainer = await build.user();
    const project = await build.project({ members: { maintainer } });
    const { status, body } = await as(maintainer).put(`/projects/${project.id}`, {
      description: 'new',
      jobs_enabled: false,
      merge_method: 'rebase_merge',
      tag_list: [],
      ci_default_git_depth: null,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      description: 'new',
      jobs_enabled: false,
      builds_access_level: 'disabled',
      merge_method: 'rebase_merge',
      tag_list: [],
      ci_default_git_depth: null,
      name: project.path,
    });
    const cleared = await as(maintainer).put(`/projects/${project.id}`, { description: null });
    expect(cleared.body.description).toBeNull();
  });

  it('renames for owners: the path moves and the repository stays where it is', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const project = await build.project({ owner, files: { 'a.md': 'a' } });
    const { status, body } = await as(owner).put(`/projects/${project.id}`, {
      name: 'New Name',
      path: 'new-path',
    });
    expect({ status, path: body.path_with_namespace, name: body.name }).toEqual({
      status: 200,
      path: `${owner.username}/new-path`,
      name: 'New Name',
    });
    const formerly = await as(owner).get(`/projects/${encodeURIComponent(project.fullPath)}`);
    expect(formerly.body.path_with_namespace).toBe(`${owner.username}/new-path`);
    const raw = await as(owner).get(
      `/projects/${owner.username}%2Fnew-path/repository/files/a.md/raw?ref=master`,
    );
    expect(raw.text).toBe('a');
    expect(await diskPathOf(project.id)).toBe(project.repositoryPath);
  });

  it.each([{ name: 'other' }, { path: 'other' }, { visibility: 'public' }, { archived: true }])(
    'keeps %j for owners',
    async (change) => {
      const { build } = app.current;
      const [maintainer, owner] = [await build.user(), await build.user()];
      const project = await build.project({ owner, members: { maintainer } });
      expect((await as(maintainer).put(`/projects/${project.id}`, change)).status).toBe(403);
      const { status, body } = await as(owner).put(`/projects/${project.id}`, change);
      expect({ status, body }).toMatchObject({ status: 200, body: change });
    },
  );

  it('makes another branch the default one, also for clones', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const project = await build.project({ owner, files: { 'a.md': 'a' } });
    git(project.repositoryPath, 'branch', 'develop', 'master');
    const { body } = await as(owner).put(`/projects/${project.id}`, {
      default_branch: 'develop',
      description: 'x',
    });
    expect(body).toMatchObject({ default_branch: 'develop', description: 'x' });
    expect(git(project.repositoryPath, 'symbolic-ref', 'HEAD')).toBe('refs/heads/develop');
    for (const branch of ['nope', '../x', '--all', 'HEAD']) {
      const refused = await as(owner).put(`/projects/${project.id}`, { default_branch: branch });
      expect({ status: refused.status, body: refused.body }).toEqual({
        status: 400,
        body: { message: { base: ['Could not set the default branch'] } },
      });
    }
    expect(git(project.repositoryPath, 'symbolic-ref', 'HEAD')).toBe('refs/heads/develop');
  });

  it('refuses bad names, taken names and nothing at all', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const [project, other] = [await build.project({ owner }), await build.project({ owner })];
    const put = async (change: object) => {
      const { status, body } = await as(owner).put(`/projects/${project.id}`, change);
      return { status, ...body };
    };
    expect(await put({ path: '../x' })).toMatchObject({
      status: 400,
      message: { path: [expect.any(String)] },
    });
    expect(await put({ name: ' ' })).toEqual({ status: 400, message: { name: ["can't be blank"] } });
    expect(await put({ path: other.path.toUpperCase() })).toEqual({
      status: 400,
      message: { path: ['has already been taken'] },
    });
    expect(await put({ name: other.path })).toEqual({
      status: 400,
      message: { name: ['has already been taken'] },
    });
    expect(await put({ name: project.path, path: project.path })).toMatchObject({ status: 200 });
    expect(await put({})).toMatchObject({
      status: 400,
      error: expect.stringContaining('at least one parameter must be provided'),
    });
  });

  it('keeps a project within the visibility of its group', async () => {
    const owner = await app.current.build.user();
    const namespace = await app.current.build.group({ members: { owner } });
    const project = await app.current.build.project({ namespace });
    const { status, body } = await as(owner).put(`/projects/${project.id}`, { visibility: 'internal' });
    expect({ status, body }).toEqual({
      status: 400,
      body: { message: { visibility_level: ['internal is not allowed in a private group.'] } },
    });
  });

  it('is for maintainers and above', async () => {
    const { build, api } = app.current;
    const members = {
      guest: await build.user(),
      reporter: await build.user(),
      developer: await build.user(),
    };
    const project = await build.project({ members });
    for (const user of Object.values(members)) {
      expect((await as(user).put(`/projects/${project.id}`, { description: 'x' })).status).toBe(403);
    }
    expect((await as(await build.user()).put(`/projects/${project.id}`, { description: 'x' })).status).toBe(
      404,
    );
    expect((await api.put(`/projects/${project.id}`, { description: 'x' })).status).toBe(401);
  });
});

describe('DELETE /projects/:id', () => {
  it('hides the project at once, sets its path free, and removes rows and repository', async () => {
    const { build, database } = app.current;
    const owner = await build.user();
    const project = await build.project({
      owner,
      members: { guest: await build.user() },
      files: { 'a.md': 'a' },
    });
    const { status, body } = await as(owner).delete(`/projects/${project.id}`);
    expect({ status, body }).toEqual({ status: 202, body: { message: '202 Accepted' } });
    expect((await as(owner).get(`/projects/${project.id}`)).status).toBe(404);
    expect((await as(owner).get(`/projects?owned=true`)).body).toEqual([]);
    const again = await as(owner).post('/projects', { name: project.path, path: project.path });
    expect(again.status).toBe(201);
    await until(
      async () =>
        (await database.query('SELECT 1 FROM projects WHERE id = $1', [project.id])).rows.length === 0,
    );
    await expect(fs.stat(project.repositoryPath)).rejects.toThrow('ENOENT');
    const members = await database.query(
      `SELECT 1 FROM members WHERE source_kind = 'project' AND source_id = $1`,
      [project.id],
    );
    expect(members.rows).toEqual([]);
    expect((await as(owner).get(`/projects/${again.body.id}`)).status).toBe(200);
  });

  it('goes on with a removal that broke off after the repository was gone, and does it once', async () => {
    const { build, database, nest } = app.current;
    const project = await build.project({ files: { 'a.md': 'a' } });
    const removal = nest.get(RemoveProject);
    await removal.run({ projectId: project.id });
    expect((await fs.stat(project.repositoryPath)).isDirectory()).toBe(true);
    await database.query('UPDATE projects SET pending_delete = true WHERE id = $1', [project.id]);
    await fs.rm(project.repositoryPath, { recursive: true });
    await removal.run({ projectId: project.id });
    await removal.run({ projectId: project.id });
    expect((await database.query('SELECT 1 FROM projects WHERE id = $1', [project.id])).rows).toEqual([]);
  });

  it('deletes nothing that changed since the caller looked', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner });
    const at = (date: Date) => as(owner).with({ 'if-unmodified-since': date.toUTCString() });
    const stale = await at(new Date(Date.now() - 60_000)).delete(`/projects/${project.id}`);
    expect({ status: stale.status, body: stale.body }).toEqual({
      status: 412,
      body: { message: '412 Precondition Failed' },
    });
    expect((await as(owner).get(`/projects/${project.id}`)).status).toBe(200);
    expect((await at(new Date(Date.now() + 60_000)).delete(`/projects/${project.id}`)).status).toBe(202);
  });

  it('is for owners and administrators', async () => {
    const { build, api } = app.current;
    const maintainer = await build.user();
    const project = await build.project({ members: { maintainer } });
    expect((await as(maintainer).delete(`/projects/${project.id}`)).status).toBe(403);
    expect((await as(await build.user()).delete(`/projects/${project.id}`)).status).toBe(404);
    expect((await api.delete(`/projects/${project.id}`)).status).toBe(401);
    expect((await as(await build.user({ admin: true })).delete(`/projects/${project.id}`)).status).toBe(202);
  });
});
