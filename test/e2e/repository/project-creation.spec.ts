import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
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

describe('POST /projects', () => {
  it('makes a private project of the caller with an empty repository', async () => {
    const { build } = app.current;
    const user = await build.user();
    const { status, body } = await as(user).post('/projects', {
      name: 'Foo Project',
      description: 'About foo',
    });
    expect(status).toBe(201);
    const url = `http://service.test/${user.username}/foo-project`;
    const api = `http://service.test/api/v4/projects/${body.id}`;
    expect(Object.entries(body)).toEqual(
      Object.entries({
        id: expect.any(Number),
        description: 'About foo',
        default_branch: null,
        ssh_url_to_repo: `git@service.test:${user.username}/foo-project.git`,
        http_url_to_repo: `${url}.git`,
        web_url: url,
        readme_url: null,
        tag_list: [],
        name: 'Foo Project',
        name_with_namespace: `${user.username} / Foo Project`,
        path: 'foo-project',
        path_with_namespace: `${user.username}/foo-project`,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        last_activity_at: expect.any(String),
        forks_count: 0,
        avatar_url: null,
        star_count: 0,
        visibility: 'private',
        owner: {
          id: user.id,
          name: user.name,
          username: user.username,
          state: 'active',
          avatar_url: null,
          web_url: `http://service.test/${user.username}`,
          created_at: expect.any(String),
        },
        issues_enabled: true,
        merge_requests_enabled: true,
        jobs_enabled: true,
        wiki_enabled: true,
        snippets_enabled: true,
        container_registry_enabled: true,
        shared_runners_enabled: true,
        public_jobs: true,
        request_access_enabled: false,
        archived: false,
        resolve_outdated_diff_discussions: false,
        only_allow_merge_if_pipeline_succeeds: false,
        only_allow_merge_if_all_discussions_are_resolved: false,
        open_issues_count: 0,
        creator_id: user.id,
        ci_default_git_depth: 50,
        namespace: {
          id: user.namespaceId,
          name: user.username,
          path: user.username,
          kind: 'user',
          full_path: user.username,
          parent_id: null,
          avatar_url: null,
          web_url: `http://service.test/${user.username}`,
        },
        import_status: 'none',
        import_error: null,
        permissions: { project_access: { access_level: 40, notification_level: 3 }, group_access: null },
        runners_token: expect.stringMatching(/^[\w-]{20,}$/),
        shared_with_groups: [],
        merge_method: 'merge',
        _links: {
          self: api,
          issues: `${api}/issues`,
          merge_requests: `${api}/merge_requests`,
          repo_branches: `${api}/repository/branches`,
          labels: `${api}/labels`,
          events: `${api}/events`,
          members: `${api}/members`,
        },
        approvals_before_merge: 0,
        empty_repo: true,
        lfs_enabled: true,
        ci_config_path: null,
        mirror: false,
        repository_access_level: 'enabled',
        issues_access_level: 'enabled',
        merge_requests_access_level: 'enabled',
        builds_access_level: 'enabled',
        wiki_access_level: 'enabled',
        snippets_access_level: 'enabled',
        printing_merge_requests_link_enabled: true,
      }),
    );
    expect(git(await diskPathOf(body.id), 'symbolic-ref', 'HEAD')).toBe('refs/heads/master');
    expect(git(await diskPathOf(body.id), 'for-each-ref')).toBe('');
  });

  it('takes a path alone as the name too', async () => {
    const user = await app.current.build.user();
    const { body } = await as(user).post('/projects', { path: 'foo_project' });
    expect(body).toMatchObject({ name: 'foo_project', path: 'foo_project' });
  });

  it('sets what is given, as JSON', async () => {
    const user = await app.current.build.user();
    const settings = {
      visibility: 'public',
      issues_enabled: false,
      wiki_access_level: 'private',
      merge_method: 'ff',
      tag_list: ['one', 'two', 'one'],
      ci_config_path: 'ci/main.yml',
      request_access_enabled: true,
      printing_merge_requests_link_enabled: false,
      approvals_before_merge: 2,
      only_allow_merge_if_pipeline_succeeds: true,
    };
    const { status, body } = await as(user).post('/projects', { name: 'all', ...settings });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...settings,
      tag_list: ['one', 'two'],
      issues_access_level: 'disabled',
      wiki_enabled: true,
    });
    expect(body._links).not.toHaveProperty('issues');
    expect(body).not.toHaveProperty('open_issues_count');
  });

  it('sets what is given, as a form with a comma-separated tag list', async () => {
    const user = await app.current.build.user();
    const form = 'name=form&tag_list=a,%20b&lfs_enabled=0';
    const { body } = await as(user).post('/projects').send(form);
    expect(body).toMatchObject({ name: 'form', tag_list: ['a', 'b'], lfs_enabled: false });
  });

  it('makes a first commit with a readme on the branch asked for', async () => {
    const user = await app.current.build.user();
    const { body } = await as(user).post('/projects', {
      name: 'With Readme',
      description: 'Says what it is',
      initialize_with_readme: true,
      default_branch: 'trunk',
    });
    expect(body).toMatchObject({
      default_branch: 'trunk',
      empty_repo: false,
      readme_url: `http://service.test/${user.username}/with-readme/blob/trunk/README.md`,
    });
    const repository = await diskPathOf(body.id);
    expect(git(repository, 'show', 'trunk:README.md')).toBe('# With Readme\n\nSays what it is');
    expect(git(repository, 'log', '--format=%an <%ae> %s', 'trunk')).toBe(
      `${user.name} <${user.email}> Initial commit`,
    );
    expect(git(repository, 'symbolic-ref', 'HEAD')).toBe('refs/heads/trunk');
    const branch = await as(user).get(`/projects/${body.id}/repository/branches/trunk`);
    expect(branch.body).toMatchObject({ protected: true, default: true, developers_can_push: false });
  });

  it.each([
    ['neither name nor path', {}, { error: expect.stringContaining('name, path are missing') }],
    [
      'an unknown visibility',
      { name: 'x', visibility: 'secret' },
      { error: 'visibility does not have a valid value' },
    ],
    ['a blank name', { name: ' ' }, { message: { name: ["can't be blank"], path: ["can't be blank"] } }],
    [
      'a name of symbols',
      { name: '<script>', path: 'x' },
      { message: { name: [expect.stringContaining('can contain only')] } },
    ],
    ['a name that hides text', { name: 'a\u202eb', path: 'x' }, { message: { name: [expect.any(String)] } }],
    [
      'a name that is too long',
      { name: 'n'.repeat(256), path: 'x' },
      { message: { name: [expect.stringContaining('too long')] } },
    ],
    [
      'a branch that is no name',
      { name: 'x', default_branch: 'a..b' },
      { message: { default_branch: ['is invalid'] } },
    ],
    [
      'a traversing CI path',
      { name: 'x', ci_config_path: '../x' },
      { message: { ci_config_path: [expect.any(String)] } },
    ],
    [
      'an unknown namespace',
      { name: 'x', namespace_id: 999999 },
      { message: { namespace: ['is not valid'] } },
    ],
    [
      'a merge method of no kind',
      { name: 'x', merge_method: 'octopus' },
      { error: 'merge_method does not have a valid value' },
    ],
  ])('refuses %s', async (_what, parameters, answer) => {
    const user = await app.current.build.user();
    const { status, body } = await as(user).post('/projects', parameters);
    expect({ status, body }).toEqual({ status: 400, body: answer });
  });

  it.each([
    '..',
    '.',
    '../x',
    'a/b',
    'a\\b',
    '-x',
    'x.git',
    'x.atom',
    'x.',
    '%2e%2e',
    'a b',
    'tree',
    'Wikis',
    'ä',
    'x\ny',
    '$(id)',
  ])('refuses the path %j, and makes nothing', async (path) => {
    const user = await app.current.build.user();
    const { status, body } = await as(user).post('/projects', { name: 'fine', path });
    expect({ status, fields: Object.keys(body.message) }).toEqual({ status: 400, fields: ['path'] });
    const { rows } = await app.current.database.query('SELECT 1 FROM projects WHERE creator_id = $1', [
      user.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('refuses a name or path that another project of the namespace has, in any letter case', async () => {
    const user = await app.current.build.user();
    await as(user).post('/projects', { name: 'Taken', path: 'taken-path' });
    const both = await as(user).post('/projects', { name: 'TAKEN', path: 'Taken-Path' });
    expect({ status: both.status, body: both.body }).toEqual({
      status: 400,
      body: { message: { name: ['has already been taken'], path: ['has already been taken'] } },
    });
    const path = await as(user).post('/projects', { name: 'Other', path: 'taken-path' });
    expect(path.body).toEqual({ message: { path: ['has already been taken'] } });
  });

  it('makes one of two projects of one name that are asked for at once, and leaves no second repository', async () => {
    const user = await app.current.build.user();
    const answers = await Promise.all([1, 2, 3, 4].map(() => as(user).post('/projects', { name: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    for (const { status, body } of answers.filter((answer) => answer.status === 400)) {
      expect({ status, body }).toMatchObject({ body: { message: { path: ['has already been taken'] } } });
    }
    const { rows } = await app.current.database.query<{ disk_path: string }>(
      'SELECT disk_path FROM projects',
    );
    const [storage] = app.current.settings.repositoryStorages.values();
    const onDisk = (await fs.readdir(storage ?? '', { recursive: true })).filter((name) =>
      /[0-9a-f]{64}\.git$/.test(name),
    );
    expect(onDisk.sort()).toEqual(rows.map(({ disk_path: path }) => `${path}.git`).sort());
  });

  it('lets maintainers and above create in a group, and others not know whether it is there', async () => {
    const { build } = app.current;
    const [maintainer, developer, stranger, admin] = [
      await build.user(),
      await build.user(),
      await build.user(),
      await build.user({ admin: true }),
    ];
    const parent = await build.group({ members: { maintainer } });
    const group = await build.group({ parent, members: { developer } });
    const create = (user: { token: string }, name: string) =>
      as(user).post('/projects', { name, namespace_id: group.id });
    const made = await create(maintainer, 'one');
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      path_with_namespace: `${group.fullPath}/one`,
      namespace: {
        kind: 'group',
        parent_id: parent.id,
        web_url: `http://service.test/groups/${group.fullPath}`,
      },
      permissions: { project_access: null, group_access: { access_level: 40, notification_level: 3 } },
    });
    expect(made.body).not.toHaveProperty('owner');
    expect((await create(admin, 'two')).status).toBe(201);
    for (const user of [developer, stranger]) {
      const refused = await create(user, 'three');
      expect({ status: refused.status, body: refused.body }).toEqual({
        status: 400,
        body: { message: { namespace: ['is not valid'] } },
      });
    }
  });

  it('makes no project that more people see than its group', async () => {
    const owner = await app.current.build.user();
    const group = await app.current.build.group({ visibility: 'internal', members: { owner } });
    const { status, body } = await app.current
      .as(owner)
      .post('/projects', { name: 'open', namespace_id: group.id, visibility: 'public' });
    expect({ status, body }).toEqual({
      status: 400,
      body: { message: { visibility_level: ['public is not allowed in a internal group.'] } },
    });
  });

  it('stops at the limit of personal projects', async () => {
    const { build, database } = app.current;
    const user = await build.user();
    await database.query('UPDATE users SET projects_limit = 1 WHERE id = $1', [user.id]);
    expect((await as(user).post('/projects', { name: 'one' })).status).toBe(201);
    const second = await as(user).post('/projects', { name: 'two' });
    expect(second.status).toBe(403);
    expect(second.body.message).toContain('Your project limit is 1 projects!');
  });

  it('takes nothing that is not a parameter of it', async () => {
    const user = await app.current.build.user();
    const { body } = await as(user).post('/projects', {
      name: 'x',
      creator_id: 1,
      id: 77777,
      star_count: 9,
      disk_path: '../x',
    });
    expect(body).toMatchObject({ creator_id: user.id, star_count: 0 });
    expect(body.id).not.toBe(77777);
  });

  it('needs a login', async () => {
    const { status, body } = await app.current.api.post('/projects', { name: 'x' });
    expect({ status, body }).toEqual({ status: 401, body: { message: '401 Unauthorized' } });
  });
});

describe('POST /projects/user/:user_id', () => {
  it('makes a project of somebody else, for administrators', async () => {
    const { build } = app.current;
    const [admin, user] = [await build.user({ admin: true }), await build.user()];
    const { status, body } = await as(admin).post(`/projects/user/${user.id}`, { name: 'gift' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      creator_id: user.id,
      path_with_namespace: `${user.username}/gift`,
      owner: { id: user.id },
    });
    expect((await as(user).post(`/projects/user/${user.id}`, { name: 'own' })).status).toBe(403);
    const nobody = await as(admin).post('/projects/user/99999999', { name: 'x' });
    expect({ status: nobody.status, body: nobody.body }).toEqual({
      status: 404,
      body: { message: '404 User Not Found' },
    });
  });
});
