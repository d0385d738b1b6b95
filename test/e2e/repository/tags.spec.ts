import { execFileSync } from 'node:child_process';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const as = (user: { token: string }) => app.current.as(user);

const git = (
  { repositoryPath }: BuiltProject,
  args: string[],
  environment: Record<string, string> = {},
): string =>
  execFileSync(
    'git',
    ['-C', repositoryPath, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    },
  ).trim();

/** `older` is lightweight and first by name and commit, `zeta/new` annotated and newest. */
async function projectWithTags(members: Record<string, BuiltUser> = {}): Promise<BuiltProject> {
  const project = await app.current.build.project({ members, visibility: 'public', files: { 'a.md': 'a' } });
  const date = '2024-05-01T10:00:00Z';
  const environment = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const second = git(project, ['commit-tree', 'master^{tree}', '-p', 'master', '-m', 'second'], environment);
  git(project, ['tag', 'older', 'master']);
  git(project, ['tag', '-a', '-m', 'Good news\n\nAll of it', 'zeta/new', second]);
  git(project, ['tag', 'middle', second]);
  return project;
}

const namesAt = async (project: BuiltProject, query: string): Promise<string[]> => {
  const { body }: { body: { name: string }[] } = await app.current.api.get(
    `/projects/${project.id}/repository/tags${query}`,
  );
  return body.map(({ name }) => name);
};

describe('GET /projects/:id/repository/tags', () => {
  it('tells all about each tag', async () => {
    const project = await projectWithTags();
    const { status, body, headers } = await app.current.api.get(
      `/projects/${project.id}/repository/tags?order_by=name`,
    );
    expect(status).toBe(200);
    expect(headers['x-total']).toBe('3');
    expect(body).toEqual([
      {
        name: 'zeta/new',
        message: 'Good news\n\nAll of it',
        target: git(project, ['rev-parse', 'zeta/new']),
        commit: expect.objectContaining({ title: 'second', id: git(project, ['rev-parse', 'middle']) }),
        release: null,
        protected: false,
      },
      expect.objectContaining({ name: 'older', message: null, target: project.tip }),
      expect.objectContaining({ name: 'middle', message: null }),
    ]);
    expect(Object.keys(body[0])).toEqual(['name', 'message', 'target', 'commit', 'release', 'protected']);
  });

  it('orders by time of commit or by name, and searches', async () => {
    const project = await projectWithTags();
    expect((await namesAt(project, '')).at(-1)).toBe('older');
    expect((await namesAt(project, '?order_by=updated&sort=asc'))[0]).toBe('older');
    expect(await namesAt(project, '?order_by=name&sort=asc')).toEqual(['middle', 'older', 'zeta/new']);
    expect(await namesAt(project, '?search=^o')).toEqual(['older']);
    expect(await namesAt(project, '?search=NEW$')).toEqual(['zeta/new']);
    expect(await namesAt(project, '?search=d&order_by=name')).toEqual(['older', 'middle']);
    expect(await namesAt(project, '?order_by=name&sort=asc&per_page=1&page=2')).toEqual(['older']);
    for (const query of ['order_by=size', 'sort=up']) {
      expect((await app.current.api.get(`/projects/${project.id}/repository/tags?${query}`)).status).toBe(
        400,
      );
    }
  });

  it('also shows tags of something else than a commit', async () => {
    const project = await projectWithTags();
    git(project, ['tag', 'tree', 'master^{tree}']);
    const { body } = await app.current.api.get(`/projects/${project.id}/repository/tags/tree`);
    expect(body).toMatchObject({
      name: 'tree',
      commit: null,
      target: git(project, ['rev-parse', 'master^{tree}']),
    });
    expect(await namesAt(project, '?sort=asc')).toHaveLength(4);
  });
});

