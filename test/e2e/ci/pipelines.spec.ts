import { GitFixture } from '#libs/testing';
import { Cast, READ_ROW, writeRow } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { insertPipeline } from '../../support/ci-builders';

const app = useApplication();

const ZERO = '0'.repeat(40);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** Everything here asks who calls first. */
const SIGN_IN_FIRST = { 'anonymous public': 401, 'anonymous internal': 401, 'anonymous private': 401 };

let maintainer: BuiltUser;
let developer: BuiltUser;
let cast: Cast;
let project: BuiltProject;
beforeAll(async () => {
  [maintainer, developer] = [await app.current.build.user(), await app.current.build.user()];
  cast = await Cast.of(app.current, { a: 'x' });
});
beforeEach(async () => {
  project = await app.current.build.project({ members: { maintainer, developer }, files: { a: 'x' } });
});

const as = (user: BuiltUser = maintainer) => app.current.as(user);
const at = (rest = '') => `/projects/${project.id}/pipelines${rest}`;
const create = (body: object, user = maintainer) => as(user).post(`/projects/${project.id}/pipeline`, body);
const insert = (columns: object = {}) => insertPipeline(app.current, project, { ...columns });
const refusal = async (request: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await request;
  return [status, body];
};

describe('POST /projects/:id/pipeline', () => {
  it('makes a pipeline that waits for statuses where there is no configuration', async () => {
    const { body } = await create({ ref: 'master' }).expect(201);
    expect(Object.entries(body)).toEqual([
      ['id', expect.any(Number)],
      ['status', 'pending'],
      ['ref', 'master'],
      ['sha', project.tip],
      ['web_url', `http://service.test/${project.fullPath}/pipelines/${body.id}`],
      ['before_sha', ZERO],
      ['tag', false],
      ['yaml_errors', null],
      [
        'user',
        expect.objectContaining({ id: maintainer.id, username: maintainer.username, state: 'active' }),
      ],
      ['created_at', TIME],
      ['updated_at', TIME],
      ['started_at', null],
      ['finished_at', null],
      ['committed_at', '2023-11-14T22:13:20.000Z'],
      ['duration', null],
      ['coverage', null],
    ]);
    const status = { state: 'success', ref: 'master', coverage: 90.5, name: 'ci' };
    await as().post(`/projects/${project.id}/statuses/${project.tip}`, status).expect(201);
    const moved = (
      await as()
        .get(at(`/${body.id}`))
        .expect(200)
    ).body;
    expect(moved).toMatchObject({ status: 'success', coverage: '90.50', finished_at: TIME });
  });

  it('runs for a tag, and for a full name of a ref', async () => {
    const git = GitFixture.on(project.repositoryPath);
    await git.tag('v1', project.tip);
    expect((await create({ ref: 'v1' }).expect(201)).body).toMatchObject({ ref: 'v1', tag: true });
    const { body } = await create({ ref: 'refs/heads/master' }).expect(201);
    expect(body).toMatchObject({ ref: 'master', tag: false });
    await git.git('branch', 'v1', 'master');
    expect(await refusal(create({ ref: 'v1' }))).toEqual([400, { message: { base: ['Ref is ambiguous'] } }]);
  });

  it('finds no ref where there is none', async () => {
    const hostile = [
      'nope',
      '-x',
      '--exec',
      'a..b',
      'master~1',
      'HEAD',
      'refs/tags/x',
      'refs/heads/',
      '@{u}',
    ];
    for (const ref of hostile)
      expect(await refusal(create({ ref }))).toEqual([400, { message: { base: ['Reference not found'] } }]);
  });

  it('finds nothing to run in a repository that is empty', async () => {
    const empty = await app.current.build.project({ members: { maintainer } });
    const { status } = await as().post(`/projects/${empty.id}/pipeline`, { ref: 'master' });
    expect(status).toBe(400);
  });

  it('refuses what is missing or wrong', async () => {
    expect(await refusal(create({}))).toEqual([400, { message: '400 (Bad request) "ref" not given' }]);
    expect(await refusal(create({ ref: '' }))).toEqual([400, { error: 'ref is empty' }]);
    expect((await create({ ref: ['master'] })).status).toBe(400);
    const variable = (fields: object) => refusal(create({ ref: 'master', variables: [fields] }));
    expect(await variable({ key: 'a b', value: 'x' })).toEqual([
      400,
      { message: { 'variables.key': ["can contain only letters, digits and '_'."] } },
    ]);
    expect(await variable({ key: '', value: 'x' })).toMatchObject([400, {}]);
    expect(await variable({ key: 'k'.repeat(256) })).toMatchObject([400, {}]);
    expect(await variable({ key: 'A', variable_type: 'x' })).toEqual([
      400,
      { error: 'variables[0][variable_type] does not have a valid value' },
    ]);
    const twice = [
      { key: 'A', value: '1' },
      { key: 'A', value: '2' },
    ];
    expect(await refusal(create({ ref: 'master', variables: twice }))).toEqual([
      400,
      { message: { variables: ['have duplicate values (A)'] } },
    ]);
    expect((await as().get(at())).body).toEqual([]);
  });

  it('takes no other user than the caller', async () => {
    const body = { ref: 'master', user_id: developer.id, user: { id: developer.id }, status: 'success' };
    expect((await create(body).expect(201)).body).toMatchObject({
      status: 'pending',
      user: { id: maintainer.id },
    });
  });

  it('asks for the right to push or merge where the branch is protected', async () => {
    expect(await refusal(create({ ref: 'master' }, developer))).toEqual([
      400,
      { message: { base: ["Insufficient permissions for protected ref 'master'"] } },
    ]);
    await GitFixture.on(project.repositoryPath).git('branch', 'open', 'master');
    await create({ ref: 'open' }, developer).expect(201);
  });

  it('is for developers', async () => {
    for (const { repositoryPath } of Object.values(cast.projects))
      await GitFixture.on(repositoryPath).git('branch', 'open', 'master');
    const row = await cast.row((api, { id }) => api.post(`/projects/${id}/pipeline`, { ref: 'open' }));
    expect(row).toEqual({ ...writeRow(201), ...SIGN_IN_FIRST });
  });

  it('is for nobody in an archived project, or one without jobs or a repository', async () => {
    const states = [
      'archived = true',
      "archived = false, jobs_access = 'disabled'",
      "jobs_access = 'enabled', repository_access = 'disabled'",
    ];
    for (const state of states) {
      await app.current.database.query(`UPDATE projects SET ${state} WHERE id = $1`, [project.id]);
      expect((await create({ ref: 'master' })).status).toBe(403);
    }
    expect((await as().get(at())).status).toBe(403);
  });
});

