import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import {
  labelled,
  mergeRequestIn,
  SIGNED_IN_READ_ROW,
  signedInWriteRow,
} from '../../support/planning-fixtures';
import { issue } from '../../support/planning-builders';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication();

let owner: BuiltUser;
let reporter: BuiltUser;
let guest: BuiltUser;
let top: BuiltGroup;
let group: BuiltGroup;
let project: BuiltProject;
let cast: Cast;

beforeAll(async () => {
  const { build } = app.current;
  [owner, reporter, guest] = [await build.user(), await build.user(), await build.user()];
  top = await build.group({ members: { owner } });
  group = await build.group({ parent: top, members: { reporter, guest } });
  cast = await Cast.of(app.current, {});
});

beforeEach(async () => {
  project = await app.current.build.project({ namespace: group });
  await app.current.database.query('DELETE FROM labels');
});

const ofProject = () => `/projects/${project.id}/labels`;
const ofGroup = ({ id } = group) => `/groups/${id}/labels`;
const make = async (path: string, label: object): Promise<number> => {
  const { status, body } = await app.current.as(owner).post(path, { color: '#abc', ...label });
  expect([status, body.message]).toEqual([201, undefined]);
  return body.id;
};
const issueIn = async (where: BuiltProject, columns: object = {}): Promise<number> =>
  (await issue(app.current, where, { author: owner, columns: { ...columns } })).id;
const namesAt = async (path: string, by = guest): Promise<string[]> =>
  (await app.current.as(by).get(path)).body.map(({ name }: { name: string }) => name);

