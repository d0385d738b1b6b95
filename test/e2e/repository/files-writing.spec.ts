import { GitFixture } from '#libs/testing';
import { Cast, writeRow } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let user: BuiltUser;
let project: BuiltProject;
let git: GitFixture;
beforeEach(async () => {
  user = await app.current.build.user();
  project = await app.current.build.project({
    members: { developer: user },
    files: { 'README.md': 'hello\n', 'src/lib.c': 'int x;\n', 'src/deep/only.txt': 'x\n' },
  });
  git = GitFixture.on(project.repositoryPath);
  await git.git('branch', 'topic', 'master');
});

const pathOf = (path: string): string =>
  `/projects/${project.id}/repository/files/${encodeURIComponent(path)}`;
const change = { branch: 'topic', commit_message: 'Change it' };
const post = (path: string, body: object) => app.current.as(user).post(pathOf(path), body);
const put = (path: string, body: object) => app.current.as(user).put(pathOf(path), body);
const remove = (path: string, body: object) => app.current.as(user).delete(pathOf(path), body);

/** Everything that a refused write must leave as it was. */
const state = (): Promise<string> => git.git('for-each-ref');

/** Status and body of an answer that has changed no ref. */
async function refused(request: PromiseLike<{ status: number; body: unknown }>): Promise<[number, unknown]> {
  const before = await state();
  const { status, body } = await request;
  expect(await state()).toBe(before);
  return [status, body];
}

const message = (text: string): [number, unknown] => [400, { message: text }];