describe('GET /projects/:id/pipelines', () => {
  const ids = async (query: string): Promise<number[]> =>
    (await as().get(at(query)).expect(200)).body.map(({ id }: { id: number }) => id);

  it('lists the newest first, in the short form', async () => {
    const [one, two] = [await insert(), await insert({ status: 'failed' })];
    const { body, headers } = await as().get(at()).expect(200);
    expect(Object.entries(body[0])).toEqual([
      ['id', two],
      ['status', 'failed'],
      ['ref', 'master'],
      ['sha', project.tip],
      ['web_url', `http://service.test/${project.fullPath}/pipelines/${two}`],
    ]);
    expect([body.length, body[1].id, headers['x-total']]).toEqual([2, one, '2']);
  });

  it('keeps to a scope, a status, a ref, a commit and broken configurations', async () => {
    const running = await insert({ status: 'running', ref: 'a' });
    const pending = await insert({ status: 'pending', ref: 'b', sha: 'f'.repeat(40) });
    const failed = await insert({ status: 'failed', yaml_errors: 'broken' });
    const [skipped, manual] = [await insert({ status: 'skipped' }), await insert({ status: 'manual' })];
    const done = [await insert({ status: 'success' }), await insert({ status: 'canceled' })];
    expect(await ids('?scope=running')).toEqual([running]);
    expect(await ids('?scope=pending')).toEqual([pending]);
    expect(await ids('?scope=finished&sort=asc')).toEqual([failed, ...done]);
    expect(await ids('?scope=finished&status=failed')).toEqual([failed]);
    expect(await ids('?scope=finished&status=running')).toEqual([]);
    expect(await ids('?status=skipped')).toEqual([skipped]);
    expect(await ids('?status=manual')).toEqual([manual]);
    expect(await ids('?ref=b')).toEqual([pending]);
    expect(await ids(`?sha=${'f'.repeat(40)}`)).toEqual([pending]);
    expect(await ids('?yaml_errors=true')).toEqual([failed]);
    expect(await ids('?yaml_errors=False')).not.toContain(failed);
    expect(await ids('?ref=&sha=&name=&username=')).toHaveLength(7);
  });

  it('has the newest of each branch or tag that there is', async () => {
    const git = GitFixture.on(project.repositoryPath);
    await git.tag('v1', project.tip);
    await git.git('branch', 'open', 'master');
    await insert();
    const [master, open] = [await insert(), await insert({ ref: 'open' })];
    await insert({ ref: 'gone' });
    const tag = await insert({ ref: 'v1', tag: true });
    await insert({ ref: 'v1', tag: false });
    expect(await ids('?scope=branches')).toEqual([open, master]);
    expect(await ids('?scope=tags')).toEqual([tag]);
  });

  it('keeps to whoever started it', async () => {
    const own = await insert({ user_id: maintainer.id });
    await insert({ user_id: developer.id });
    expect(await ids(`?username=${maintainer.username}`)).toEqual([own]);
    expect(await ids(`?name=${encodeURIComponent(maintainer.name)}`)).toEqual([own]);
    expect(await ids('?name=nobody')).toEqual([]);
  });

  it('is ordered by id, status, ref or user', async () => {
    const one = await insert({ status: 'success', ref: 'b', user_id: developer.id });
    const two = await insert({ status: 'failed', ref: 'c', user_id: maintainer.id });
    const three = await insert({ status: 'pending', ref: 'a', user_id: developer.id });
    expect(await ids('?order_by=id&sort=asc')).toEqual([one, two, three]);
    expect(await ids('?order_by=status&sort=asc')).toEqual([two, three, one]);
    expect(await ids('?order_by=ref')).toEqual([two, one, three]);
    expect(await ids('?order_by=user_id&sort=asc')).toEqual([two, three, one]);
  });

  it('refuses words it does not know', async () => {
    for (const query of ['scope=x', 'status=x', 'order_by=name', 'sort=up', 'status=']) {
      const [name = ''] = query.split('=');
      expect(await refusal(as().get(at(`?${query}`)))).toEqual([
        400,
        { error: `${name} does not have a valid value` },
      ]);
    }
    expect(await refusal(as().get(at('?yaml_errors=x')))).toEqual([400, { error: 'yaml_errors is invalid' }]);
  });

  it('comes in pages, by HEAD too', async () => {
    for (let count = 0; count < 3; count += 1) await insert();
    const { body, headers } = await as().get(at('?per_page=2&page=2')).expect(200);
    expect([body.length, headers['x-total'], headers['x-prev-page']]).toEqual([1, '3', '1']);
    expect((await as().head(at()).expect(200)).headers['x-total']).toBe('3');
  });

  it('is for whoever is signed in and sees the project', async () => {
    const row = await cast.row((api, { id }) => api.get(`/projects/${id}/pipelines`));
    expect(row).toEqual({ ...READ_ROW, guest: 200, ...SIGN_IN_FIRST });
    const { private: hidden } = cast.projects;
    await app.current.database.query('UPDATE projects SET public_jobs = false WHERE id = $1', [hidden.id]);
    expect((await as(cast.users.guest).get(`/projects/${hidden.id}/pipelines`)).status).toBe(403);
    await app.current.database.query('UPDATE projects SET public_jobs = true WHERE id = $1', [hidden.id]);
  });
});