describe('GET /projects/:id/repository/tags/:tag_name', () => {
  it('tells all about one tag', async () => {
    const project = await projectWithTags();
    const { body } = await app.current.api.get(`/projects/${project.id}/repository/tags/zeta%2Fnew`);
    expect(body).toMatchObject({ name: 'zeta/new', commit: { title: 'second' } });
    expect((await app.current.api.head(`/projects/${project.id}/repository/tags/older`)).status).toBe(200);
  });

  it.each(['nope', '--list', '..', 'older^', 'refs%2Ftags%2Folder'])('knows no tag %s', async (name) => {
    const project = await projectWithTags();
    const { status, body } = await app.current.api.get(`/projects/${project.id}/repository/tags/${name}`);
    expect({ status, body }).toEqual({ status: 404, body: { message: '404 Tag Not Found' } });
  });
});

describe('POST /projects/:id/repository/tags', () => {
  it('makes a lightweight tag', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithTags({ developer });
    const { status, body } = await as(developer).post(`/projects/${project.id}/repository/tags`, {
      tag_name: 'v1',
      ref: 'master',
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'v1', message: null, target: project.tip, release: null },
    });
    expect(git(project, ['cat-file', '-t', 'refs/tags/v1'])).toBe('commit');
  });

  it('makes an annotated tag of the caller, with a release', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithTags({ developer });
    const { status, body } = await as(developer).post(`/projects/${project.id}/repository/tags`, {
      tag_name: 'v2',
      ref: 'zeta/new',
      message: 'Better',
      release_description: 'What is new',
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        message: 'Better',
        commit: { title: 'second' },
        release: { tag_name: 'v2', description: 'What is new' },
      },
    });
    expect(body.target).toBe(git(project, ['rev-parse', 'refs/tags/v2']));
    expect(
      git(project, [
        'for-each-ref',
        '--format=%(objecttype) %(taggername) %(taggeremail) %(subject)',
        'refs/tags/v2',
      ]),
    ).toBe(`tag ${developer.name} <${developer.email}> Better`);
    execFileSync('git', ['-C', project.repositoryPath, 'fsck', '--strict'], { stdio: 'pipe' });
  });

  it.each([
    [{ tag_name: 'older', ref: 'master' }, { message: 'Tag older already exists' }],
    [{ tag_name: 'v1', ref: 'nope' }, { message: 'Target nope is invalid' }],
    [{ tag_name: 'v1', ref: '--all' }, { message: 'Target --all is invalid' }],
    [{ tag_name: '--v1', ref: 'master' }, { message: 'Tag name invalid' }],
    [{ tag_name: 'a b', ref: 'master' }, { message: 'Tag name invalid' }],
    [{ tag_name: 'older/below', ref: 'master' }, { message: expect.any(String) }],
    [{ ref: 'master' }, { message: '400 (Bad request) "tag_name" not given' }],
    [{ tag_name: 'v1' }, { message: '400 (Bad request) "ref" not given' }],
  ])('refuses %j and makes nothing', async (parameters, body) => {
    const developer = await app.current.build.user();
    const project = await projectWithTags({ developer });
    const answer = await as(developer).post(`/projects/${project.id}/repository/tags`, parameters);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body });
    expect(await namesAt(project, '?order_by=name&sort=asc')).toEqual(['middle', 'older', 'zeta/new']);
  });
});

describe('DELETE /projects/:id/repository/tags/:tag_name', () => {
  it('deletes a tag with its release, once', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithTags({ developer });
    const path = `/projects/${project.id}/repository/tags/zeta%2Fnew`;
    await as(developer).post(`${path}/release`, { description: 'x' });
    const { status, text } = await as(developer).delete(path);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    const again = await as(developer).delete(path);
    expect({ status: again.status, body: again.body }).toEqual({
      status: 404,
      body: { message: '404 Tag Not Found' },
    });
    const remade = await as(developer).post(`/projects/${project.id}/repository/tags`, {
      tag_name: 'zeta/new',
      ref: 'master',
    });
    expect(remade.body.release).toBeNull();
  });

  it('deletes nothing that is newer than the caller knows', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithTags({ developer });
    const at = (date: string) =>
      as(developer)
        .with({ 'if-unmodified-since': date })
        .delete(`/projects/${project.id}/repository/tags/middle`);
    expect((await at('Mon, 06 Jan 2020 00:00:00 GMT')).status).toBe(412);
    expect((await at('no date')).status).toBe(204);
  });
});

