import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let maintainer: BuiltUser;
let project: BuiltProject;
let path: string;
beforeEach(async () => {
  maintainer = await app.current.build.user();
  project = await app.current.build.project({ members: { maintainer } });
  path = `/projects/${project.id}/push_rule`;
});
const api = () => app.current.as(maintainer);

const ALL = {
  deny_delete_tag: true,
  member_check: true,
  prevent_secrets: true,
  commit_message_regex: 'Fixes \\d+\\..*',
  commit_message_negative_regex: 'ssh\\:\\/\\/',
  branch_name_regex: '(feature|hotfix)\\/*',
  author_email_regex: '@my-company.com$',
  file_name_regex: '(jar|exe)$',
  max_file_size: 5,
  commit_committer_check: true,
  reject_unsigned_commits: true,
};

const NOTHING = {
  deny_delete_tag: false,
  member_check: false,
  prevent_secrets: false,
  commit_message_regex: null,
  commit_message_negative_regex: null,
  branch_name_regex: null,
  author_email_regex: null,
  file_name_regex: null,
  max_file_size: 0,
  commit_committer_check: false,
  reject_unsigned_commits: false,
};

const its = (fields: object) => ({
  id: expect.any(Number),
  project_id: project.id,
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  ...fields,
});

describe('GET /projects/:id/push_rule', () => {
  it('is null where there is no rule', async () => {
    const { status, body, text } = await api().get(path);
    expect([status, body, text]).toEqual([200, null, 'null']);
  });

  it('has every field, in the order of the specification', async () => {
    await api().post(path, ALL);
    const { status, body } = await api().get(`/projects/${encodeURIComponent(project.fullPath)}/push_rule`);
    expect([status, body]).toEqual([200, its(ALL)]);
    expect(Object.keys(body)).toEqual([
      ...['id', 'project_id', 'commit_message_regex', 'commit_message_negative_regex', 'branch_name_regex'],
      ...['deny_delete_tag', 'created_at', 'member_check', 'prevent_secrets', 'author_email_regex'],
      ...['file_name_regex', 'max_file_size', 'commit_committer_check', 'reject_unsigned_commits'],
    ]);
    expect((await api().head(path)).status).toBe(200);
  });
});

