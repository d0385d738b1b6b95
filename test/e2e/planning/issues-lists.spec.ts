import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { useApplication } from '../../support/application';
import { issue, type BuiltIssue } from '../../support/planning-builders';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication();

let owner: BuiltUser;
let reporter: BuiltUser;
let guest: BuiltUser;
let stranger: BuiltUser;
let admin: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;
let other: BuiltProject;
let hidden: BuiltProject;
let first: BuiltIssue;
let second: BuiltIssue;
let third: BuiltIssue;
let secret: BuiltIssue;

const day = (n: number): Date => new Date(Date.UTC(2020, 0, n));

beforeAll(async () => {
  const { build } = app.current;
  [owner, reporter, guest, stranger] = [
    await build.user(),
    await build.user(),
    await build.user(),
    await build.user(),
  ];
  admin = await build.user({ admin: true });
  group = await build.group({ members: { owner, reporter, guest } });
  const inner = await build.group({ parent: group });
  project = await build.project({ namespace: group });
  other = await build.project({ namespace: inner, visibility: 'internal' });
  hidden = await build.project({ owner: stranger });
  first = await issue(app.current, project, {
    author: owner,
    title: 'Login breaks',
    columns: { description: 'With a strange error', created_at: day(1), updated_at: day(9), weight: 5 },
  });
  second = await issue(app.current, project, {
    author: guest,
    title: 'Strange colours',
    columns: { created_at: day(2), updated_at: day(8), due_date: '2030-01-01' },
  });
  third = await issue(app.current, project, {
    author: reporter,
    title: 'Slow pages',
    columns: { created_at: day(3), updated_at: day(7), state: 'closed', weight: 1 },
  });
  secret = await issue(app.current, project, {
    author: owner,
    title: 'A hole',
    confidential: true,
    columns: { created_at: day(4), updated_at: day(6) },
  });
  await issue(app.current, other, { author: reporter, title: 'Elsewhere', columns: { created_at: day(5) } });
  await issue(app.current, other, {
    author: reporter,
    title: 'Hole elsewhere',
    confidential: true,
    columns: { created_at: day(6) },
  });
  await issue(app.current, hidden, { author: guest, title: 'Out of sight', columns: { created_at: day(7) } });
  const path = `/projects/${project.id}`;
  const as = app.current.as(owner);
  const milestone = await as.post(`${path}/milestones`, {
    title: 'v1',
    due_date: '2999-01-01',
    start_date: '2019-01-01',
  });
  await as.put(`${path}/issues/${first.iid}`, {
    labels: 'bug,ui',
    milestone_id: milestone.body.id,
    assignee_ids: [guest.id],
  });
  await as.put(`${path}/issues/${second.iid}`, { labels: 'ui' });
  await app.current.as(reporter).post(`${path}/issues/${first.iid}/award_emoji`, { name: 'thumbsup' });
  await as.put(`${path}/issues/${first.iid}`, { title: 'Login breaks', updated_at: day(9) });
  await as.put(`${path}/issues/${second.iid}`, { title: 'Strange colours', updated_at: day(8) });
});

async function titles(user: BuiltUser | null, path: string): Promise<string[]> {
  const api = user ? app.current.as(user) : app.current.api;
  const { status, body } = await api.get(path);
  expect([status, body]).toEqual([200, expect.any(Array)]);
  return body.map(({ title }: { title: string }) => title);
}

const inProject = (query = '') => `/projects/${project.id}/issues${query}`;