describe('POST /projects/:id/repository/files/:file_path', () => {
  it('makes one commit with the one file', async () => {
    const answer = await post('src/new file.txt', { ...change, content: 'new\r\nline' });
    expect([answer.status, answer.body]).toEqual([201, { file_path: 'src/new file.txt', branch: 'topic' }]);
    expect(await git.git('diff', '--name-status', `${project.tip}..topic`)).toBe('A\tsrc/new file.txt');
    expect((await git.gitBytes(['show', 'topic:src/new file.txt'])).toString()).toBe('new\r\nline');
    expect(await git.git('log', '-1', '--format=%P|%B|%an|%ae|%cn|%ce', 'topic')).toBe(
      `${project.tip}|Change it|${user.name}|${user.email}|${user.name}|${user.email}`,
    );
    expect(await git.git('fsck', '--full', '--strict')).toBe('');
  });

  it('takes an author, while the committer stays the caller', async () => {
    await post('a', {
      ...change,
      content: '',
      author_name: 'Ann <b>\n',
      author_email: 'ann@example.com',
    }).expect(201);
    expect(await git.git('log', '-1', '--format=%an|%ae|%cn|%ce', 'topic')).toBe(
      `Ann b|ann@example.com|${user.name}|${user.email}`,
    );
  });

  it('decodes base64, MIME line breaks included, and keeps the bytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 200 }, (_, index) => index));
    const mime = bytes.toString('base64').replace(/.{60}/g, '$&\r\n');
    await post('bin', { ...change, content: mime, encoding: 'base64' }).expect(201);
    expect(await git.gitBytes(['show', 'topic:bin'])).toEqual(bytes);
  });

  it.each([
    'empty',
    'with blank.txt',
    'ünï/日本.md',
    'v1.2.json',
    '.gitignore',
    'a.b.c/d.txt',
    'it\'s "quoted"',
    '100%25.txt',
  ])('writes %s, which reads back the same', async (path) => {
    await post(path, { ...change, content: '' }).expect(201, { file_path: path, branch: 'topic' });
    const { body } = await app.current
      .as(user)
      .get(`${pathOf(path)}?ref=topic`)
      .expect(200);
    expect(body).toMatchObject({ file_path: path, size: 0, content: '' });
  });

  it('refuses text that UTF-8 cannot hold, and NUL, for which there is base64', async () => {
    const writing = (content: string) => refused(post('a', { ...change, content }));
    expect(await writing('\ud800')).toEqual([400, { error: 'content is invalid' }]);
    expect(await writing('a\u0000b')).toEqual(message('400 Bad request - null byte'));
  });

  it('strips leading slashes', async () => {
    await post('//lead.txt', { ...change, content: 'x' }).expect(201, {
      file_path: 'lead.txt',
      branch: 'topic',
    });
  });

  it('starts a new branch where it is told to', async () => {
    await post('a', { ...change, branch: 'new/one', start_branch: 'topic', content: 'x' }).expect(201);
    expect(await git.git('rev-parse', 'new/one^')).toBe(project.tip);
    expect(await git.git('rev-parse', 'topic')).toBe(project.tip);
  });

  it('takes parameters as form fields, multipart, and split between query and body', async () => {
    const api = app.current.as(user);
    await api
      .post(pathOf('form'))
      .type('form')
      .send({ ...change, content: 'f', encoding: 'text' })
      .expect(201);
    const multipart = api
      .post(pathOf('parts'))
      .field('branch', 'topic')
      .field('commit_message', 'm')
      .field('content', 'p\r\n');
    await multipart.expect(201);
    await api.post(`${pathOf('split')}?branch=topic&commit_message=m`, { content: 's' }).expect(201);
    expect(await git.git('ls-tree', '--name-only', 'topic')).toContain('form\nparts\nsplit');
    expect((await git.gitBytes(['show', 'topic:parts'])).toString()).toBe('p\r\n');
  });

  it('makes the first commit of an empty repository, whose branch becomes the protected default one', async () => {
    const owner = await app.current.build.user();
    const empty = await app.current.build.project({ owner });
    const api = app.current.as(owner);
    const url = `/projects/${empty.id}/repository/files/a`;
    await api.post(url, { branch: 'trunk', commit_message: 'm', content: 'x' }).expect(201);
    const { rows } = await app.current.database.query(
      `SELECT p.default_branch, b.name FROM projects p LEFT JOIN protected_branches b ON b.project_id = p.id WHERE p.id = $1`,
      [empty.id],
    );
    expect(rows).toEqual([{ default_branch: 'trunk', name: 'trunk' }]);
    expect(await GitFixture.on(empty.repositoryPath).git('symbolic-ref', 'HEAD')).toBe('refs/heads/trunk');
  });

  it('keeps the first commit of an empty repository for maintainers', async () => {
    const empty = await app.current.build.project({ members: { developer: user } });
    const url = `/projects/${empty.id}/repository/files/a`;
    const answer = await app.current
      .as(user)
      .post(url, { branch: 'master', commit_message: 'm', content: 'x' });
    expect([answer.status, answer.body]).toEqual(message('You are not allowed to push into this branch'));
  });

  it('refuses a file that exists, and a directory', async () => {
    const expected = message('A file with this name already exists');
    expect(await refused(post('README.md', { ...change, content: 'x' }))).toEqual(expected);
    expect(await refused(post('src', { ...change, content: 'x' }))).toEqual(expected);
  });

  it('refuses a branch that does not exist and starts nowhere', async () => {
    expect(await refused(post('a', { ...change, branch: 'nope', content: 'x' }))).toEqual(
      message('You can only create or edit files when you are on a branch'),
    );
  });

  it('refuses to start an existing branch elsewhere, or a new one nowhere', async () => {
    expect(await refused(post('a', { ...change, start_branch: 'master', content: 'x' }))).toEqual(
      message("A branch called 'topic' already exists. Switch to that branch in order to make changes"),
    );
    expect(
      (await refused(post('a', { ...change, branch: 'n', start_branch: 'nope', content: 'x' })))[0],
    ).toBe(400);
  });

  it.each([
    'a b',
    '-x',
    '--upload-pack=x',
    'a..b',
    'a.lock',
    '/a',
    'a//b',
    'refs/heads/a',
    'HEAD',
    '@',
    'a~1',
    'a:b',
    'é\u007f',
    'f'.repeat(40),
    'x'.repeat(300),
  ])('refuses the branch name %j', async (branch) => {
    expect(await refused(post('a', { ...change, branch, start_branch: 'master', content: 'x' }))).toEqual(
      message(`Something went wrong when we tried to create '${branch}' for you: Branch name is invalid`),
    );
  });

  it('refuses a branch below or above another one', async () => {
    expect(
      (await refused(post('a', { ...change, branch: 'topic/x', start_branch: 'topic', content: 'x' })))[0],
    ).toBe(400);
  });

  it.each(['../x', 'a/../../x', 'src/..', './x', 'a/./b', '..', '.', '..\\x'])(
    'refuses the path %j as a traversal',
    async (path) => {
      expect(await refused(post(path, { ...change, content: 'x' }))).toEqual(
        message('Path cannot include directory traversal'),
      );
    },
  );

  it.each([
    '.git/config',
    'a/.GIT/hooks/x',
    'git~1/x',
    '.git ',
    '.g\u200cit/x',
    'a//b',
    'a/',
    'x'.repeat(256),
    'line\nbreak',
    'README.md/below',
  ])('refuses the path %j', async (path) => {
    const [status, body] = await refused(post(path, { ...change, content: 'x' }));
    expect([status, body]).toEqual([400, { message: expect.any(String) }]);
  });

  it('says which parameter is missing, empty or wrong', async () => {
    const given = { branch: 'topic', commit_message: 'm', content: 'x' };
    const without = (name: string) => refused(post('a', { ...given, [name]: undefined }));
    const having = (values: object) => refused(post('a', { ...given, ...values }));
    for (const name of ['branch', 'commit_message', 'content']) {
      expect(await without(name)).toEqual(message(`400 (Bad request) "${name}" not given`));
    }
    expect(await having({ branch: '' })).toEqual([400, { error: 'branch is empty' }]);
    expect(await having({ commit_message: ' ' })).toEqual([400, { error: 'commit_message is empty' }]);
    expect(await having({ encoding: 'utf-7' })).toEqual([
      400,
      { error: 'encoding does not have a valid value' },
    ]);
    for (const name of Object.keys(given)) {
      expect(await having({ [name]: { x: 'y' } })).toEqual([400, { error: `${name} is invalid` }]);
      expect(await having({ [name]: ['y'] })).toEqual([400, { error: `${name} is invalid` }]);
    }
  });
});