describe('POST /projects/:id/push_rule', () => {
  it('makes a rule with the defaults', async () => {
    const { status, body } = await api().post(path, { prevent_secrets: true });
    expect([status, body]).toEqual([201, its({ ...NOTHING, prevent_secrets: true })]);
  });

  it('is refused the second time, also of two at once', async () => {
    const answers = await Promise.all([api().post(path, ALL), api().post(path, ALL), api().post(path, ALL)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    const { status, body } = await api().post(path, { max_file_size: 1 });
    expect([status, body]).toEqual([422, { error: 'Project push rule exists' }]);
  });

  it('takes the form and query parameters of other clients', async () => {
    const { status, body } = await api()
      .post(`${path}?deny_delete_tag=True`)
      .type('form')
      .send({ max_file_size: '7', member_check: '1', branch_name_regex: '' });
    expect([status, body]).toEqual([
      201,
      its({ ...NOTHING, deny_delete_tag: true, max_file_size: 7, member_check: true, branch_name_regex: '' }),
    ]);
  });

  it.each([
    ['no parameter', {}, expect.stringContaining('at least one parameter must be provided')],
    [
      'only others',
      { id: 7, project_id: 1 },
      expect.stringContaining('at least one parameter must be provided'),
    ],
    ['a size that is no number', { max_file_size: 'big' }, 'max_file_size is invalid'],
    ['a flag that is none', { member_check: 'maybe' }, 'member_check is invalid'],
    ['a pattern that is a list', { branch_name_regex: ['a'] }, 'branch_name_regex is invalid'],
  ])('refuses %s', async (_what, body, error) => {
    const answer = await api().post(path, body);
    expect([answer.status, answer.body]).toEqual([400, { error }]);
  });

  it.each([
    [{ max_file_size: -1 }, { max_file_size: ['must be greater than or equal to 0'] }],
    [{ max_file_size: 2 ** 31 }, { max_file_size: ['must be less than or equal to 2147483647'] }],
    [{ file_name_regex: 'a'.repeat(512) }, { file_name_regex: ['is too long (maximum is 511 characters)'] }],
    [
      { commit_message_regex: '(', branch_name_regex: '(?=ahead)' },
      {
        commit_message_regex: [expect.stringMatching(/^not valid RE2 syntax: /)],
        branch_name_regex: [expect.stringMatching(/^not valid RE2 syntax: /)],
      },
    ],
    [{ author_email_regex: '(x|y){1000}' }, { author_email_regex: ['is too complex'] }],
    [
      { commit_message_negative_regex: '((a{100}){100}){100}' },
      { commit_message_negative_regex: [expect.stringMatching(/^not valid RE2 syntax: /)] },
    ],
  ])('refuses the values %j', async (body, message) => {
    const answer = await api().post(path, body);
    expect([answer.status, answer.body]).toEqual([400, { message }]);
    expect((await api().get(path)).body).toBeNull();
  });
});

describe('PUT /projects/:id/push_rule', () => {
  it('changes what is given and leaves the rest', async () => {
    const { id, created_at } = (await api().post(path, ALL)).body;
    const changes = { max_file_size: 0, commit_message_regex: null, member_check: false };
    const { status, body } = await api().put(path, changes);
    expect([status, body]).toEqual([200, { ...ALL, ...changes, id, project_id: project.id, created_at }]);
  });

  it('needs a rule, and something to change in it', async () => {
    const missing = await api().put(path, { member_check: true });
    expect([missing.status, missing.body]).toEqual([404, { message: '404 Push Rule Not Found' }]);
    await api().post(path, ALL);
    const empty = await api().put(path, {});
    expect(empty.status).toBe(400);
    const invalid = await api().put(path, { file_name_regex: '[' });
    expect([invalid.status, Object.keys(invalid.body.message)]).toEqual([400, ['file_name_regex']]);
    expect((await api().get(path)).body).toMatchObject(ALL);
  });
});

describe('DELETE /projects/:id/push_rule', () => {
  it('removes the rule, and says so the second time', async () => {
    await api().post(path, ALL);
    const first = await api().delete(path);
    expect([first.status, first.text]).toEqual([204, '']);
    const second = await api().delete(path);
    expect([second.status, second.body]).toEqual([404, { message: '404 Push Rule Not Found' }]);
    expect((await api().get(path)).body).toBeNull();
    expect((await api().post(path, ALL)).status).toBe(201);
  });

  it('keeps a rule that was changed since', async () => {
    await api().post(path, ALL);
    const early = await api().delete(path).set('If-Unmodified-Since', 'Mon, 02 Jan 2006 15:04:05 GMT');
    expect([early.status, early.body]).toEqual([412, { message: '412 Precondition Failed' }]);
    const late = new Date(Date.now() + 60_000).toUTCString();
    expect((await api().delete(path).set('If-Unmodified-Since', late)).status).toBe(204);
  });
});

describe('rights over the push rule of a project', () => {
  const row = (success: number) => ({
    'anonymous public': 401,
    'anonymous internal': 401,
    'anonymous private': 401,
    'stranger public': 403,
    'stranger internal': 403,
    'stranger private': 404,
    guest: 403,
    reporter: 403,
    developer: 403,
    maintainer: success,
    owner: success,
    admin: success,
  });

  it('are those of maintainers, for GET, POST, PUT and DELETE /projects/:id/push_rule', async () => {
    const cast = await Cast.of(app.current, {});
    const of = ({ id }: BuiltProject) => `/projects/${id}/push_rule`;
    const clear = () => app.current.database.query('DELETE FROM push_rules');
    const fill = () =>
      app.current.database.query('INSERT INTO push_rules (project_id) SELECT id FROM projects');
    // The reads are no exception: the reference asks for a sign-in first.
    expect(await cast.row((client, one) => client.post(of(one), {}))).toEqual(row(400));
    await clear();
    await fill();
    expect(await cast.row((client, one) => client.get(of(one)))).toEqual(row(200));
    expect(await cast.row((client, one) => client.put(of(one), { max_file_size: 3 }))).toEqual(row(200));
    await clear();
    expect(await cast.row((client, one) => client.delete(of(one)))).toEqual(row(404));
  });
});