describe('GET /projects/:id/issues', () => {
  const [LOGIN, COLOURS, SLOW, HOLE] = ['Login breaks', 'Strange colours', 'Slow pages', 'A hole'];

  it('lists the newest first, confidential ones for reporters, authors and assignees', async () => {
    expect(await titles(reporter, inProject())).toEqual([HOLE, SLOW, COLOURS, LOGIN]);
    expect(await titles(guest, inProject())).toEqual([SLOW, COLOURS, LOGIN]);
    expect(await titles(admin, inProject())).toHaveLength(4);
  });

  it.each<[string, string[]]>([
    ['?state=opened', [HOLE, COLOURS, LOGIN]],
    ['?state=closed', [SLOW]],
    ['?labels=ui', [COLOURS, LOGIN]],
    ['?labels=ui,bug', [LOGIN]],
    ['?labels[]=ui&labels[]=bug', [LOGIN]],
    ['?labels=None', [HOLE, SLOW]],
    ['?labels=any', [COLOURS, LOGIN]],
    ['?labels=ui,none', [HOLE, SLOW]],
    ['?labels=bug,Any', [COLOURS, LOGIN]],
    ['?labels=', [HOLE, SLOW, COLOURS, LOGIN]],
    ['?milestone=v1', [LOGIN]],
    ['?milestone=none', [HOLE, SLOW, COLOURS]],
    ['?milestone=Any', [LOGIN]],
    ['?milestone=%23upcoming', [LOGIN]],
    ['?milestone=%23started', [LOGIN]],
    ['?milestone=v2', []],
    ['?search=strange', [COLOURS, LOGIN]],
    ['?search=strange&in=title', [COLOURS]],
    ['?search=strange&in=description', [LOGIN]],
    ['?search="strange error"', [LOGIN]],
    ['?search=100%25_', []],
    ['?search=pages slow', [SLOW]],
    ['?search=a', []],
    ['?confidential=true', [HOLE]],
    ['?confidential=false', [SLOW, COLOURS, LOGIN]],
    ['?weight=5', [LOGIN]],
    ['?weight=None', [HOLE, COLOURS]],
    ['?weight=Any', [SLOW, LOGIN]],
    ['?assignee_id=None', [HOLE, SLOW, COLOURS]],
    ['?assignee_id=0', [HOLE, SLOW, COLOURS]],
    ['?assignee_id=Any', [LOGIN]],
    ['?my_reaction_emoji=thumbsup', [LOGIN]],
    ['?my_reaction_emoji=None', [HOLE, SLOW, COLOURS]],
    ['?my_reaction_emoji=tada', []],
    ['?created_after=2020-01-03T00:00:00Z', [HOLE, SLOW]],
    ['?created_before=2020-01-01T00:00:00Z', [LOGIN]],
    ['?updated_after=2020-01-09T00:00:00Z', [LOGIN]],
    ['?updated_before=2020-01-06T00:00:00Z', [HOLE]],
    ['?scope=created_by_me', [SLOW]],
    ['?scope=created-by-me', [SLOW]],
    ['?scope=assigned_to_me', []],
    ['?not[labels]=bug', [HOLE, SLOW, COLOURS]],
    ['?not[labels]=bug,ui', [HOLE, SLOW]],
    ['?not[milestone]=v1', [HOLE, SLOW, COLOURS]],
    ['?not[search]=strange', [HOLE, SLOW]],
    ['?not[assignee_id]=Any', [HOLE, SLOW, COLOURS]],
    ['?order_by=updated_at', [LOGIN, COLOURS, SLOW, HOLE]],
    ['?order_by=created_at&sort=asc', [LOGIN, COLOURS, SLOW, HOLE]],
    ['?order_by=weight&sort=asc', [SLOW, LOGIN, HOLE, COLOURS]],
    ['?order_by=due_date&sort=asc', [COLOURS, HOLE, SLOW, LOGIN]],
    ['?order_by=milestone_due&sort=asc', [LOGIN, HOLE, SLOW, COLOURS]],
    ['?order_by=popularity', [LOGIN, HOLE, SLOW, COLOURS]],
    ['?order_by=relative_position', [LOGIN, COLOURS, SLOW, HOLE]],
    ['?order_by=priority', [LOGIN, HOLE, SLOW, COLOURS]],
    ['?order_by=label_priority', [HOLE, SLOW, COLOURS, LOGIN]],
    ['?per_page=1&page=2', [SLOW]],
    ['?page=9', []],
  ])('with %s lists %j', async (query, expected) => {
    expect(await titles(reporter, inProject(encodeURI(query).replaceAll('%25', '%')))).toEqual(expected);
  });

  it('takes closed milestones neither for started nor for upcoming ones', async () => {
    const milestone = (state: string) => `/projects/${project.id}/milestones?title=v1&state=${state}`;
    const [{ id }] = (await app.current.as(owner).get(milestone('active'))).body;
    const put = (event: string) =>
      app.current.as(owner).put(`/projects/${project.id}/milestones/${id}`, { state_event: event });
    await put('close');
    expect(await titles(reporter, inProject('?milestone=%23started'))).toEqual([]);
    expect(await titles(reporter, inProject('?milestone=%23upcoming'))).toEqual([]);
    await put('activate');
  });

  it('filters by people and numbers', async () => {
    const of = (query: string) => titles(reporter, inProject(query));
    expect(await of(`?author_id=${guest.id}`)).toEqual([COLOURS]);
    expect(await of(`?author_username=${guest.username.toUpperCase()}`)).toEqual([COLOURS]);
    expect(await of('?author_username=nobody')).toEqual([]);
    expect(await of(`?assignee_id=${guest.id}`)).toEqual([LOGIN]);
    expect(await of(`?assignee_username=${guest.username}`)).toEqual([LOGIN]);
    expect(await of(`?assignee_username[]=${guest.username}&assignee_username[]=x`)).toEqual([]);
    expect(await of(`?not[author_id]=${guest.id}`)).toEqual([HOLE, SLOW, LOGIN]);
    expect(await of(`?iids[]=${first.iid}&iids[]=${third.iid}`)).toEqual([SLOW, LOGIN]);
    expect(await of(`?iids=99999999999`)).toEqual([]);
  });

  it.each([
    ['?state=ajar', 'state does not have a valid value'],
    ['?order_by=title', 'order_by does not have a valid value'],
    ['?assignee_id=me', "assignee_id should be an integer, 'None' or 'Any', however got me"],
    ['?weight=heavy', "weight should be an integer, 'None' or 'Any', however got heavy"],
    ['?author_id=1&author_username=a', 'author_id, author_username are mutually exclusive'],
    ['?created_after=soon', 'created_after is invalid'],
    ['?not=1', 'not is invalid'],
    ['?scope=mine', 'scope does not have a valid value'],
  ])('refuses %s', async (query, error) => {
    const { status, body } = await app.current.as(reporter).get(inProject(query));
    expect([status, body]).toEqual([400, { error }]);
  });

  it('shows whole labels when asked to', async () => {
    const { body } = await app.current.as(reporter).get(inProject('?with_labels_details=true&labels=bug'));
    expect(body[0].labels).toEqual([
      expect.objectContaining({ name: 'bug', color: expect.any(String), text_color: expect.any(String) }),
      expect.objectContaining({ name: 'ui' }),
    ]);
  });

  it('comes in pages, and answers HEAD', async () => {
    const { headers } = await app.current.as(reporter).head(inProject('?per_page=2'));
    expect(headers).toMatchObject({ 'x-total': '4', 'x-total-pages': '2', 'x-next-page': '2' });
  });

  it('takes as many statements for a full page as for one issue', async () => {
    const count = async (query: string) =>
      (await statementsDuring(() => titles(reporter, inProject(query)))).length;
    expect(await count('?per_page=4')).toBe(await count('?per_page=1'));
  });

  it('is refused where the project has no issues', async () => {
    const off = await app.current.build.project({ namespace: group, columns: { issues_access: 'disabled' } });
    expect((await app.current.as(owner).get(`/projects/${off.id}/issues`)).status).toBe(403);
  });
});

