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

type Action = Readonly<Record<string, unknown>>;

const url = (): string => `/projects/${project.id}/repository/commits`;
const commit = (actions: unknown, more: object = {}) =>
  app.current.as(user).post(url(), { branch: 'topic', commit_message: 'Change', actions, ...more });
const create = (path: string, content = 'x'): Action => ({ action: 'create', file_path: path, content });
const treeOf = (branch = 'topic'): Promise<string> => git.git('ls-tree', '-r', branch);
const message = (text: string): [number, unknown] => [400, { message: text }];
const error = (text: string): [number, unknown] => [400, { error: text }];

/** Status and body of an answer that has changed nothing: no ref has moved, and no object is there that was not. */
async function refused(request: PromiseLike<{ status: number; body: unknown }>): Promise<[number, unknown]> {
  const look = () => Promise.all([git.git('for-each-ref'), git.git('rev-list', '--all', '--objects')]);
  const before = await look();
  const { status, body } = await request;
  expect(await look()).toEqual(before);
  expect(await git.git('fsck', '--full', '--strict', '--no-dangling')).toBe('');
  return [status, body];
}

describe('POST /projects/:id/repository/commits', () => {
  it('applies all five actions in one commit, and answers it with its stats', async () => {
    const answer = await commit([
      create('new/file.txt', 'one\ntwo\n'),
      { action: 'update', file_path: 'README.md', content: 'changed\n' },
      { action: 'move', file_path: 'src/moved.c', previous_path: 'src/lib.c' },
      { action: 'delete', file_path: 'src/deep/only.txt' },
      { action: 'chmod', file_path: 'src/moved.c', execute_filemode: true },
    ]);
    expect(answer.status).toBe(201);
    const sha = await git.git('rev-parse', 'topic');
    expect(Object.keys(answer.body)).toEqual([
      'id',
      'short_id',
      'title',
      'author_name',
      'author_email',
      'authored_date',
      'committer_name',
      'committer_email',
      'committed_date',
      'created_at',
      'message',
      'parent_ids',
      'stats',
    ]);
    expect(answer.body).toMatchObject({
      id: sha,
      short_id: sha.slice(0, 8),
      title: 'Change',
      message: 'Change',
      author_name: user.name,
      author_email: user.email,
      committer_name: user.name,
      committer_email: user.email,
      parent_ids: [project.tip],
      stats: { additions: 3, deletions: 2, total: 5 },
    });
    expect(await git.git('diff-tree', '-r', '-M', '--name-status', project.tip, 'topic')).toBe(
      'M\tREADME.md\nA\tnew/file.txt\nD\tsrc/deep/only.txt\nR100\tsrc/lib.c\tsrc/moved.c',
    );
    expect(await git.git('ls-tree', 'topic', 'src/')).toMatch(/^100755 blob \w+\tsrc\/moved.c$/);
    expect(await git.git('fsck', '--full', '--strict')).toBe('');
  });

  it('leaves the stats out where they are not wanted', async () => {
    const { body } = await commit([create('a')], { stats: false }).expect(201);
    expect(body).not.toHaveProperty('stats');
  });

  it('applies actions in order, each seeing the ones before it', async () => {
    await commit([
      create('a', '1'),
      { action: 'update', file_path: 'a', content: '2' },
      { action: 'move', file_path: 'b', previous_path: 'a' },
      create('a', '3'),
      { action: 'delete', file_path: 'src/lib.c' },
      { action: 'delete', file_path: 'src/deep/only.txt' },
      create('src', 'now a file'),
    ]).expect(201);
    expect(await git.git('show', 'topic:b')).toBe('2');
    expect(await git.git('show', 'topic:a')).toBe('3');
    expect(await git.git('show', 'topic:src')).toBe('now a file');
  });

  it('keeps blob and mode in a move without content, and writes any content that is given', async () => {
    await git.commit({
      branch: 'topic',
      files: { tool: { content: 'run\n', mode: '100755' }, other: 'o\n', link: { link: 'x' } },
    });
    await commit([
      { action: 'move', file_path: 'bin/tool', previous_path: 'tool' },
      { action: 'move', file_path: 'emptied', previous_path: 'other', content: '' },
      { action: 'move', file_path: 'bin/link', previous_path: 'link' },
      { action: 'move', file_path: 'coded', previous_path: 'README.md', content: 'AAH/', encoding: 'base64' },
    ]).expect(201);
    const listing = await treeOf();
    expect(listing).toMatch(/100755 blob \w+\tbin\/tool/);
    expect(listing).toMatch(/120000 blob \w+\tbin\/link/);
    expect(listing).toContain('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\temptied');
    expect(await git.gitBytes(['show', 'topic:coded'])).toEqual(Buffer.from([0, 1, 0xff]));
  });

  it('sets and clears the execute flag', async () => {
    const chmod = (flag: unknown) =>
      commit([{ action: 'chmod', file_path: 'README.md', execute_filemode: flag }]).expect(201);
    await chmod(true);
    expect(await git.git('ls-tree', 'topic', 'README.md')).toMatch(/^100755/);
    await chmod('false');
    expect(await git.git('ls-tree', 'topic', 'README.md')).toMatch(/^100644/);
  });

  it('stores exactly what was sent', async () => {
    const contents = ['', 'a\r\nb\r\n', '\ufeffbom', 'ünï 日本 😀', ' \t\n', 'a\u0001b'];
    await commit(contents.map((content, index) => create(`f${index}`, content))).expect(201);
    for (const [index, content] of contents.entries()) {
      expect((await git.gitBytes(['show', `topic:f${index}`])).toString()).toBe(content);
    }
  });

  it('takes a nested form, multipart and JSON alike', async () => {
    const form = [
      'branch=topic&commit_message=form',
      'actions[][action]=create&actions[][file_path]=f1&actions[][content]=one%0D%0A',
      'actions[][action]=delete&actions[][file_path]=src/lib.c',
      'actions[][action]=chmod&actions[][file_path]=README.md&actions[][execute_filemode]=1',
    ].join('&');
    const api = app.current.as(user);
    await api.post(url()).type('form').send(form).expect(201);
    await api
      .post(url())
      .field('branch', 'topic')
      .field('commit_message', 'parts')
      .field('actions[][action]', 'create')
      .field('actions[][file_path]', 'f2')
      .field('actions[][content]', 'two\n')
      .field('actions[][action]', 'update')
      .field('actions[][file_path]', 'f1')
      .field('actions[][content]', 'changed')
      .expect(201);
    await api.post(`${url()}?branch=topic`, { commit_message: 'json', actions: [create('f3')] }).expect(201);
    expect((await git.git('ls-tree', '--name-only', 'topic')).split('\n')).toEqual([
      'README.md',
      'f1',
      'f2',
      'f3',
      'src',
    ]);
    expect(await git.git('log', '--format=%s', `${project.tip}..topic`)).toBe('json\nparts\nform');
  });

  it('takes an author, while the committer stays the caller', async () => {
    const { body } = await commit([create('a')], {
      author_name: 'Ann',
      author_email: 'ann@example.com',
    }).expect(201);
    expect(body).toMatchObject({
      author_name: 'Ann',
      author_email: 'ann@example.com',
      committer_email: user.email,
    });
  });

  it('cannot forge the headers of the commit', async () => {
    const forged = 'x\ntree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n';
    await commit([create('a')], { author_name: forged, author_email: `${forged}<>` }).expect(201);
    expect(await git.git('fsck', '--full', '--strict')).toBe('');
    expect(await git.git('rev-parse', 'topic^')).toBe(project.tip);
    expect((await git.git('cat-file', 'commit', 'topic')).match(/^tree /gm)).toHaveLength(1);
  });

  it('starts a new branch at a branch or at a commit', async () => {
    const newer = await git.commit({ branch: 'topic', files: { z: 'z' } });
    await commit([create('a')], { branch: 'one', start_branch: 'topic' }).expect(201);
    await commit([create('a')], { branch: 'two', start_sha: project.tip }).expect(201);
    await commit([create('a')], {
      branch: 'three',
      start_sha: project.tip.slice(0, 10),
      start_project: project.fullPath,
    }).expect(201);
    expect(await git.git('rev-parse', 'one^', 'two^', 'three^')).toBe(
      [newer, project.tip, project.tip].join('\n'),
    );
  });

  it('overwrites a branch with force', async () => {
    const old = await git.commit({ branch: 'topic', files: { z: 'z' } });
    await commit([create('a')], { start_branch: 'master', force: true }).expect(201);
    expect(await git.git('rev-parse', 'topic^')).toBe(project.tip);
    await expect(git.git('merge-base', '--is-ancestor', old, 'topic')).rejects.toThrow();
    await commit([create('b')], { start_sha: old, force: true }).expect(201);
    expect(await git.git('rev-parse', 'topic^')).toBe(old);
  });

  it('overwrites no protected branch, as a push by git does not', async () => {
    const old = await git.commit({ branch: 'topic', files: { z: 'z' } });
    await app.current.build.protectedBranch(project, 'topic', 30);
    const sentence = 'You are not allowed to force push code to a protected branch on this project.';
    for (const start of [{ start_branch: 'master' }, { start_sha: project.tip }])
      expect(await refused(commit([create('a')], { ...start, force: true }))).toEqual(message(sentence));
    // Nothing is lost by what goes on from where the branch is.
    await commit([create('a')], { start_branch: 'topic', force: true }).expect(201);
    expect(await git.git('rev-parse', 'topic^')).toBe(old);
  });

  it('starts in the project that this one was forked from', async () => {
    const source = await app.current.build.project({ visibility: 'public', files: { upstream: 'u' } });
    await app.current.database.query('UPDATE projects SET forked_from_project_id = $2 WHERE id = $1', [
      project.id,
      source.id,
    ]);
    for (const [branch, start] of [
      ['one', { start_branch: 'master' }],
      ['two', { start_sha: source.tip }],
    ] as const) {
      await commit([create('a')], { branch, start_project: source.id, ...start }).expect(201);
      expect(await git.git('rev-parse', `${branch}^`)).toBe(source.tip);
    }
    expect(await git.git('fsck', '--full', '--strict')).toBe('');
  });

  it('starts in no other project, and tells nothing of a hidden one', async () => {
    const other = await app.current.build.project({ visibility: 'public', files: { a: 'x' } });
    const hidden = await app.current.build.project({ files: { secret: 'x' } });
    const from = (id: unknown) =>
      refused(commit([create('a')], { branch: 'n', start_branch: 'master', start_project: id }));
    expect(await from(other.id)).toEqual([
      403,
      { message: `403 Forbidden - Project is not included in the fork network for ${project.fullPath}` },
    ]);
    expect(await from(hidden.fullPath)).toEqual([404, { message: '404 Project Not Found' }]);
    expect(await from(999_999_999)).toEqual([404, { message: '404 Project Not Found' }]);
    await app.current.database.query('UPDATE projects SET forked_from_project_id = $2 WHERE id = $1', [
      project.id,
      hidden.id,
    ]);
    expect((await from(hidden.id))[0]).toBe(404);
    await app.current.build.member('project', hidden.id, user, 'guest');
    expect((await from(hidden.id))[0]).toBe(403);
  });

  it('begins an empty repository', async () => {
    const owner = await app.current.build.user();
    const empty = await app.current.build.project({ owner });
    const body = { branch: 'main', commit_message: 'First', actions: [create('a')] };
    const { body: made } = await app.current
      .as(owner)
      .post(`/projects/${empty.id}/repository/commits`, body)
      .expect(201);
    expect(made.parent_ids).toEqual([]);
    const { body: listed } = await app.current.as(owner).get(`/projects/${empty.id}/repository/commits`);
    expect(listed).toHaveLength(1);
  });

  it('makes 10,000 files in one commit', async () => {
    const actions = Array.from({ length: 10_000 }, (_, index) =>
      create(`dir${index % 100}/file${index}.txt`, `content ${index}\n`),
    );
    const { body } = await commit(actions).expect(201);
    expect(body.stats).toEqual({ additions: 10_000, deletions: 0, total: 10_000 });
    expect((await treeOf()).split('\n')).toHaveLength(10_003);
    expect(await git.git('show', 'topic:dir99/file9999.txt')).toBe('content 9999');
    expect(await git.git('fsck', '--full', '--strict')).toBe('');
  });

  it('refuses whatever one of the actions cannot do, and does none of them', async () => {
    const with1 = (action: Action) => refused(commit([create('fine'), action]));
    expect(await with1(create('README.md'))).toEqual(message('A file with this name already exists'));
    expect(await with1(create('fine'))).toEqual(message('A file with this name already exists'));
    const missing = message("A file with this name doesn't exist");
    expect(await with1({ action: 'update', file_path: 'nope', content: 'x' })).toEqual(missing);
    expect(await with1({ action: 'delete', file_path: 'nope' })).toEqual(missing);
    expect(await with1({ action: 'chmod', file_path: 'nope', execute_filemode: true })).toEqual(missing);
    expect(await with1({ action: 'move', file_path: 'b', previous_path: 'nope' })).toEqual(missing);
    expect(await with1({ action: 'delete', file_path: 'src' })).toEqual(missing);
    expect(await with1({ action: 'move', file_path: 'README.md', previous_path: 'src/lib.c' })).toEqual(
      message('A file with this name already exists'),
    );
    expect(await with1({ action: 'create', file_path: 'c' })).toEqual(message('You must provide content'));
  });

  it('refuses whoever has seen an older version', async () => {
    const newer = await git.commit({ branch: 'topic', files: { 'README.md': 'newer\n' } });
    const stale = message('The file has changed since you started editing it: README.md');
    const on = (action: Action) => commit([create('fine'), { ...action, last_commit_id: project.tip }]);
    expect(await refused(on({ action: 'update', file_path: 'README.md', content: 'x' }))).toEqual(stale);
    expect(await refused(on({ action: 'delete', file_path: 'README.md' }))).toEqual(stale);
    expect(await refused(on({ action: 'chmod', file_path: 'README.md', execute_filemode: true }))).toEqual(
      stale,
    );
    expect(await refused(on({ action: 'move', file_path: 'b', previous_path: 'README.md' }))).toEqual(stale);
    await commit([{ action: 'update', file_path: 'README.md', content: 'x', last_commit_id: newer }]).expect(
      201,
    );
    await commit([{ action: 'delete', file_path: 'src/lib.c', last_commit_id: project.tip }]).expect(201);
  });

  it.each([
    '../x',
    'a/../b',
    '..',
    './a',
    'a\\..\\b',
    '.git/config',
    'x/.GiT/hooks/post-update',
    'git~1',
    'a//b',
    'README.md/x',
    'b\n',
    'y'.repeat(300),
  ])('refuses the path %j as target and as source', async (path) => {
    const [status, body] = await refused(commit([create('fine'), create(path)]));
    expect([status, body]).toEqual([400, { message: expect.any(String) }]);
    expect(
      (await refused(commit([{ action: 'move', file_path: path, previous_path: 'src/lib.c' }])))[0],
    ).toBe(400);
    expect((await refused(commit([{ action: 'move', file_path: 'ok', previous_path: path }])))[0]).toBe(400);
  });

  it('says what an action lacks', async () => {
    const with1 = (action: Action) => refused(commit([create('fine'), action]));
    const lacks = (name: string) => message(`400 (Bad request) "${name}" not given`);
    expect(await with1({ action: 'update', file_path: 'README.md' })).toEqual(lacks('actions[1][content]'));
    expect(await with1({ action: 'move', file_path: 'b' })).toEqual(lacks('actions[1][previous_path]'));
    expect(await with1({ action: 'chmod', file_path: 'README.md' })).toEqual(
      lacks('actions[1][execute_filemode]'),
    );
    expect(await with1({ action: 'create', content: 'x' })).toEqual(lacks('actions[1][file_path]'));
    expect(await with1({ file_path: 'b', content: 'x' })).toEqual(lacks('actions[1][action]'));
    expect(await with1({ action: 'destroy', file_path: 'b' })).toEqual(
      error('actions[1][action] does not have a valid value'),
    );
    expect(await with1({ ...create('b'), encoding: 'utf-7' })).toEqual(
      error('actions[1][encoding] does not have a valid value'),
    );
    expect(await with1({ action: 'chmod', file_path: 'b', execute_filemode: 'x' })).toEqual(
      error('actions[1][execute_filemode] is invalid'),
    );
    expect(await with1({ ...create('b'), file_path: '' })).toEqual(error('actions[1][file_path] is empty'));
    expect(await with1({ ...create('b'), content: ['x'] })).toEqual(error('actions[1][content] is invalid'));
  });

  it('says what the request lacks', async () => {
    const given = { branch: 'topic', commit_message: 'm', actions: [create('a')] };
    const having = (more: object) => refused(app.current.as(user).post(url(), { ...given, ...more }));
    for (const name of ['branch', 'commit_message', 'actions']) {
      expect(await having({ [name]: undefined })).toEqual(message(`400 (Bad request) "${name}" not given`));
    }
    expect(await having({ actions: [] })).toEqual(error('actions is empty'));
    expect(await having({ actions: 'x' })).toEqual(error('actions is invalid'));
    expect(await having({ actions: ['x'] })).toEqual(error('actions is invalid'));
    expect(await having({ branch: '' })).toEqual(error('branch is empty'));
    expect(await having({ commit_message: '' })).toEqual(error('commit_message is empty'));
    expect(await having({ start_branch: 'a', start_sha: 'b' })).toEqual(
      error('start_branch, start_sha are mutually exclusive'),
    );
    expect(await having({ force: 'x' })).toEqual(error('force is invalid'));
    expect(await having({ start_project: { id: 1 } })).toEqual(error('start_project is invalid'));
  });

  it('refuses a start that is not there, or not wanted', async () => {
    expect(await refused(commit([create('a')], { branch: 'n', start_sha: 'f'.repeat(40) }))).toEqual(
      message(`Cannot find commit '${'f'.repeat(40)}'`),
    );
    expect((await refused(commit([create('a')], { branch: 'n', start_sha: 'master~1' })))[0]).toBe(400);
    expect((await refused(commit([create('a')], { branch: 'n', start_branch: 'nope' })))[0]).toBe(400);
    expect((await refused(commit([create('a')], { branch: 'n', start_branch: '--all' })))[0]).toBe(400);
    expect(await refused(commit([create('a')], { branch: 'nope' }))).toEqual(
      message('You can only create or edit files when you are on a branch'),
    );
    expect(await refused(commit([create('a')], { start_branch: 'master' }))).toEqual(
      message("A branch called 'topic' already exists. Switch to that branch in order to make changes"),
    );
    expect(await refused(commit([create('a')], { start_sha: project.tip }))).toEqual(
      message("A branch called 'topic' already exists. Switch to that branch in order to make changes"),
    );
  });

  it('refuses a name that no branch may have', async () => {
    for (const branch of ['a b', '--x', 'a..b', 'x.lock', 'refs/heads/x', 'f'.repeat(40), 'HEAD']) {
      expect(await refused(commit([create('a')], { branch, start_branch: 'master' }))).toEqual(
        message(`Something went wrong when we tried to create '${branch}' for you: Branch name is invalid`),
      );
    }
  });

  it('refuses more actions than a commit may have', async () => {
    const [status] = await refused(commit(Array.from({ length: 20_001 }, (_, index) => create(`f${index}`))));
    expect(status).toBe(400);
  });
});

