import { type BuiltGroup, type BuiltProject, type BuiltUser } from '../../support/builders';
import { Cast, type AccessRow } from '../../support/access-row';
import { useApplication } from '../../support/application';
import { issue } from '../../support/planning-builders';

const app = useApplication();

let owner: BuiltUser;
let reporter: BuiltUser;
let guest: BuiltUser;
let stranger: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;
let open: BuiltProject;

beforeAll(async () => {
  const { build } = app.current;
  owner = await build.user();
  reporter = await build.user();
  guest = await build.user();
  stranger = await build.user();
  group = await build.group({ members: { owner, reporter, guest } });
  project = await build.project({ namespace: group });
  open = await build.project({ visibility: 'public', members: { reporter, guest } });
});

const as = (user: BuiltUser) => app.current.as(user);
const issues = (of: BuiltProject = project) => `/projects/${of.id}/issues`;

async function opened(user: BuiltUser, fields: object = {}, of: BuiltProject = project) {
  const { status, body } = await as(user).post(issues(of), { title: 'A bug', ...fields });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body;
}

const notesOf = async (id: number): Promise<string[]> => {
  const { rows } = await app.current.database.query<{ body: string }>(
    'SELECT body FROM notes WHERE issue_id = $1 AND system ORDER BY id',
    [id],
  );
  return rows.map(({ body }) => body);
};

const openCount = async (of: BuiltProject): Promise<number> => {
  const { body } = await as(owner).get(`/projects/${of.id}`);
  return body.open_issues_count;
};

const summary = (user: BuiltUser) => ({
  id: user.id,
  name: user.name,
  username: user.username,
  state: 'active',
  avatar_url: null,
  web_url: `http://service.test/${user.username}`,
});