describe('GET /projects/:id/pipelines/:pipeline_id', () => {
  it('finds one of its own project alone', async () => {
    const id = await insert();
    expect(
      (
        await as()
          .get(at(`/${id}`))
          .expect(200)
      ).body,
    ).toMatchObject({ id, user: null });
    const other = await app.current.build.project({ members: { maintainer }, files: { a: 'x' } });
    for (const path of [`/projects/${other.id}/pipelines/${id}`, at('/999999999'), at('/0'), at('/-1')])
      expect(await refusal(as().get(path))).toEqual([404, { message: '404 Not found' }]);
    expect((await as().get(at('/x'))).status).toBe(400);
  });

  it('shows to guests of public jobs', async () => {
    const ids = new Map<number, number>();
    for (const one of Object.values(cast.projects)) ids.set(one.id, await insertPipeline(app.current, one));
    const row = await cast.row((api, { id }) => api.get(`/projects/${id}/pipelines/${ids.get(id)}`));
    expect(row).toEqual({ ...READ_ROW, guest: 200, ...SIGN_IN_FIRST });
  });
});

describe('GET /projects/:id/pipelines/latest', () => {
  it('is the newest of the default branch, or of the ref', async () => {
    await insert();
    const [master, other] = [await insert(), await insert({ ref: 'other' })];
    expect((await as().get(at('/latest')).expect(200)).body.id).toBe(master);
    expect((await as().get(at('/latest?ref=other')).expect(200)).body.id).toBe(other);
    expect((await as().get(at('/latest?ref=none'))).status).toBe(404);
  });
});