describe('who may commit', () => {
  const body = (branch: string, turn: number) => ({
    branch,
    commit_message: 'm',
    actions: [create(`n${turn}`)],
  });

  it('on a branch that is not protected', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const row = await cast.row((api, { id }, turn) =>
      api.post(`/projects/${id}/repository/commits`, { ...body(`b${turn}`, turn), start_branch: 'master' }),
    );
    expect(row).toEqual(writeRow(201));
  });

  it('on a protected branch: 403 for developers, with the reason', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const row = await cast.row((api, { id }, turn) =>
      api.post(`/projects/${id}/repository/commits`, body('master', turn)),
    );
    expect(row).toEqual({ ...writeRow(201), developer: 403 });
    expect(await refused(commit([create('a')], { branch: 'master' }))).toEqual([
      403,
      { message: '403 Forbidden - You are not allowed to push into this branch' },
    ]);
  });

  it('nobody on a branch whose rule lets nobody push', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    for (const { id } of Object.values(cast.projects))
      await app.current.build.protectedBranch({ id }, 'rel*', 0);
    const row = await cast.row((api, { id }, turn) =>
      api.post(`/projects/${id}/repository/commits`, { ...body('release', turn), start_branch: 'master' }),
    );
    expect(row).toEqual(writeRow(403));
  });

  it('only maintainers first in an empty repository', async () => {
    const row: number[] = [];
    for (const level of ['developer', 'maintainer'] as const) {
      const empty = await app.current.build.project({ members: { [level]: user } });
      const answer = await app.current
        .as(user)
        .post(`/projects/${empty.id}/repository/commits`, body('master', 1));
      row.push(answer.status);
    }
    expect(row).toEqual([403, 201]);
  });

  it('nobody in an archived project', async () => {
    await app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);
    expect((await refused(commit([create('a')])))[0]).toBe(403);
  });

  it('is decided before the parameters are looked at', async () => {
    const stranger = await app.current.build.user();
    const { status } = await app.current.as(stranger).post(url(), {});
    expect(status).toBe(404);
  });
});

describe('several writers of one branch', () => {
  it('lose nothing', async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `f${index}`);
    const answers = await Promise.all(paths.map((path) => commit([create(path)])));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 201));
    const made = new Set(answers.map(({ body }) => body.id));
    expect(new Set((await git.git('rev-list', `${project.tip}..topic`)).split('\n'))).toEqual(made);
    expect(await git.git('fsck', '--full', '--strict')).toBe('');
  });
});