describe('POST /projects/:id/issues', () => {
  it('opens an issue and tells all of it', async () => {
    const before = await openCount(project);
    const { status, body } = await as(guest).post(issues(), {
      title: 'It breaks',
      description: '- [ ] one\n- [x] two',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      iid: expect.any(Number),
      project_id: project.id,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      title: 'It breaks',
      state: 'opened',
      assignees: [],
      assignee: null,
      labels: [],
      author: summary(guest),
      description: '- [ ] one\n- [x] two',
      updated_at: expect.any(String),
      closed_at: null,
      closed_by: null,
      milestone: null,
      subscribed: true,
      user_notes_count: 0,
      merge_requests_count: 0,
      upvotes: 0,
      downvotes: 0,
      due_date: null,
      web_url: `http://service.test/${project.fullPath}/issues/${body.iid}`,
      confidential: false,
      discussion_locked: null,
      time_stats: {
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
      },
      task_completion_status: { count: 2, completed_count: 1 },
      has_tasks: true,
      task_status: '1 of 2 tasks completed',
      weight: null,
      epic_iid: null,
      epic: null,
      moved_to_id: null,
      _links: {
        self: `http://service.test/api/v4/projects/${project.id}/issues/${body.iid}`,
        notes: `http://service.test/api/v4/projects/${project.id}/issues/${body.iid}/notes`,
        award_emoji: `http://service.test/api/v4/projects/${project.id}/issues/${body.iid}/award_emoji`,
        project: `http://service.test/api/v4/projects/${project.id}`,
      },
    });
    expect(await openCount(project)).toBe(before + 1);
    expect((await as(guest).get(`${issues()}/${body.iid}`)).body).toEqual(body);
  });

  it('takes labels, an assignee, a date and a milestone from reporters, and tells of the latter', async () => {
    const milestone = await as(owner).post(`/projects/${project.id}/milestones`, { title: 'v1' });
    const body = await opened(reporter, {
      labels: 'bug,ui',
      assignee_ids: [guest.id, owner.id],
      milestone_id: milestone.body.id,
      due_date: '2030-01-05',
      weight: 3,
      confidential: true,
      discussion_locked: true,
    });
    expect(body).toMatchObject({
      labels: ['bug', 'ui'],
      assignees: [summary(owner), summary(guest)],
      assignee: summary(owner),
      weight: 3,
      milestone: { id: milestone.body.id, title: 'v1' },
      due_date: '2030-01-05',
      confidential: true,
      discussion_locked: true,
    });
    expect(await notesOf(body.id)).toEqual([
      'changed due date to January 05, 2030',
      `changed milestone to %${milestone.body.iid}`,
      'changed weight to **3**',
    ]);
  });

  it('keeps the title without the blanks around it', async () => {
    const body = await opened(guest, { title: ' A bug \n' });
    expect(body.title).toBe('A bug');
    const path = `${issues()}/${body.iid}`;
    expect((await as(guest).put(path, { title: '\tAnother ' })).body.title).toBe('Another');
    const longest = 'x'.repeat(255);
    expect((await as(guest).put(path, { title: ` ${longest} ` })).body.title).toBe(longest);
    expect(await notesOf(body.id)).toHaveLength(2);
  });

  it('has one label of each scope, the one named last', async () => {
    const body = await opened(reporter, { labels: 'p::low,ui,p::high,p::x::1' });
    expect(body.labels).toEqual(['p::high', 'p::x::1', 'ui']);
    const path = `${issues()}/${body.iid}`;
    const labels = async (given: string) => (await as(reporter).put(path, { labels: given })).body.labels;
    expect(await labels('p::high,ui,p::low')).toEqual(['p::low', 'ui']);
    expect(await labels('p::high,p::low')).toEqual(['p::low']);
    const { body: events } = await as(reporter).get(`${path}/resource_label_events`);
    expect(events.at(-1)).toMatchObject({ action: 'remove', label: { name: 'ui' } });
  });

  it('passes over what a guest may not say', async () => {
    const body = await opened(guest, {
      labels: 'bug',
      assignee_ids: [reporter.id],
      due_date: '2030-01-05',
      milestone_id: 1,
      discussion_locked: true,
      iid: 4711,
      created_at: '2001-01-01T00:00:00Z',
    });
    expect(body).toMatchObject({
      labels: [],
      assignees: [],
      due_date: null,
      milestone: null,
      discussion_locked: null,
    });
    expect(body.iid).not.toBe(4711);
    expect(body.created_at).not.toMatch(/^2001/);
  });

  it('takes a number and a time from owners, each number once', async () => {
    const body = await opened(owner, { iid: 5000, created_at: '2001-01-01T00:00:00Z' });
    expect(body).toMatchObject({ iid: 5000, created_at: '2001-01-01T00:00:00.000Z' });
    const again = await as(owner).post(issues(), { title: 'x', iid: 5000 });
    expect([again.status, again.body]).toEqual([409, { message: 'Duplicated issue' }]);
    expect((await opened(guest)).iid).toBe(5001);
    // The largest that may be chosen still has others after it.
    const wide = await app.current.build.project({ owner });
    const choose = (iid?: number) => as(owner).post(issues(wide), { title: 'x', iid });
    await choose(2 ** 31 - 1).expect(400);
    await choose(1_000_000_000).expect(201);
    expect((await choose().expect(201)).body.iid).toBe(1_000_000_001);
  });

  it.each([
    [{}, { message: '400 (Bad request) "title" not given' }],
    [{ title: ' ' }, { message: { title: ["can't be blank"] } }],
    [{ title: 'é'.repeat(256) }, { message: { title: ['is too long (maximum is 255 characters)'] } }],
    [{ title: 'x', due_date: 'soon' }, { error: 'due_date is invalid' }],
    [{ title: 'x', assignee_ids: 'me' }, { error: expect.stringContaining('is invalid') }],
    [{ title: ['x'] }, { error: 'title is invalid' }],
    [{ title: 'x', description: { a: 1 } }, { error: 'description is invalid' }],
    [{ title: 'a\0b' }, { message: '400 Bad request - null byte' }],
    [{ title: 'x', weight: -1 }, { message: { weight: ['must be greater than or equal to 0'] } }],
    [{ title: 'x', labels: 'a?' + 'b'.repeat(300) }, { message: { title: expect.any(Array) } }],
  ])('refuses %j', async (fields, error) => {
    const { status, body } = await as(reporter).post(issues(), fields);
    expect([status, body]).toEqual([400, error]);
  });

  it('gives numbers that nobody has when many come at once', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => opened(guest)));
    const iids = made.map(({ iid }) => iid);
    expect(new Set(iids).size).toBe(6);
  });

  it.each([
    ['an archived project', { archived: true }],
    ['a project without issues', { issues_access: 'disabled' }],
  ])('is closed in %s', async (_name, columns) => {
    const closed = await app.current.build.project({ namespace: group, columns });
    expect((await as(owner).post(issues(closed), { title: 'x' })).status).toBe(403);
  });
});