describe('GET /projects/:id/pipelines/:pipeline_id/variables', () => {
  const variables = [
    { key: 'B', value: 'two', variable_type: 'file' },
    { key: 'A', value: 'one' },
  ];

  it('shows what was given, and keeps it sealed', async () => {
    const { body } = await create({ ref: 'master', variables }).expect(201);
    expect(JSON.stringify(body)).not.toContain('two');
    expect(
      (
        await as()
          .get(at(`/${body.id}/variables`))
          .expect(200)
      ).body,
    ).toEqual([
      { key: 'A', variable_type: 'env_var', value: 'one' },
      { key: 'B', variable_type: 'file', value: 'two' },
    ]);
    const { rows } = await app.current.database.query('SELECT sealed_value FROM pipeline_variables');
    expect(rows.map(({ sealed_value }) => String(sealed_value))).not.toContain('two');
  });

  it('takes them as forms have them', async () => {
    const { body } = await app.current
      .as(maintainer)
      .post(`/projects/${project.id}/pipeline?ref=master`)
      .type('form')
      .send('variables[][key]=A&variables[][value]=1&variables[][key]=B&variables[][value]=2')
      .expect(201);
    expect((await as().get(at(`/${body.id}/variables`))).body).toMatchObject([{ key: 'A' }, { key: 'B' }]);
  });

  it('is for maintainers, and the developer who gave them', async () => {
    const own = await insert({ user_id: developer.id, ref: 'x' });
    const others = await insert({ user_id: maintainer.id });
    expect((await as(developer).get(at(`/${own}/variables`))).status).toBe(200);
    expect(await refusal(as(developer).get(at(`/${others}/variables`)))).toEqual([
      403,
      { message: '403 Forbidden' },
    ]);
    expect((await as().get(at('/999999999/variables'))).status).toBe(404);
    const ids = new Map<number, number>();
    for (const one of Object.values(cast.projects)) ids.set(one.id, await insertPipeline(app.current, one));
    const row = await cast.row((api, { id }) =>
      api.get(`/projects/${id}/pipelines/${ids.get(id)}/variables`),
    );
    expect(row).toEqual({ ...writeRow(200), ...SIGN_IN_FIRST, developer: 403 });
  });
});

describe('POST /projects/:id/pipelines/:pipeline_id/cancel', () => {
  it('stops a pipeline that waits for statuses, and what others report of it', async () => {
    const { body } = await create({ ref: 'master' });
    const stopped = (
      await as()
        .post(at(`/${body.id}/cancel`))
        .expect(200)
    ).body;
    expect(stopped).toMatchObject({ id: body.id, status: 'canceled', finished_at: TIME });
    const report = { state: 'running', ref: 'master' };
    await as().post(`/projects/${project.id}/statuses/${project.tip}`, report).expect(201);
    expect(
      (
        await as()
          .post(at(`/${body.id}/cancel`))
          .expect(200)
      ).body.status,
    ).toBe('canceled');
    const { body: statuses } = await as().get(
      `/projects/${project.id}/repository/commits/${project.tip}/statuses`,
    );
    expect(statuses).toMatchObject([{ status: 'canceled' }]);
  });

  it('leaves one that has ended as it is', async () => {
    const id = await insert({ status: 'success' });
    expect(
      (
        await as()
          .post(at(`/${id}/cancel`))
          .expect(200)
      ).body.status,
    ).toBe('success');
  });
});