describe('POST /projects/:id/labels', () => {
  it('makes a label, with every field in its place', async () => {
    const { status, body } = await app.current.as(reporter).post(ofProject(), {
      name: ' bug ',
      color: '#FFAABB',
      description: 'Ship <it> :rocket:',
      priority: 2,
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'bug',
        color: '#FFAABB',
        text_color: '#333333',
        description: 'Ship <it> :rocket:',
        description_html: expect.stringMatching(/^Ship &lt;it&gt; <gl-emoji title="rocket"/),
        subscribed: false,
        priority: 2,
        is_project_label: true,
      },
    ]);
  });

  it.each([
    ['#428BCA', '#428BCA', '#FFFFFF'],
    ['#fff', '#fff', '#333333'],
    [' #00f ', '#00f', '#FFFFFF'],
    ['Tomato', '#FF6347', '#FFFFFF'],
    ['white', '#FFFFFF', '#333333'],
  ])('takes the colour %s', async (color, hex, text) => {
    const { body } = await app.current.as(reporter).post(ofProject(), { name: 'a', color });
    expect([body.color, body.text_color]).toEqual([hex, text]);
  });

  it.each(['', '#ff', '#ffff', '#gggggg', 'no such colour', '#fffffff', '#fff\n#fff', 'constructor'])(
    'refuses the colour %j',
    async (color) => {
      const { status, body } = await app.current.as(reporter).post(ofProject(), { name: 'a', color });
      expect([status, body]).toEqual([400, { message: { color: ['must be a valid color code'] } }]);
    },
  );

  it.each([
    ['', "can't be blank"],
    [' ', "can't be blank"],
    ['a,b', 'is invalid'],
    ['a'.repeat(256), 'is too long (maximum is 255 characters)'],
  ])('refuses the name %j', async (name, problem) => {
    const { status, body } = await app.current.as(reporter).post(ofProject(), { name, color: '#fff' });
    expect([status, body]).toEqual([400, { message: { title: [problem] } }]);
  });

  it.each([
    [{ color: '#fff' }, { message: '400 (Bad request) "name" not given' }],
    [{ name: 'a' }, { message: '400 (Bad request) "color" not given' }],
    [{ name: 'a', color: '#fff', priority: 'high' }, { error: 'priority is invalid' }],
    [{ name: ['a'], color: '#fff' }, { error: 'name is invalid' }],
  ])('refuses %j', async (params, answer) => {
    const { status, body } = await app.current.as(reporter).post(ofProject(), params);
    expect([status, body]).toEqual([400, answer]);
  });

  it('refuses a name that the project or a group above has', async () => {
    await make(ofProject(), { name: 'own' });
    await make(ofGroup(top), { name: 'lent' });
    for (const name of ['own', 'lent']) {
      const { status, body } = await app.current.as(reporter).post(ofProject(), { name, color: '#fff' });
      expect([status, body]).toEqual([409, { message: 'Label already exists' }]);
    }
  });

  it('lets one of several who make the same label do so', async () => {
    const attempts = Array.from({ length: 6 }, () =>
      app.current.as(reporter).post(ofProject(), { name: 'raced', color: '#fff' }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('is for reporters', async () => {
    expect(
      await cast.row((api, { id }, turn) =>
        api.post(`/projects/${id}/labels`, { name: `label ${turn}`, color: '#fff' }),
      ),
    ).toEqual(signedInWriteRow('reporter', 201));
  });

  it.each([
    ['archived', { archived: true }],
    ['without issues and merge requests', { issues_access: 'disabled', merge_requests_access: 'disabled' }],
  ])('is refused in a project that is %s', async (_, columns) => {
    const closed = await app.current.build.project({ namespace: group, columns });
    await app.current
      .as(owner)
      .post(`/projects/${closed.id}/labels`, { name: 'a', color: '#fff' })
      .expect(403);
  });
});

describe('GET /projects/:id/labels', () => {
  it('lists the labels of the project and of all groups above, by name', async () => {
    await make(ofProject(), { name: 'b own' });
    await make(ofGroup(), { name: 'c lent' });
    await make(ofGroup(top), { name: 'a lent from above' });
    const { headers } = await app.current.as(guest).head(ofProject());
    expect(headers['x-total']).toBe('3');
    expect(await namesAt(ofProject())).toEqual(['a lent from above', 'b own', 'c lent']);
    expect(await namesAt(`${ofProject()}?include_ancestor_groups=false`)).toEqual(['b own', 'c lent']);
    expect(await namesAt(`${ofProject()}?per_page=1&page=2`)).toEqual(['b own']);
    const { body } = await app.current.as(guest).get(ofProject());
    expect(body.map((label: { is_project_label: boolean }) => label.is_project_label)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('searches name and description for any text', async () => {
    await make(ofProject(), { name: '100% done' });
    await make(ofProject(), { name: 'other', description: 'when DONE' });
    await make(ofProject(), { name: 'no' });
    expect(await namesAt(`${ofProject()}?search=done`)).toEqual(['100% done', 'other']);
    expect(await namesAt(`${ofProject()}?search=0%25+d`)).toEqual(['100% done']);
    expect(await namesAt(`${ofProject()}?search=_`)).toEqual([]);
  });

  it('counts what the caller may see', async () => {
    const id = await make(ofGroup(), { name: 'counted' });
    const { database, build } = app.current;
    const stranger = await build.user();
    const open = await build.project({ namespace: group, visibility: 'public' });
    for (const found of [
      await issueIn(open),
      await issueIn(open, { confidential: true }),
      await issueIn(open, { state: 'closed' }),
      await issueIn(project),
    ])
      await labelled(database, id, 'issue_id', found);
    await labelled(database, id, 'merge_request_id', await mergeRequestIn(database, open, owner));
    await labelled(database, id, 'merge_request_id', await mergeRequestIn(database, project, owner));
    const counts = async (by: BuiltUser) => {
      const { body } = await app.current.as(by).get(`/projects/${open.id}/labels?with_counts=true`);
      const [{ open_issues_count: opened, closed_issues_count: closed, open_merge_requests_count: mr }] =
        body;
      return [opened, closed, mr];
    };
    expect(await counts(reporter)).toEqual([3, 1, 2]);
    expect(await counts(guest)).toEqual([2, 1, 1]);
    expect(await counts(stranger)).toEqual([1, 1, 1]);
    expect(Object.keys((await app.current.as(guest).get(ofProject())).body[0])).not.toContain(
      'open_issues_count',
    );
  });

  it('takes the same number of statements however many labels there are', async () => {
    const statements = async () =>
      (await statementsDuring(() => app.current.as(guest).get(`${ofProject()}?with_counts=true`))).length;
    await make(ofProject(), { name: 'first' });
    const one = await statements();
    for (const name of ['a', 'b', 'c']) await make(ofProject(), { name, priority: 1 });
    expect(await statements()).toBe(one);
  });

  it('is for signed-in readers of issues or merge requests', async () => {
    expect(await cast.row((api, { id }) => api.get(`/projects/${id}/labels`))).toEqual(SIGNED_IN_READ_ROW);
    const bare = await app.current.build.project({
      visibility: 'public',
      columns: { issues_access: 'disabled', merge_requests_access: 'private' },
    });
    await app.current.as(guest).get(`/projects/${bare.id}/labels`).expect(403);
  });
});

describe('GET /projects/:id/labels/:name', () => {
  it('finds a label by id and by name, also those of groups above', async () => {
    const own = await make(ofProject(), { name: 'a/b c' });
    const lent = await make(ofGroup(top), { name: String(own) });
    const get = (name: string) => app.current.as(guest).get(`${ofProject()}/${encodeURIComponent(name)}`);
    expect((await get('a/b c')).body.id).toBe(own);
    expect((await get(String(own))).body.id).toBe(own);
    expect((await get(String(lent))).body.name).toBe(String(own));
    const { status, body } = await get('missing');
    expect([status, body]).toEqual([404, { message: '404 Label Not Found' }]);
    await app.current.as(guest).get(`${ofProject()}/${lent}?include_ancestor_groups=false`).expect(404);
  });

  it('does not find labels of other projects', async () => {
    const other = await app.current.build.project({ namespace: group });
    const id = await make(`/projects/${other.id}/labels`, { name: 'hidden' });
    for (const name of ['hidden', String(id), '99999999999999999999', `${id} OR 1=1`])
      await app.current
        .as(owner)
        .get(`${ofProject()}/${encodeURIComponent(name)}`)
        .expect(404);
  });
});

describe('PUT /projects/:id/labels', () => {
  const put = (params: object, by = reporter) => app.current.as(by).put(ofProject(), params);

  it('changes what is given, of a label by id or name', async () => {
    const id = await make(ofProject(), { name: 'old', description: 'text', priority: 1 });
    expect((await put({ name: 'old', new_name: 'new' })).body).toMatchObject({
      id,
      name: 'new',
      color: '#abc',
      description: 'text',
      priority: 1,
    });
    expect((await put({ label_id: id, color: 'navy', description: '' })).body).toMatchObject({
      name: 'new',
      color: '#000080',
      description: '',
    });
    expect((await put({ label_id: id, priority: 0 })).body.priority).toBe(0);
    expect((await put({ label_id: id, priority: null })).body.priority).toBeNull();
  });

  it.each([
    [
      { name: 'a' },
      'new_name, color, description, priority are missing, at least one parameter must be provided',
    ],
    [{ new_name: 'a' }, 'label_id, name are missing, exactly one parameter must be provided'],
    [{ name: 'a', label_id: 1, new_name: 'b' }, 'label_id, name are mutually exclusive'],
    [{ name: 'a', priority: -1 }, 'priority does not have a valid value'],
  ])('refuses %j', async (params, error) => {
    const { status, body } = await put(params);
    expect(status).toBe(400);
    expect(body.error).toContain(error.split(' does')[0]);
  });

  it('refuses names and colours that no label may have', async () => {
    await make(ofProject(), { name: 'a' });
    await make(ofProject(), { name: 'taken' });
    await make(ofGroup(top), { name: 'lent' });
    const message = async (params: object) => (await put({ name: 'a', ...params })).body.message;
    expect(await message({ new_name: 'taken' })).toEqual({ title: ['has already been taken'] });
    expect(await message({ new_name: 'lent' })).toEqual({
      title: [expect.stringMatching(/^already exists at group level for .+\. Please choose another one\.$/)],
    });
    expect(await message({ new_name: 'b,c', color: 'x' })).toEqual({
      title: ['is invalid'],
      color: ['must be a valid color code'],
    });
    expect(await namesAt(ofProject())).toEqual(['a', 'lent', 'taken']);
  });

  it('gives a label of the group a priority in the project, and changes nothing else of it', async () => {
    const id = await make(ofGroup(), { name: 'lent' });
    expect((await put({ label_id: id, priority: 3 })).body).toMatchObject({
      priority: 3,
      is_project_label: false,
    });
    await put({ label_id: id, new_name: 'mine' }, owner).expect(403);
    const other = await app.current.build.project({ namespace: group });
    expect((await app.current.as(guest).get(`/projects/${other.id}/labels/lent`)).body.priority).toBeNull();
  });

  it('answers 404 for a label that is not there', async () => {
    const { status, body } = await put({ name: 'missing', new_name: 'a' });
    expect([status, body]).toEqual([404, { message: '404 Label Not Found' }]);
  });
});

describe('PUT /projects/:id/labels/:name', () => {
  it('changes the label of the path, for reporters', async () => {
    for (const { id } of Object.values(cast.projects))
      await app.current.as(cast.users.owner).post(`/projects/${id}/labels`, { name: 'a', color: '#fff' });
    expect(
      await cast.row((api, { id }) => api.put(`/projects/${id}/labels/a`, { description: 'new' })),
    ).toEqual(signedInWriteRow('reporter', 200));
  });
});

describe('DELETE /projects/:id/labels', () => {
  it('takes the label off whatever has it, and leaves its events', async () => {
    const { database } = app.current;
    const id = await make(ofProject(), { name: 'gone', priority: 1 });
    const carrier = await issueIn(project);
    await labelled(database, id, 'issue_id', carrier);
    await database.query(`INSERT INTO label_events (issue_id, label_id, action) VALUES ($1, $2, 'add')`, [
      carrier,
      id,
    ]);
    await app.current.as(reporter).post(`${ofProject()}/gone/subscribe`).expect(201);
    await app.current.as(reporter).delete(`${ofProject()}?name=gone`).expect(204);
    await app.current.as(reporter).delete(`${ofProject()}?name=gone`).expect(404);
    const { rows } = await database.query(
      `SELECT (SELECT count(*)::int FROM label_links WHERE label_id = $1) AS links,
         (SELECT label_id FROM label_events WHERE issue_id = $2) AS event`,
      [id, carrier],
    );
    expect(rows).toEqual([{ links: 0, event: null }]);
  });

  it('keeps a label that was changed since', async () => {
    const id = await make(ofProject(), { name: 'kept' });
    const since = { 'If-Unmodified-Since': 'Fri, 01 Jan 2016 00:00:00 GMT' };
    await app.current.as(reporter).with(since).delete(`${ofProject()}?label_id=${id}`).expect(412);
    expect(await namesAt(ofProject())).toEqual(['kept']);
  });
});

describe('DELETE /projects/:id/labels/:name', () => {
  it('removes the project\u2019s own labels alone', async () => {
    const lent = await make(ofGroup(), { name: 'lent' });
    await make(ofProject(), { name: 'own' });
    await app.current.as(owner).delete(`${ofProject()}/${lent}`).expect(404);
    await app.current.as(guest).delete(`${ofProject()}/own`).expect(403);
    await app.current.as(reporter).delete(`${ofProject()}/own`).expect(204);
    expect(await namesAt(ofProject())).toEqual(['lent']);
  });
});

describe.each([
  ['POST /projects/:id/labels/:name/subscribe', 'POST /projects/:id/labels/:name/unsubscribe', ofProject],
  ['POST /groups/:id/labels/:name/subscribe', 'POST /groups/:id/labels/:name/unsubscribe', () => ofGroup()],
])('%s and %s', (_on, _off, path) => {
  it('change what the caller hears of, and say so when it was so already', async () => {
    const id = await make(path(), { name: 'heard' });
    const post = (action: string, by = guest) => app.current.as(by).post(`${path()}/${action}`);
    await post('heard/unsubscribe').expect(304);
    const { status, body } = await post('heard/subscribe');
    expect([status, body.id, body.subscribed]).toEqual([201, id, true]);
    await post(`${id}/subscribe`).expect(304);
    expect((await app.current.as(reporter).get(`${path()}/heard`)).body.subscribed).toBe(false);
    expect((await post(`${id}/unsubscribe`)).body.subscribed).toBe(false);
    await post('heard/unsubscribe').expect(304);
    await post('missing/subscribe').expect(404);
  });
});

describe('POST /projects/:id/labels/:name/subscribe', () => {
  it('is for the project alone, where a group lends the label', async () => {
    await make(ofGroup(), { name: 'lent' });
    await app.current.as(guest).post(`${ofProject()}/lent/subscribe`).expect(201);
    const isHeard = async (path: string) => (await app.current.as(guest).get(`${path}/lent`)).body.subscribed;
    expect([await isHeard(ofProject()), await isHeard(ofGroup())]).toEqual([true, false]);
  });
});

describe('GET /groups/:id/labels', () => {
  it('lists the labels of the group and of all groups above, without those of projects', async () => {
    await make(ofProject(), { name: 'of the project' });
    await make(ofGroup(), { name: 'own', description: 'text' });
    await make(ofGroup(top), { name: 'from above' });
    expect(await namesAt(ofGroup())).toEqual(['from above', 'own']);
    expect(await namesAt(`${ofGroup()}?include_ancestor_groups=false`)).toEqual(['own']);
    expect((await app.current.as(guest).get(`${ofGroup()}/own?with_counts=true`)).body).toEqual({
      id: expect.any(Number),
      name: 'own',
      color: '#abc',
      text_color: '#333333',
      description: 'text',
      description_html: 'text',
      subscribed: false,
    });
    await app.current.api.get(ofGroup()).expect(401);
    const hidden = await app.current.build.group();
    await app.current.as(guest).get(ofGroup(hidden)).expect(404);
  });
});

describe('GET /groups/:id/labels/:name', () => {
  it('finds a label by id and by name, also those of groups above', async () => {
    const own = await make(ofGroup(), { name: 'own' });
    const above = await make(ofGroup(top), { name: 'above' });
    const ofOneProject = await make(ofProject(), { name: 'hidden' });
    const get = (name: string | number) => app.current.as(guest).get(`${ofGroup()}/${name}`);
    expect((await get(own)).body.name).toBe('own');
    expect((await get('above')).body.id).toBe(above);
    await get('above?include_ancestor_groups=false').expect(404);
    await get(ofOneProject).expect(404);
  });
});

describe('PUT /groups/:id/labels', () => {
  it('changes a label that is named among the parameters, for reporters of the group', async () => {
    const id = await make(ofGroup(), { name: 'a' });
    const put = (params: object, by = reporter) => app.current.as(by).put(ofGroup(), params);
    expect((await put({ name: 'a', color: 'red' })).body.color).toBe('#FF0000');
    expect((await put({ label_id: id, new_name: 'b' })).body.name).toBe('b');
    await put({ name: 'b', new_name: 'c' }, guest).expect(403);
    const { status, body } = await put({ name: 'b', priority: 1 });
    expect([status, body]).toEqual([
      400,
      { error: 'new_name, color, description are missing, at least one parameter must be provided' },
    ]);
  });
});

describe('PUT /groups/:id/labels/:name', () => {
  it('changes the label of the path, for reporters of the group that has it', async () => {
    await make(ofGroup(), { name: 'a' });
    await make(ofGroup(top), { name: 'above' });
    const put = (name: string, by: BuiltUser) =>
      app.current.as(by).put(`${ofGroup()}/${name}`, { new_name: 'b' });
    await put('a', guest).expect(403);
    expect((await put('a', reporter)).body.name).toBe('b');
    await put('above', owner).expect(404);
    await app.current
      .as(reporter)
      .put(`${ofGroup(top)}/above`, { new_name: 'b' })
      .expect(403);
  });
});

describe('DELETE /groups/:id/labels', () => {
  it('removes a label that is named among the parameters, for reporters of the group', async () => {
    await make(ofGroup(), { name: 'a' });
    await app.current.as(guest).delete(`${ofGroup()}?name=a`).expect(403);
    await app.current.as(reporter).delete(`${ofGroup()}?name=a`).expect(204);
    await app.current.as(reporter).delete(`${ofGroup()}?name=a`).expect(404);
  });
});

describe('DELETE /groups/:id/labels/:name', () => {
  it('removes the label of the path, for reporters of the group', async () => {
    await make(ofGroup(), { name: 'a' });
    await app.current.as(guest).delete(`${ofGroup()}/a`).expect(403);
    await app.current.as(reporter).delete(`${ofGroup()}/a`).expect(204);
    await app.current.as(reporter).delete(`${ofGroup()}/a`).expect(404);
  });
});

describe('POST /groups/:id/labels', () => {
  it('is for reporters', async () => {
    await app.current.as(guest).post(ofGroup(), { name: 'b', color: '#fff' }).expect(403);
    await app.current.as(reporter).post(ofGroup(), { name: 'b', color: '#fff' }).expect(201);
  });

  it('lets a group have what one of its projects has, but not what a group above has', async () => {
    await make(ofProject(), { name: 'of the project' });
    await make(ofGroup(top), { name: 'of the top' });
    const post = (name: string) => app.current.as(owner).post(ofGroup(), { name, color: '#fff' });
    await post('of the project').expect(201);
    await post('of the top').expect(409);
    await post('of the project').expect(409);
  });
});
