import { GitFixture } from '#libs/testing';
import { Cast, READ_ROW, writeRow } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let user: BuiltUser;
let project: BuiltProject;
let git: GitFixture;
beforeEach(async () => {
  user = await app.current.build.user();
  project = await app.current.build.project({ members: { developer: user }, files: { a: 'x' } });
  git = GitFixture.on(project.repositoryPath);
});

const report = (body: object, sha = project.tip) =>
  app.current.as(user).post(`/projects/${project.id}/statuses/${encodeURIComponent(sha)}`, body);
const list = (query = '', sha = project.tip) =>
  app.current
    .as(user)
    .get(`/projects/${project.id}/repository/commits/${encodeURIComponent(sha)}/statuses${query}`);
const commit = async (sha = project.tip) =>
  (await app.current.as(user).get(`/projects/${project.id}/repository/commits/${sha}`).expect(200)).body;
const pipelines = async (): Promise<{ id: number; ref: string; status: string }[]> =>
  (
    await app.current.database.query(
      'SELECT id::int, ref, tag, source, status FROM pipelines WHERE project_id = $1 ORDER BY id',
      [project.id],
    )
  ).rows;
const missing = (name: string) => [400, { message: `400 (Bad request) "${name}" not given` }];

describe('POST /projects/:id/statuses/:sha', () => {
  it('adds a status, its fields in the order of the specification', async () => {
    const answer = await report({
      state: 'success',
      name: 'build',
      target_url: 'https://ci.example.com/1',
      description: 'It works',
      coverage: '99.5',
    });
    expect(answer.status).toBe(201);
    expect(Object.entries(answer.body)).toEqual([
      ['id', expect.any(Number)],
      ['sha', project.tip],
      ['ref', 'master'],
      ['status', 'success'],
      ['name', 'build'],
      ['target_url', 'https://ci.example.com/1'],
      ['description', 'It works'],
      ['coverage', 99.5],
      ['allow_failure', false],
      ['created_at', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
      ['started_at', null],
      ['finished_at', expect.any(String)],
      [
        'author',
        {
          id: user.id,
          name: user.name,
          username: user.username,
          state: 'active',
          avatar_url: null,
          web_url: `http://service.test/${user.username}`,
        },
      ],
    ]);
  });

  it('shows in the commit as its status and last pipeline', async () => {
    await report({ state: 'running' }).expect(201);
    const [pipeline] = await pipelines();
    expect(await commit()).toMatchObject({
      status: 'running',
      last_pipeline: { id: pipeline?.id, ref: 'master', sha: project.tip, status: 'running' },
    });
  });

  it('is called by name, else by context, else default', async () => {
    const nameOf = async (body: object) =>
      (await report({ state: 'success', ...body }).expect(201)).body.name;
    expect(await nameOf({ name: 'a', context: 'b' })).toBe('a');
    expect(await nameOf({ context: 'b' })).toBe('b');
    expect(await nameOf({})).toBe('default');
    expect(await nameOf({ name: '' })).toBe('default');
  });

  it('updates the status of the same name, in any order of states, and keeps what is not sent', async () => {
    const first = await report({
      state: 'pending',
      name: 'ci',
      description: 'waits',
      target_url: 'http://x.example',
    });
    const running = await report({ state: 'running', name: 'ci', coverage: 1 });
    expect(running.body).toMatchObject({
      id: first.body.id,
      status: 'running',
      description: 'waits',
      finished_at: null,
    });
    expect(running.body.started_at).not.toBeNull();
    const done = await report({ state: 'success', context: 'ci', description: 'done' });
    expect(done.body).toMatchObject({
      id: first.body.id,
      status: 'success',
      description: 'done',
      target_url: 'http://x.example',
      coverage: 1,
      started_at: running.body.started_at,
    });
    expect(done.body.finished_at).not.toBeNull();
    const again = await report({ state: 'pending', name: 'ci' });
    expect(again.body).toMatchObject({ id: first.body.id, status: 'pending', finished_at: null });
    await report({ state: 'pending', name: 'ci' }).expect(201);
    expect((await list()).body).toHaveLength(1);
  });

  it('adds up to the status of one pipeline', async () => {
    const whole = async (name: string, state: string) => {
      await report({ name, state }).expect(201);
      return (await commit()).status;
    };
    expect(await whole('a', 'pending')).toBe('pending');
    expect(await whole('b', 'success')).toBe('running');
    expect(await whole('a', 'success')).toBe('success');
    expect(await whole('c', 'canceled')).toBe('canceled');
    expect(await whole('d', 'failed')).toBe('failed');
    expect(await whole('d', 'success')).toBe('canceled');
    expect(await pipelines()).toHaveLength(1);
  });

  it('takes any figure for a coverage, and has a mean of those that there are', async () => {
    const whole = async (name: string, coverage?: number) => {
      await report({ state: 'success', name, ...(coverage !== undefined && { coverage }) }).expect(201);
      const [pipeline] = await pipelines();
      const path = `/projects/${project.id}/pipelines/${pipeline?.id}`;
      return (await app.current.as(user).get(path).expect(200)).body.coverage;
    };
    expect(await whole('none')).toBeNull();
    expect(await whole('half', 50)).toBe('50.00');
    expect(await whole('none either')).toBe('50.00');
    expect(await whole('all', 100)).toBe('75.00');
    for (const coverage of [0, 1e308, -1e308, Number.MAX_VALUE])
      expect(await whole(`of ${coverage}`, coverage)).toEqual(expect.any(String));
  });

  it('adds to the duration of its pipeline what no other ran at the same time', async () => {
    for (const name of ['a', 'b', 'c']) await report({ state: 'running', name }).expect(201);
    const [pipeline] = await pipelines();
    const ran = (name: string, from: string, to: string) =>
      app.current.database.query(
        `UPDATE commit_statuses SET started_at = $2::timestamptz, finished_at = $3::timestamptz, status = 'success'
         WHERE pipeline_id = $4 AND name = $1`,
        [name, `2020-01-01T${from}`, `2020-01-01T${to}`, pipeline?.id],
      );
    await ran('a', '10:00:00Z', '10:00:10Z');
    await ran('b', '10:00:05Z', '10:00:20Z');
    await ran('c', '10:01:00Z', '10:01:03Z');
    await report({ state: 'success', name: 'never ran' }).expect(201);
    const path = `/projects/${project.id}/pipelines/${pipeline?.id}`;
    const { body } = await app.current.as(user).get(path).expect(200);
    expect(body).toMatchObject({ status: 'success', duration: 23, finished_at: expect.any(String) });
  });

  it('belongs to the first branch by name that contains the commit, unless a ref is given', async () => {
    await git.git('branch', 'alpha', 'master');
    expect((await report({ state: 'success' })).body.ref).toBe('alpha');
    expect((await report({ state: 'success', ref: 'master' })).body.ref).toBe('master');
    expect(await pipelines()).toMatchObject([{ ref: 'alpha' }, { ref: 'master' }]);
  });

  it('tells a tag from a branch', async () => {
    await git.tag('v1', project.tip);
    await report({ state: 'success', ref: 'v1' }).expect(201);
    expect(await pipelines()).toMatchObject([{ ref: 'v1', tag: true, source: 'external' }]);
  });

  it('goes to the pipeline that is named', async () => {
    await report({ state: 'success', ref: 'one' });
    await report({ state: 'success', ref: 'two' });
    const [one] = await pipelines();
    const answer = await report({ state: 'failed', pipeline_id: one?.id });
    expect(answer.body).toMatchObject({ ref: 'one', status: 'failed' });
    expect(await pipelines()).toMatchObject([{ status: 'failed' }, { status: 'success' }]);
  });

  it('goes to the named pipeline of a commit that no branch contains any more', async () => {
    const lone = await git.commit({ branch: 'lone', parents: [project.tip], files: { b: 'x' } });
    await report({ state: 'success', ref: 'lone' }, lone).expect(201);
    await git.git('branch', '-D', 'lone');
    const [pipeline] = await pipelines();
    await report({ state: 'failed', pipeline_id: pipeline?.id }, lone).expect(201);
    const without = await report({ state: 'failed' }, lone);
    expect([without.status, without.body]).toEqual([404, { message: '404 References for commit Not Found' }]);
  });

  it('finds no pipeline of another commit or another project', async () => {
    const other = await git.commit({ branch: 'master', files: { b: 'x' } });
    await report({ state: 'success' }, other);
    const [pipeline] = await pipelines();
    for (const id of [pipeline?.id, 999_999_999, 0, -1]) {
      const answer = await report({ state: 'success', pipeline_id: id });
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Not found' }]);
    }
  });

  it('takes a branch, a tag or an abbreviated hash for the commit', async () => {
    for (const sha of ['master', project.tip.slice(0, 8)]) {
      expect((await report({ state: 'success' }, sha).expect(201)).body.sha).toBe(project.tip);
    }
    const answer = await report({ state: 'success' }, 'nope');
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Commit Not Found' }]);
  });

  it('takes no other author than the caller', async () => {
    const other = await app.current.build.user();
    const { body } = await report({
      state: 'success',
      author_id: other.id,
      user_id: other.id,
      author: { id: other.id },
    });
    expect(body.author.id).toBe(user.id);
  });

  it('refuses a state that is missing or none of the five', async () => {
    const refusal = async (body: object) => {
      const answer = await report(body);
      return [answer.status, answer.body];
    };
    expect(await refusal({})).toEqual(missing('state'));
    for (const state of ['skipped', 'created', 'manual', 'Success', '', 'x']) {
      expect(await refusal({ state })).toEqual([400, { error: 'state does not have a valid value' }]);
    }
    expect((await refusal({ state: ['success'] }))[0]).toBe(400);
    expect(await refusal({ state: 'success', coverage: 'much' })).toEqual([
      400,
      { error: 'coverage is invalid' },
    ]);
    expect(await refusal({ state: 'success', pipeline_id: 'x' })).toEqual([
      400,
      { error: 'pipeline_id is invalid' },
    ]);
    expect((await refusal({ state: 'success', name: 'n'.repeat(5000) }))[0]).toBe(400);
    expect(await pipelines()).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    'ftp://example.com/',
    'file:///etc/passwd',
    'example.com',
    '//example.com',
    'http://',
    'ht\ntp://example.com',
    ' http://example.com',
    'http://example.com/\r\nX: y',
    `http://example.com/${'x'.repeat(250)}`,
  ])('refuses the target_url %j', async (target_url) => {
    const { status, body } = await report({ state: 'success', target_url });
    expect([status, body]).toEqual([400, { message: { target_url: [expect.any(String)] } }]);
  });

  it('makes one pipeline of twenty reports at once', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `job ${index}`);
    const answers = await Promise.all(names.map((name) => report({ state: 'success', name })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(await pipelines()).toMatchObject([{ status: 'success' }]);
    expect((await list('?per_page=100')).body).toHaveLength(20);
  });

  it('makes one status of ten reports of one name at once', async () => {
    const states = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'success' : 'failed'));
    const answers = await Promise.all(states.map((state) => report({ state })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('is for developers, in a project that is not archived', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const row = await cast.row((api, { id, tip }) =>
      api.post(`/projects/${id}/statuses/${tip}`, { state: 'success' }),
    );
    expect(row).toEqual({ ...writeRow(201), 'anonymous internal': 401, 'anonymous private': 401 });
    await app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);
    expect((await report({ state: 'success' })).status).toBe(403);
  });
});

describe('GET /projects/:id/repository/commits/:sha/statuses', () => {
  it('answers the statuses of the default branch, or of the ref', async () => {
    await report({ state: 'success', ref: 'master', name: 'a' });
    await report({ state: 'failed', ref: 'other', name: 'b' });
    const namesOf = async (query: string) =>
      (await list(query).expect(200)).body.map(({ name }: { name: string }) => name);
    expect(await namesOf('')).toEqual(['a']);
    expect(await namesOf('?ref=other')).toEqual(['b']);
    expect(await namesOf('?ref=nope')).toEqual([]);
    expect(await namesOf('?all=true')).toEqual(['a', 'b']);
    expect(await namesOf('?all=true&ref=other')).toEqual(['b']);
  });

  it('keeps to a stage and a name', async () => {
    await report({ state: 'success', name: 'a' });
    await report({ state: 'success', name: 'b' });
    const count = async (query: string) => (await list(query).expect(200)).headers['x-total'];
    expect(await count('?name=a')).toBe('1');
    expect(await count('?name=a%25')).toBe('0');
    expect(await count('?stage=external')).toBe('2');
    expect(await count('?stage=test')).toBe('0');
    expect(await count('?stage=&name=')).toBe('2');
  });

  it('comes in pages, by HEAD too', async () => {
    for (const name of ['a', 'b', 'c']) await report({ state: 'success', name });
    const { body, headers } = await list('?per_page=2&page=2').expect(200);
    expect([body.length, headers['x-total'], headers['x-prev-page']]).toEqual([1, '3', '1']);
    const head = await app.current
      .as(user)
      .head(`/projects/${project.id}/repository/commits/${project.tip}/statuses`);
    expect(head.headers['x-total']).toBe('3');
  });

  it('is empty for a commit without any, and finds no unknown commit', async () => {
    expect((await list().expect(200)).body).toEqual([]);
    const { status, body } = await list('', 'nope');
    expect([status, body]).toEqual([404, { message: '404 Commit Not Found' }]);
    expect((await list('?all=x')).body).toEqual({ error: 'all is invalid' });
  });

  it('is for whoever is signed in and reads the code', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const row = await cast.row((api, { id, tip }) =>
      api.get(`/projects/${id}/repository/commits/${tip}/statuses`),
    );
    expect(row).toEqual({
      ...READ_ROW,
      'anonymous public': 401,
      'anonymous internal': 401,
      'anonymous private': 401,
    });
  });
});