describe('POST /projects/:id/pipelines/:pipeline_id/retry', () => {
  it('has a canceled one wait again', async () => {
    const id = await insert({ status: 'canceled', finished_at: new Date() });
    const { body } = await as()
      .post(at(`/${id}/retry`))
      .expect(201);
    expect(body).toMatchObject({ id, status: 'pending', finished_at: null });
  });

  it('has failures be reported again', async () => {
    for (const [name, state] of [
      ['a', 'success'],
      ['b', 'failed'],
    ])
      await as().post(`/projects/${project.id}/statuses/${project.tip}`, { name, state }).expect(201);
    const [pipeline] = (await as().get(at())).body;
    expect(pipeline.status).toBe('failed');
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await as().post(at(`/${pipeline.id}/retry`));
      expect([status, body.status]).toEqual([201, 'pending']);
    }
  });

  it.each(['retry', 'cancel'])('%s is for developers who may push there', async (action) => {
    const id = await insert();
    expect(await refusal(as(developer).post(at(`/${id}/${action}`)))).toEqual([
      403,
      { message: '403 Forbidden' },
    ]);
    expect((await as().post(at(`/999999999/${action}`))).status).toBe(404);
    const ids = new Map<number, number>();
    for (const one of Object.values(cast.projects))
      ids.set(one.id, await insertPipeline(app.current, one, { ref: 'open' }));
    const row = await cast.row((api, one) =>
      api.post(`/projects/${one.id}/pipelines/${ids.get(one.id)}/${action}`),
    );
    expect(row).toEqual({ ...writeRow(action === 'retry' ? 201 : 200), ...SIGN_IN_FIRST });
  });
});

describe('DELETE /projects/:id/pipelines/:pipeline_id', () => {
  it('removes it with its statuses and variables', async () => {
    const owner = await app.current.build.user();
    await app.current.build.member('project', project.id, owner, 'owner');
    const { body } = await create({ ref: 'master', variables: [{ key: 'A', value: 'x' }] });
    await as().post(`/projects/${project.id}/statuses/${project.tip}`, { state: 'success' });
    expect((await as(owner).delete(at(`/${body.id}`))).status).toBe(204);
    expect((await as().get(at(`/${body.id}`))).status).toBe(404);
    expect((await as(owner).delete(at(`/${body.id}`))).status).toBe(404);
    const { rows } = await app.current.database.query(
      'SELECT 1 FROM pipeline_variables WHERE pipeline_id = $1 UNION SELECT 1 FROM commit_statuses WHERE pipeline_id = $1',
      [body.id],
    );
    expect(rows).toEqual([]);
  });

  it('keeps one that has changed since', async () => {
    const owner = await app.current.build.user();
    await app.current.build.member('project', project.id, owner, 'owner');
    const id = await insert();
    const remove = (since: string) =>
      as(owner)
        .delete(at(`/${id}`))
        .set('If-Unmodified-Since', since);
    expect((await remove('Fri, 01 Jan 2010 00:00:00 GMT')).status).toBe(412);
    expect((await remove('garbage')).status).toBe(204);
  });

  it('is for owners', async () => {
    const ids = new Map<number, number>();
    const row = await cast.row((api, { id }) =>
      api.delete(`/projects/${id}/pipelines/${ids.get(id) ?? 999_999_999}`),
    );
    expect(row).toEqual({ ...writeRow(404), ...SIGN_IN_FIRST, developer: 403, maintainer: 403 });
  });
});

describe('POST /ci/lint', () => {
  const lint = (content: string) => as().post('/ci/lint', { content });

  it('says whether a configuration may be', async () => {
    expect((await lint('a: { script: x }').expect(200)).body).toEqual({ status: 'valid', errors: [] });
    expect((await lint('a: { script: 1 }').expect(200)).body).toEqual({
      status: 'invalid',
      errors: ['jobs:a:script config should be an array of strings or a string'],
    });
    expect((await lint('').expect(200)).body).toEqual({
      status: 'invalid',
      errors: ['Please provide content of .gitlab-ci.yml'],
    });
    expect(await refusal(as().post('/ci/lint', {}))).toEqual([
      400,
      { message: '400 (Bad request) "content" not given' },
    ]);
    expect((await app.current.api.post('/ci/lint', { content: 'x' })).status).toBe(401);
  });
});