describe('GET /groups/:id/issues', () => {
  it('lists those of all projects inside that the caller sees', async () => {
    const path = `/groups/${group.id}/issues`;
    expect(await titles(reporter, path)).toHaveLength(6);
    expect(await titles(guest, `${path}?state=opened`)).toEqual([
      'Elsewhere',
      'Strange colours',
      'Login breaks',
    ]);
    expect(await titles(admin, `${path}?search=elsewhere`)).toEqual(['Hole elsewhere', 'Elsewhere']);
    expect(await titles(stranger, path)).toEqual(['Elsewhere']);
    expect((await app.current.api.get(path)).status).toBe(404);
  });
});

describe('GET /issues', () => {
  it('lists the own ones without a scope', async () => {
    expect(await titles(guest, '/issues')).toEqual(['Strange colours']);
    expect(await titles(guest, '/issues?scope=assigned_to_me')).toEqual(['Login breaks']);
    expect((await app.current.api.get('/issues')).status).toBe(401);
  });

  it('lists all that the caller sees when asked to', async () => {
    expect(await titles(stranger, '/issues?scope=all')).toEqual(['Out of sight', 'Elsewhere']);
    expect(await titles(guest, '/issues?scope=all')).toEqual([
      'Elsewhere',
      'Slow pages',
      'Strange colours',
      'Login breaks',
    ]);
    expect(await titles(null, '/issues?scope=all')).toEqual([]);
    expect(await titles(admin, '/issues?scope=all')).toHaveLength(7);
  });
});