describe('GET /projects/:id/issues/:issue_iid', () => {
  it('is not there for whoever may not see it', async () => {
    const secret = await opened(guest, { confidential: true }, open);
    const path = `${issues(open)}/${secret.iid}`;
    const answers = await Promise.all([
      app.current.api.get(path),
      as(stranger).get(path),
      as(guest).get(path),
      as(reporter).get(path),
      as(reporter).get(`${issues(open)}/99999`),
      as(reporter).get(`${issues(open)}/99999999999`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 200, 200, 404, 404]);
    expect(answers[0]?.body).toEqual({ message: '404 Not found' });
  });

  it('shows a confidential one to whom it is assigned', async () => {
    const secret = await opened(reporter, { confidential: true, assignee_ids: [stranger.id] }, open);
    expect((await as(stranger).get(`${issues(open)}/${secret.iid}`)).status).toBe(200);
    expect((await as(guest).get(`${issues(open)}/${secret.iid}`)).status).toBe(404);
  });

  it('is not there in a project without issues', async () => {
    const off = await app.current.build.project({ namespace: group, columns: { issues_access: 'disabled' } });
    const { iid } = await issue(app.current, off, { author: owner });
    expect((await as(owner).get(`${issues(off)}/${iid}`)).status).toBe(404);
  });
});

describe('GET /projects/:id/issues/:issue_iid/user_agent_detail', () => {
  it('tells administrators from where an issue comes', async () => {
    const admin = await app.current.build.user({ admin: true });
    const { body: made } = await as(guest).post(issues(), { title: 'A bug' }).set('User-Agent', 'A browser');
    const detail = `${issues()}/${made.iid}/user_agent_detail`;
    const { status, body } = await as(admin).get(detail);
    expect([status, body]).toEqual([
      200,
      { user_agent: 'A browser', ip_address: expect.stringContaining('127.0.0.1'), akismet_submitted: false },
    ]);
    expect((await as(owner).get(detail)).status).toBe(403);
    expect((await app.current.api.get(detail)).status).toBe(401);
    const built = await issue(app.current, project, { author: guest });
    const unknown = await as(admin).get(`${issues()}/${built.iid}/user_agent_detail`);
    expect([unknown.status, unknown.body]).toEqual([404, { message: '404 UserAgentDetail Not Found' }]);
    expect((await as(admin).get(`${issues()}/0/user_agent_detail`)).body).toEqual({
      message: '404 Not found',
    });
    expect((await as(admin).get('/projects/no%2Fsuch/issues/1/user_agent_detail')).body).toEqual({
      message: '404 Project Not Found',
    });
  });
});

describe('PUT /projects/:id/issues/:issue_iid', () => {
  const put = (user: BuiltUser, iid: number, fields: object, of: BuiltProject = project) =>
    as(user).put(`${issues(of)}/${iid}`, fields);

  it('changes what is given, and tells the discussion of it', async () => {
    const { id, iid } = await opened(guest, { description: '- [ ] a' });
    const { status, body } = await put(reporter, iid, {
      title: 'A big bug',
      description: '- [x] a',
      labels: 'one',
      assignee_ids: [reporter.id],
      due_date: '2030-02-01',
      confidential: true,
      discussion_locked: true,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'A big bug', labels: ['one'], confidential: true });
    expect(await notesOf(id)).toEqual([
      'changed title from **A bug** to **A b{+ig b+}ug**',
      'marked the task **a** as completed',
      'locked this issue',
      'changed due date to February 01, 2030',
      'made the issue confidential',
      `assigned to @${reporter.username}`,
    ]);
    const cleared = await put(reporter, iid, {
      labels: '',
      assignee_ids: [0],
      due_date: '',
      milestone_id: 0,
      discussion_locked: false,
      confidential: false,
    });
    expect(cleared.body).toMatchObject({
      labels: [],
      assignees: [],
      due_date: null,
      discussion_locked: false,
    });
  });

  it('closes and opens again, exactly once, and counts', async () => {
    const { id, iid } = await opened(guest);
    const before = await openCount(project);
    const closed = await put(guest, iid, { state_event: 'close' });
    expect(closed.body).toMatchObject({
      state: 'closed',
      closed_at: expect.any(String),
      closed_by: summary(guest),
    });
    await put(reporter, iid, { state_event: 'close' });
    expect(await openCount(project)).toBe(before - 1);
    const reopened = await put(guest, iid, { state_event: 'reopen' });
    expect(reopened.body).toMatchObject({ state: 'opened', closed_at: null, closed_by: null });
    expect(await openCount(project)).toBe(before);
    expect(await notesOf(id)).toEqual(['closed', 'reopened']);
    const { rows } = await app.current.database.query(
      'SELECT action, user_id::int FROM state_events WHERE issue_id = $1 ORDER BY id',
      [id],
    );
    expect(rows).toEqual([
      { action: 'closed', user_id: guest.id },
      { action: 'reopened', user_id: guest.id },
    ]);
  });

  it('counts right when many close it at once', async () => {
    const { iid } = await opened(guest);
    const before = await openCount(project);
    await Promise.all(Array.from({ length: 4 }, () => put(reporter, iid, { state_event: 'close' })));
    expect(await openCount(project)).toBe(before - 1);
  });

  it('counts a confidential issue for nobody', async () => {
    const { iid } = await opened(guest);
    const before = await openCount(project);
    await put(reporter, iid, { confidential: true });
    expect(await openCount(project)).toBe(before - 1);
    await put(reporter, iid, { state_event: 'close' });
    await put(reporter, iid, { state_event: 'reopen', confidential: false });
    expect(await openCount(project)).toBe(before);
  });

  it('lets its author and its assignees change the words alone', async () => {
    const { iid } = await opened(stranger, {}, open);
    const { status, body } = await put(
      stranger,
      iid,
      { title: 'Mine', labels: 'x', due_date: '2030-01-01' },
      open,
    );
    expect([status, body.title, body.labels, body.due_date]).toEqual([200, 'Mine', [], null]);
    expect((await put(guest, iid, { title: 'Not mine' }, open)).status).toBe(403);
    expect((await app.current.api.put(`${issues(open)}/${iid}`, { title: 'x' })).status).toBe(401);
  });

  it('takes a time from owners alone', async () => {
    const { iid } = await opened(guest);
    const at = '2031-01-01T00:00:00.000Z';
    expect((await put(owner, iid, { title: 'Later', updated_at: at })).body.updated_at).toBe(at);
    expect((await put(reporter, iid, { title: 'Now', updated_at: at })).body.updated_at).not.toBe(at);
  });

  it.each([
    [{}, expect.stringMatching(/^assignee_id, .* are missing, at least one parameter must be provided$/)],
    [{ state_event: 'explode' }, 'state_event does not have a valid value'],
    [{ confidential: 'perhaps' }, 'confidential is invalid'],
  ])('refuses %j', async (fields, error) => {
    const { iid } = await opened(guest);
    const { status, body } = await put(reporter, iid, fields);
    expect([status, body]).toEqual([400, { error }]);
  });

  it('tells a stranger nothing of a confidential one', async () => {
    const { iid } = await opened(reporter, { confidential: true }, open);
    const { status, body } = await put(guest, iid, { title: 'x' }, open);
    expect([status, body]).toEqual([404, { message: '404 Not found' }]);
  });
});

describe('DELETE /projects/:id/issues/:issue_iid', () => {
  it('is for owners, and leaves nothing', async () => {
    const { id, iid } = await opened(guest, {}, project);
    await as(reporter).put(`${issues()}/${iid}`, { labels: 'gone', state_event: 'close', title: 'y' });
    const before = await openCount(project);
    expect((await as(reporter).delete(`${issues()}/${iid}`)).status).toBe(403);
    const stale = as(owner).with({ 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' });
    expect((await stale.delete(`${issues()}/${iid}`)).status).toBe(412);
    expect((await as(owner).delete(`${issues()}/${iid}`)).status).toBe(204);
    const again = await as(owner).delete(`${issues()}/${iid}`);
    expect([again.status, again.body]).toEqual([404, { message: '404 Issue Not Found' }]);
    expect(await openCount(project)).toBe(before);
    const { rows } = await app.current.database.query(
      'SELECT 1 FROM notes WHERE issue_id = $1 UNION ALL SELECT 1 FROM label_links WHERE issue_id = $1',
      [id],
    );
    expect(rows).toEqual([]);
  });
});

describe('rights', () => {
  const READ: AccessRow = {
    'anonymous public': 200,
    'anonymous internal': 404,
    'anonymous private': 404,
    'stranger public': 200,
    'stranger internal': 200,
    'stranger private': 404,
    guest: 200,
    reporter: 200,
    developer: 200,
    maintainer: 200,
    owner: 200,
    admin: 200,
  };
  const OPEN: AccessRow = {
    ...READ,
    'anonymous public': 401,
    'anonymous internal': 401,
    'anonymous private': 401,
    'stranger public': 201,
    'stranger internal': 201,
    guest: 201,
    reporter: 201,
    developer: 201,
    maintainer: 201,
    owner: 201,
    admin: 201,
  };

  it('of reading and of opening issues are those of the project', async () => {
    const cast = await Cast.of(app.current, {});
    expect(await cast.row((api, { id }) => api.get(`/projects/${id}/issues`))).toEqual(READ);
    expect(await cast.row((api, { id }) => api.post(`/projects/${id}/issues`, { title: 'x' }))).toEqual(OPEN);
    expect(await cast.row((api, { id }) => api.get(`/projects/${id}/issues/1`))).toEqual(READ);
  });
});