describe('PUT /projects/:id/repository/files/:file_path', () => {
  it('changes the content and keeps the mode', async () => {
    await git.commit({ branch: 'topic', files: { tool: { content: '#!\n', mode: '100755' } } });
    const answer = await put('tool', { ...change, content: '#!/bin/sh\n', file_path: 'ignored' });
    expect([answer.status, answer.body]).toEqual([200, { file_path: 'tool', branch: 'topic' }]);
    expect(await git.git('ls-tree', 'topic', 'tool')).toMatch(/^100755 blob/);
    expect(await git.git('show', 'topic:tool')).toBe('#!/bin/sh');
  });

  it('refuses a missing file and a directory', async () => {
    const expected = message("A file with this name doesn't exist");
    expect(await refused(put('nope', { ...change, content: 'x' }))).toEqual(expected);
    expect(await refused(put('src', { ...change, content: 'x' }))).toEqual(expected);
  });

  it('refuses content that is there already', async () => {
    const [status, body] = await refused(put('README.md', { ...change, content: 'hello\n' }));
    expect([status, body]).toEqual([400, { message: expect.any(String) }]);
  });

  it('refuses whoever has seen an older version', async () => {
    await put('README.md', { ...change, content: 'second\n', last_commit_id: project.tip }).expect(200);
    expect(
      await refused(put('README.md', { ...change, content: 'third\n', last_commit_id: project.tip })),
    ).toEqual(message('You are attempting to update a file that has changed since you started editing it.'));
    const last = await git.git('rev-parse', 'topic');
    await put('src/lib.c', { ...change, content: 'y\n', last_commit_id: project.tip }).expect(200);
    await put('README.md', { ...change, content: 'third\n', last_commit_id: last }).expect(200);
  });

  it('changes a symbolic link itself, never what it points to', async () => {
    await git.commit({ branch: 'topic', files: { link: { link: '/etc/hostname' }, dir: { link: '/tmp' } } });
    await put('link', { ...change, content: 'elsewhere' }).expect(200);
    expect(await git.git('ls-tree', 'topic', 'link')).toMatch(/^120000 blob/);
    expect((await refused(put('dir/x', { ...change, content: 'x' })))[0]).toBe(400);
    expect((await refused(post('dir/x', { ...change, content: 'x' })))[0]).toBe(400);
  });

  it('refuses to fill a submodule', async () => {
    await git.commit({ branch: 'topic', files: { module: { submodule: 'c'.repeat(40) } } });
    expect((await refused(put('module', { ...change, content: 'x' })))[0]).toBe(400);
  });
});