describe('POST /projects/:id/repository/tags/:tag_name/release', () => {
  it('describes a tag once', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithTags({ developer });
    const add = async (tag: string, body: object) => {
      const answer = await as(developer).post(`/projects/${project.id}/repository/tags/${tag}/release`, body);
      return { status: answer.status, body: answer.body };
    };
    expect(await add('older', { description: 'Wow' })).toEqual({
      status: 201,
      body: { tag_name: 'older', description: 'Wow' },
    });
    expect(await add('older', { description: 'Wow' })).toEqual({
      status: 409,
      body: { message: 'Release already exists' },
    });
    expect(await add('nope', { description: 'Wow' })).toEqual({
      status: 404,
      body: { message: 'Tag does not exist' },
    });
    expect(await add('middle', {})).toEqual({
      status: 400,
      body: { message: '400 (Bad request) "description" not given' },
    });
    const { body } = await app.current.api.get(`/projects/${project.id}/repository/tags/older`);
    expect(body.release).toEqual({ tag_name: 'older', description: 'Wow' });
  });
});

describe('PUT /projects/:id/repository/tags/:tag_name/release', () => {
  it('changes what describes a tag', async () => {
    const developer = await app.current.build.user();
    const project = await projectWithTags({ developer });
    const path = `/projects/${project.id}/repository/tags/older/release`;
    const early = await as(developer).put(path, { description: 'x' });
    expect({ status: early.status, body: early.body }).toEqual({
      status: 404,
      body: { message: 'Release does not exist' },
    });
    await as(developer).post(path, { description: 'x' });
    const { status, body } = await as(developer).put(path, { description: 'y' });
    expect({ status, body }).toEqual({ status: 200, body: { tag_name: 'older', description: 'y' } });
  });
});

describe('rights on tags', () => {
  const statusesOf = async (user: BuiltUser | null, project: BuiltProject) => {
    const api = user ? as(user) : app.current.api;
    const path = `/projects/${project.id}/repository/tags`;
    const answers = [
      await api.get(path),
      await api.get(`${path}/older`),
      await api.post(path, { tag_name: 'by-me', ref: 'master' }),
      await api.post(`${path}/by-me/release`, { description: 'x' }),
      await api.put(`${path}/by-me/release`, { description: 'x' }),
      await api.delete(`${path}/by-me`),
    ];
    return answers.map(({ status }) => status);
  };

  it('are those of the access matrix', async () => {
    const { build, database } = app.current;
    const members = {
      guest: await build.user(),
      reporter: await build.user(),
      developer: await build.user(),
    };
    const [stranger, admin] = [await build.user(), await build.user({ admin: true })];
    const project = await projectWithTags(members);
    expect(await statusesOf(null, project)).toEqual([200, 200, 401, 401, 401, 401]);
    expect(await statusesOf(stranger, project)).toEqual([200, 200, 403, 403, 403, 403]);
    await database.query(`UPDATE projects SET visibility = 'private' WHERE id = $1`, [project.id]);
    expect(await statusesOf(null, project)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(await statusesOf(stranger, project)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(await statusesOf(members.guest, project)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(await statusesOf(members.reporter, project)).toEqual([200, 200, 403, 403, 403, 403]);
    expect(await statusesOf(members.developer, project)).toEqual([200, 200, 201, 201, 200, 204]);
    expect(await statusesOf(admin, project)).toEqual([200, 200, 201, 201, 200, 204]);
  });
});