const STATISTICS = [
  'GET /issues_statistics',
  'GET /groups/:id/issues_statistics',
  'GET /projects/:id/issues_statistics',
];

describe(STATISTICS.join(', '), () => {
  const counts = async (user: BuiltUser, path: string) => (await app.current.as(user).get(path)).body;

  it('count by state what the caller sees', async () => {
    const path = `/projects/${project.id}/issues_statistics`;
    const statistics = (all: number, closed: number, opened: number) => ({
      statistics: { counts: { all, closed, opened } },
    });
    expect(await counts(reporter, path)).toEqual(statistics(4, 1, 3));
    expect(await counts(guest, path)).toEqual(statistics(3, 1, 2));
    expect(await counts(reporter, `${path}?labels=bug`)).toEqual(statistics(1, 0, 1));
    expect(await counts(reporter, `/groups/${group.id}/issues_statistics`)).toEqual(statistics(6, 1, 5));
    expect(await counts(guest, '/issues_statistics')).toEqual(statistics(1, 0, 1));
    expect(await counts(stranger, '/issues_statistics?scope=all')).toEqual(statistics(2, 0, 2));
  });
});

describe('a confidential issue', () => {
  it('is listed for whom it is assigned to', async () => {
    const path = `/projects/${project.id}/issues/${secret.iid}`;
    await app.current.database.query('INSERT INTO issue_assignees (issue_id, user_id) VALUES ($1, $2)', [
      secret.id,
      guest.id,
    ]);
    expect(await titles(guest, inProject('?confidential=true'))).toEqual(['A hole']);
    expect(await titles(guest, '/issues?scope=all&confidential=true')).toEqual(['A hole']);
    expect((await app.current.as(guest).get(path)).status).toBe(200);
  });
});

/** Last, as the lists above are of all issues that there are. */
describe('a list', () => {
  it('filters by many labels and people at once', async () => {
    const { build } = app.current;
    const [boss, ann, bob] = [await build.user(), await build.user(), await build.user()];
    const place = await build.project({ owner: boss, members: { reporter: ann, guest: bob } });
    const path = `/projects/${place.id}/issues`;
    const post = (title: string, labels: string, people: BuiltUser[]) =>
      app.current.as(boss).post(path, { title, labels, assignee_ids: people.map(({ id }) => id) });
    await post('All', 'a,b,c,d,e,f', [ann, bob]);
    await post('Most', 'a,b,c,d,e', [ann]);
    await post('Others', 'g', []);
    const of = (query: string) => titles(boss, `${path}?${query}`);
    expect(await of('labels=a,b,c,d,e')).toEqual(['Most', 'All']);
    expect(await of('labels=a,b,c,d,e,f,a')).toEqual(['All']);
    expect(await of('labels=a,b,c,d,e,f,g')).toEqual([]);
    expect(await of('not[labels]=b,f')).toEqual(['Others']);
    const [one, two] = [ann.username, bob.username.toUpperCase()];
    expect(await of(`assignee_username[]=${one}&assignee_username[]=${two}`)).toEqual(['All']);
    expect(await of(`assignee_username=${one}`)).toEqual(['Most', 'All']);
    expect(await of(`assignee_username=${one},nobody`)).toEqual([]);
    expect(await of(`not[assignee_username]=${two},nobody`)).toEqual(['Others', 'Most']);
  });
});