describe('DELETE /projects/:id/repository/files/:file_path', () => {
  it('answers nothing and takes the file away, with a directory that it leaves empty', async () => {
    const answer = await remove('src/deep/only.txt', change);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await git.git('ls-tree', '-r', '-t', '--name-only', 'topic')).toBe('README.md\nsrc\nsrc/lib.c');
  });

  it('takes its parameters from query, form and JSON alike', async () => {
    const api = app.current.as(user);
    await api.delete(`${pathOf('README.md')}?branch=topic&commit_message=d`).expect(204);
    await api.delete(pathOf('src/lib.c')).type('form').send(change).expect(204);
    await api.delete(`${pathOf('src/deep/only.txt')}?branch=topic`, { commit_message: 'd' }).expect(204);
    expect(await git.git('ls-tree', 'topic')).toBe('');
  });

  it('starts a new branch where it is told to', async () => {
    await remove('README.md', { ...change, branch: 'without', start_branch: 'master' }).expect(204);
    expect(await git.git('ls-tree', '--name-only', 'without')).toBe('src');
  });

  it('refuses a missing file, a stale version, and what is not given', async () => {
    expect(await refused(remove('nope', change))).toEqual(message("A file with this name doesn't exist"));
    const newer = await git.commit({ branch: 'topic', files: { 'README.md': 'newer\n' } });
    expect(await refused(remove('README.md', { ...change, last_commit_id: project.tip }))).toEqual(
      message('You are attempting to delete a file that has been previously updated.'),
    );
    expect(await refused(remove('README.md', { branch: 'topic' }))).toEqual(
      message('400 (Bad request) "commit_message" not given'),
    );
    await remove('README.md', { ...change, last_commit_id: newer }).expect(204);
  });
});

describe('who may change files', () => {
  const NEW = { commit_message: 'm', content: 'x' };

  it('on a branch that is not protected', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const create = await cast.row((api, { id }, turn) =>
      api.post(`/projects/${id}/repository/files/n${turn}`, {
        ...NEW,
        branch: `b${turn}`,
        start_branch: 'master',
      }),
    );
    expect(create).toEqual(writeRow(201));
    const update = await cast.row((api, { id }, turn) =>
      api.put(`/projects/${id}/repository/files/a`, {
        ...NEW,
        content: `${turn}`,
        branch: `b${turn}`,
        start_branch: 'master',
      }),
    );
    expect(update).toEqual(writeRow(200));
    const removal = await cast.row((api, { id }, turn) =>
      api.delete(`/projects/${id}/repository/files/a`, {
        ...NEW,
        branch: `b${turn}`,
        start_branch: 'master',
      }),
    );
    expect(removal).toEqual(writeRow(204));
  });

  it('on a protected branch: 400 for developers', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const create = await cast.row((api, { id }, turn) =>
      api.post(`/projects/${id}/repository/files/n${turn}`, { ...NEW, branch: 'master' }),
    );
    expect(create).toEqual({ ...writeRow(201), developer: 400 });
  });

  it('nobody, where a wildcard protects the branch from all', async () => {
    const admin = await app.current.build.user({ admin: true });
    await app.current.build.protectedBranch(project, 'rel*se/*', 0);
    const body = { ...NEW, branch: 'release/1', start_branch: 'master' };
    const answer = await app.current.as(admin).post(pathOf('n'), body);
    expect([answer.status, answer.body]).toEqual(message('You are not allowed to push into this branch'));
  });

  it('nobody in an archived project', async () => {
    await app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);
    expect((await refused(post('n', { ...change, content: 'x' })))[0]).toBe(403);
  });

  it('only with a token that may write', async () => {
    for (const scope of ['read_repository', 'read_api', 'write_repository', 'read_user'] as const) {
      const token = await app.current.build.token(user, [scope]);
      const answer = await app.current.as({ token }).post(pathOf('n'), { ...change, content: 'x' });
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope']);
    }
  });
});

describe('several writers of one branch', () => {
  it('lose nothing', async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `f${index}`);
    const answers = await Promise.all(paths.map((path) => post(path, { ...change, content: path })));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 201));
    expect(await git.git('rev-list', '--count', `${project.tip}..topic`)).toBe('20');
    expect((await git.git('ls-tree', '--name-only', 'topic')).split('\n')).toEqual(
      expect.arrayContaining(paths),
    );
    expect(await git.git('fsck', '--full', '--strict')).toBe('');
  });

  it('cannot both update one version of a file', async () => {
    const body = (content: string) => ({ ...change, content, last_commit_id: project.tip });
    const answers = await Promise.all(['1', '2', '3', '4'].map((content) => put('README.md', body(content))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });
});