describe('statuses and pipelines of a repository that is not for everybody', () => {
  it.each<[string, number, number]>([
    ["repository_access = 'private'", 403, 200],
    ["repository_access = 'disabled'", 403, 403],
    ["jobs_access = 'private'", 403, 200],
  ])('%s: a stranger %i, a member %i', async (state, stranger, member) => {
    const open = await app.current.build.project({
      visibility: 'public',
      members: { developer: user },
      files: { a: 'x' },
    });
    const made = { state: 'success', ref: 'topic' };
    await app.current.as(user).post(`/projects/${open.id}/statuses/${open.tip}`, made).expect(201);
    await app.current.database.query(`UPDATE projects SET ${state} WHERE id = $1`, [open.id]);
    const other = await app.current.build.user();
    const paths = [`repository/commits/${open.tip}/statuses`, 'pipelines'].map(
      (rest) => `/projects/${open.id}/${rest}`,
    );
    for (const path of paths) {
      expect((await app.current.as(other).get(path)).status).toBe(stranger);
      expect((await app.current.as(user).get(path)).status).toBe(member);
    }
    const { status } = await app.current.as(user).post(`/projects/${open.id}/statuses/${open.tip}`, made);
    expect(status).toBe(member === 200 ? 201 : 403);
  });
});

describe('the last pipeline of a commit', () => {
  it('is hidden from whoever may not read pipelines', async () => {
    const open = await app.current.build.project({
      visibility: 'public',
      members: { developer: user },
      files: { a: 'x' },
    });
    await app.current
      .as(user)
      .post(`/projects/${open.id}/statuses/${open.tip}`, { state: 'success' })
      .expect(201);
    const path = `/projects/${open.id}/repository/commits/${open.tip}`;
    expect((await app.current.as(user).get(path)).body).toMatchObject({
      status: 'success',
      last_pipeline: { status: 'success' },
    });
    expect((await app.current.api.get(path)).body).toMatchObject({ status: null, last_pipeline: null });
    await app.current.database.query(`UPDATE projects SET jobs_access = 'disabled' WHERE id = $1`, [open.id]);
    expect((await app.current.as(user).get(path)).body).toMatchObject({ status: null, last_pipeline: null });
  });
});
