import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { whileHeld } from '../../support/held-rows';
import { issue } from '../../support/planning-builders';
import {
  labelled,
  mergeRequestIn,
  SIGNED_IN_READ_ROW,
  signedInWriteRow,
} from '../../support/planning-fixtures';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication({ TIER: 'ultimate' });

let owner: BuiltUser;
let developer: BuiltUser;
let guest: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;
let cast: Cast;

beforeAll(async () => {
  const { build } = app.current;
  [owner, developer, guest] = [await build.user(), await build.user(), await build.user()];
  group = await build.group({ members: { owner, developer, guest } });
  cast = await Cast.of(app.current, {});
});

beforeEach(async () => {
  project = await app.current.build.project({ namespace: group });
  await app.current.database.query('DELETE FROM milestones');
});

const ofProject = ({ id } = project) => `/projects/${id}/milestones`;
const ofGroup = ({ id } = group) => `/groups/${id}/milestones`;
const make = async (path: string, milestone: object): Promise<number> => {
  const { status, body } = await app.current.as(developer).post(path, milestone);
  expect([status, body.message]).toEqual([201, undefined]);
  return body.id;
};
const titlesAt = async (path: string): Promise<string[]> =>
  (await app.current.as(guest).get(path)).body.map(({ title }: { title: string }) => title);

/** The same for the milestones of the project and for those of the group. */
const both = (ofProjects: string, ofGroups: string): [string, () => string][] => [
  [ofProjects, () => ofProject()],
  [ofGroups, () => ofGroup()],
];

describe.each(both('POST /projects/:id/milestones', 'POST /groups/:id/milestones'))('%s', (row, path) => {
  it('makes a milestone, with every field in its place', async () => {
    const { status, body } = await app.current.as(developer).post(path(), {
      title: ' v1 ',
      description: 'The first',
      due_date: '2026-03-01',
      start_date: '2026-02-01',
    });
    expect(status).toBe(201);
    const isProject = row.includes('/projects/');
    const ownerField = isProject ? 'project_id' : 'group_id';
    expect(body).toEqual({
      id: expect.any(Number),
      iid: expect.any(Number),
      [ownerField]: isProject ? project.id : group.id,
      title: 'v1',
      description: 'The first',
      due_date: '2026-03-01',
      start_date: '2026-02-01',
      state: 'active',
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      created_at: body.updated_at,
      web_url: isProject
        ? `http://service.test/${project.fullPath}/milestones/${body.iid}`
        : `http://service.test/groups/${group.fullPath}/-/milestones/${body.iid}`,
    });
    expect(Object.keys(body)).toEqual([
      ...['id', 'iid', ownerField, 'title', 'description', 'due_date', 'start_date', 'state'],
      ...['updated_at', 'created_at', 'web_url'],
    ]);
  });

  it('leaves empty what is not given', async () => {
    const { body } = await app.current.as(developer).post(path(), { title: 'bare' });
    expect(body).toMatchObject({ description: null, due_date: null, start_date: null });
  });

  it.each([
    [{}, { message: '400 (Bad request) "title" not given' }],
    [{ title: ' ' }, { message: { title: ["can't be blank"] } }],
    [{ title: 'a'.repeat(256) }, { message: { title: ['is too long (maximum is 255 characters)'] } }],
    [{ title: ['a'] }, { error: 'title is invalid' }],
    [{ title: 'a', due_date: '2026-02-30' }, { error: 'due_date is invalid' }],
    [{ title: 'a', start_date: 'soon' }, { error: 'start_date is invalid' }],
    [
      { title: 'a', due_date: '2026-02-01', start_date: '2026-02-01' },
      { message: { due_date: ['must be greater than start date'] } },
    ],
  ])('refuses %j', async (params, answer) => {
    const { status, body } = await app.current.as(developer).post(path(), params);
    expect([status, body]).toEqual([400, answer]);
  });

  it('lets one of several who give the same title do so', async () => {
    const attempts = Array.from({ length: 5 }, () =>
      app.current.as(developer).post(path(), { title: 'raced' }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 400, 400, 400, 400]);
  });
});

describe('POST /projects/:id/milestones', () => {
  it('refuses a title that the project or its group has, and a group one that its projects have', async () => {
    await make(ofProject(), { title: 'own' });
    await make(ofGroup(), { title: 'lent' });
    const taken = { message: { title: ['already being used for another group or project milestone.'] } };
    for (const [path, title] of [
      [ofProject(), 'own'],
      [ofProject(), 'lent'],
      [ofGroup(), 'lent'],
      [ofGroup(), 'own'],
    ] as const) {
      const { status, body } = await app.current.as(developer).post(path, { title });
      expect([status, body]).toEqual([400, taken]);
    }
    const sibling = await app.current.build.project({ namespace: group });
    await make(ofProject(sibling), { title: 'own' });
  });

  it('lets either the group or a project have a title that both give at once', async () => {
    const attempts = [ofProject(), ofGroup()].map((path) =>
      app.current.as(developer).post(path, { title: 'contested' }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 400]);
  });

  it('gives numbers from 1, and none twice', async () => {
    const iidOf = async (title: string) =>
      (await app.current.as(developer).post(ofProject(), { title })).body.iid;
    expect([await iidOf('a'), await iidOf('b')]).toEqual([1, 2]);
    const [last] = (await app.current.as(guest).get(ofProject())).body;
    await app.current.as(developer).delete(`${ofProject()}/${last.id}`).expect(204);
    expect(await iidOf('c')).toBe(3);
  });

  it('is for developers', async () => {
    expect(
      await cast.row((api, { id }, turn) => api.post(`/projects/${id}/milestones`, { title: `t${turn}` })),
    ).toEqual(signedInWriteRow('developer', 201));
  });

  it.each([
    ['archived', { archived: true }],
    ['without issues and merge requests', { issues_access: 'disabled', merge_requests_access: 'disabled' }],
  ])('is refused in a project that is %s', async (_, columns) => {
    const closed = await app.current.build.project({ namespace: group, columns });
    await app.current.as(owner).post(ofProject(closed), { title: 'a' }).expect(403);
  });
});

describe.each(both('GET /projects/:id/milestones', 'GET /groups/:id/milestones'))('%s', (_, path) => {
  it('lists its own, the newest first, by what is asked for', async () => {
    await make(path(), { title: 'alpha', description: '50% of it' });
    const second = await make(path(), { title: 'beta' });
    await make(path(), { title: 'Alpha 2' });
    await app.current.as(developer).put(`${path()}/${second}`, { state_event: 'close' }).expect(200);
    const { body } = await app.current.as(guest).get(path());
    const [iid] = body.map((milestone: { iid: number }) => milestone.iid);
    expect(await titlesAt(path())).toEqual(['Alpha 2', 'beta', 'alpha']);
    expect(await titlesAt(`${path()}?state=all`)).toHaveLength(3);
    expect(await titlesAt(`${path()}?state=closed`)).toEqual(['beta']);
    expect(await titlesAt(`${path()}?state=active`)).toEqual(['Alpha 2', 'alpha']);
    expect(await titlesAt(`${path()}?title=alpha`)).toEqual(['alpha']);
    expect(await titlesAt(`${path()}?search=ALPHA`)).toEqual(['Alpha 2', 'alpha']);
    expect(await titlesAt(`${path()}?search=50%25`)).toEqual(['alpha']);
    expect(await titlesAt(`${path()}?iids[]=${iid}&iids[]=${iid - 1}`)).toEqual(['Alpha 2', 'beta']);
    expect(await titlesAt(`${path()}?iids=${iid}`)).toEqual(['Alpha 2']);
    expect(await titlesAt(`${path()}?per_page=1&page=2`)).toEqual(['beta']);
    const { headers } = await app.current.as(guest).head(`${path()}?per_page=1&page=2`);
    expect([headers['x-total'], headers['x-next-page'], headers['x-prev-page']]).toEqual(['3', '3', '1']);
  });

  it.each([
    ['state=open', 'state does not have a valid value'],
    ['iids[]=a', 'iids is invalid'],
  ])('refuses %s', async (query, error) => {
    const { status, body } = await app.current.as(guest).get(`${path()}?${query}`);
    expect([status, body]).toEqual([400, { error }]);
  });
});

describe('GET /projects/:id/milestones', () => {
  it('is for signed-in readers of issues or merge requests', async () => {
    expect(await cast.row((api, { id }) => api.get(`/projects/${id}/milestones`))).toEqual(
      SIGNED_IN_READ_ROW,
    );
    const bare = await app.current.build.project({
      visibility: 'public',
      columns: { issues_access: 'disabled', merge_requests_access: 'disabled' },
    });
    await app.current.as(guest).get(ofProject(bare)).expect(403);
  });

  it('takes the same number of statements however many there are', async () => {
    const statements = async () =>
      (await statementsDuring(() => app.current.as(guest).get(ofProject()))).length;
    await make(ofProject(), { title: 'first' });
    const one = await statements();
    for (const title of ['a', 'b', 'c']) await make(ofProject(), { title });
    expect(await statements()).toBe(one);
  });
});

describe('GET /groups/:id/milestones/:milestone_id', () => {
  it('finds the group\u2019s own by id, and no other', async () => {
    const own = await make(ofGroup(), { title: 'own' });
    const theirs = await make(ofProject(), { title: 'theirs' });
    expect((await app.current.as(guest).get(`${ofGroup()}/${own}`)).body.group_id).toBe(group.id);
    for (const id of [theirs, 0]) await app.current.as(owner).get(`${ofGroup()}/${id}`).expect(404);
    await app.current
      .as(await app.current.build.user())
      .get(`${ofGroup()}/${own}`)
      .expect(404);
  });
});

describe('GET /projects/:id/milestones/:milestone_id', () => {
  it('finds the project\u2019s own by id, and no other', async () => {
    const other = await app.current.build.project({ namespace: group });
    const own = await make(ofProject(), { title: 'own' });
    const elsewhere = [
      await make(ofProject(other), { title: 'theirs' }),
      await make(ofGroup(), { title: 'g' }),
    ];
    expect((await app.current.as(guest).get(`${ofProject()}/${own}`)).body.title).toBe('own');
    for (const id of [...elsewhere, 0, 999_999_999, -1]) {
      const { status, body } = await app.current.as(owner).get(`${ofProject()}/${id}`);
      expect([id, status, body]).toEqual([id, 404, { message: '404 Not found' }]);
    }
    await app.current.as(owner).get(`${ofProject()}/v1`).expect(400);
    await app.current.api.get(`${ofProject()}/${own}`).expect(401);
  });
});

describe.each(both('PUT /projects/:id/milestones/:milestone_id', 'PUT /groups/:id/milestones/:milestone_id'))(
  '%s',
  (_, path) => {
    it('changes what is given', async () => {
      const id = await make(path(), { title: 'a', description: 'text', start_date: '2026-01-01' });
      const put = async (params: object) =>
        (await app.current.as(developer).put(`${path()}/${id}`, params)).body;
      expect(await put({ title: 'b' })).toMatchObject({ title: 'b', description: 'text' });
      expect(await put({ title: 'b', due_date: '2026-02-01' })).toMatchObject({ due_date: '2026-02-01' });
      expect(await put({ due_date: '' })).toMatchObject({ due_date: null, start_date: '2026-01-01' });
      expect(await put({ start_date: null, description: '' })).toMatchObject({
        start_date: null,
        description: '',
      });
      expect(await put({ state_event: 'close' })).toMatchObject({ state: 'closed', title: 'b' });
      expect(await put({ state_event: 'close' })).toMatchObject({ state: 'closed' });
      expect(await put({ state_event: 'activate' })).toMatchObject({ state: 'active' });
    });

    it.each([
      [
        {},
        'title, description, start_date, due_date, state_event are missing, at least one parameter must be provided',
      ],
      [
        { unknown: 1 },
        'title, description, start_date, due_date, state_event are missing, at least one parameter must be provided',
      ],
      [{ state_event: 'reopen' }, 'state_event does not have a valid value'],
    ])('refuses %j', async (params, error) => {
      const id = await make(path(), { title: 'a' });
      const { status, body } = await app.current.as(developer).put(`${path()}/${id}`, params);
      expect([status, body]).toEqual([400, { error }]);
    });

    it('refuses a title that is in use, an empty one, and an end before the beginning', async () => {
      const id = await make(path(), { title: 'a', start_date: '2026-01-01' });
      await make(path(), { title: 'taken' });
      const message = async (params: object) => {
        const { status, body } = await app.current.as(developer).put(`${path()}/${id}`, params);
        return [status, Object.keys(body.message)];
      };
      expect(await message({ title: 'taken' })).toEqual([400, ['title']]);
      expect(await message({ title: '' })).toEqual([400, ['title']]);
      expect(await message({ due_date: '2025-12-31' })).toEqual([400, ['due_date']]);
    });

    it('is for developers, and answers 404 for a milestone that is not there', async () => {
      const id = await make(path(), { title: 'a' });
      await app.current.as(guest).put(`${path()}/${id}`, { title: 'b' }).expect(403);
      await app.current.as(developer).put(`${path()}/0`, { title: 'a' }).expect(404);
      await app.current.as(developer).put(`${path()}/0`, { state_event: 'close' }).expect(404);
    });

    it('loses none of several changes at once', async () => {
      const id = await make(path(), { title: 'a' });
      await Promise.all([
        app.current.as(developer).put(`${path()}/${id}`, { title: 'b' }),
        app.current.as(developer).put(`${path()}/${id}`, { description: 'text' }),
        app.current.as(developer).put(`${path()}/${id}`, { state_event: 'close' }),
      ]);
      expect((await app.current.as(guest).get(`${path()}/${id}`)).body).toMatchObject({
        title: 'b',
        description: 'text',
        state: 'closed',
      });
    });
  },
);

describe.each(
  both('DELETE /projects/:id/milestones/:milestone_id', 'DELETE /groups/:id/milestones/:milestone_id'),
)('%s', (_, path) => {
  it('takes the milestone off issues and merge requests, and tells their discussions', async () => {
    const { database } = app.current;
    const milestoneId = await make(path(), { title: 'gone' });
    const carrier = await issue(app.current, project, {
      author: owner,
      columns: { milestone_id: milestoneId },
    });
    const change = await mergeRequestIn(database, project, owner, { milestoneId });
    await app.current.as(guest).delete(`${path()}/${milestoneId}`).expect(403);
    const { status, text } = await app.current.as(developer).delete(`${path()}/${milestoneId}`);
    expect([status, text]).toEqual([204, '']);
    await app.current.as(developer).delete(`${path()}/${milestoneId}`).expect(404);
    const { rows } = await database.query(
      `SELECT milestone_id FROM issues WHERE id = $1
       UNION ALL SELECT milestone_id FROM merge_requests WHERE id = $2`,
      [carrier.id, change],
    );
    expect(rows).toEqual([{ milestone_id: null }, { milestone_id: null }]);
    const told = await database.query(
      'SELECT body, author_id FROM notes WHERE system AND (issue_id = $1 OR merge_request_id = $2)',
      [carrier.id, change],
    );
    const note = { body: 'removed milestone', author_id: String(developer.id) };
    expect(told.rows).toEqual([note, note]);
  });
});

describe('DELETE /projects/:id/milestones/:milestone_id', () => {
  it('keeps a milestone that was changed since', async () => {
    const id = await make(ofProject(), { title: 'kept' });
    const since = { 'If-Unmodified-Since': 'Fri, 01 Jan 2016 00:00:00 GMT' };
    await app.current.as(developer).with(since).delete(`${ofProject()}/${id}`).expect(412);
    expect(await titlesAt(ofProject())).toEqual(['kept']);
  });

  it('waits for whoever is just putting it on something', async () => {
    const id = await make(ofProject(), { title: 'busy' });
    const carrier = await issue(app.current, project, { author: owner });
    const answer = await whileHeld(
      app.current,
      `SELECT 1 FROM issues WHERE id = ${carrier.id} FOR UPDATE;
       UPDATE issues SET milestone_id = ${id} WHERE id = ${carrier.id}`,
      () => app.current.as(developer).delete(`${ofProject()}/${id}`),
    );
    expect(answer.status).toBe(204);
    const { rows } = await app.current.database.query('SELECT milestone_id FROM issues WHERE id = $1', [
      carrier.id,
    ]);
    expect(rows).toEqual([{ milestone_id: null }]);
  });

  it('is for developers', async () => {
    const ids = new Map<number, number[]>();
    for (const { id } of Object.values(cast.projects)) {
      const made: number[] = [];
      for (const title of ['a', 'b', 'c', 'd', 'e'])
        made.push(
          (await app.current.as(cast.users.owner).post(`/projects/${id}/milestones`, { title })).body.id,
        );
      ids.set(id, made);
    }
    const row = await cast.row((api, { id }) => {
      const own = ids.get(id) ?? [];
      const attempt = api.delete(`/projects/${id}/milestones/${own[0]}`);
      return attempt.on('response', ({ status }: { status: number }) => {
        if (status === 204) own.shift();
      });
    });
    expect(row).toEqual(signedInWriteRow('developer', 204));
  });
});

describe.each(
  both(
    'GET /projects/:id/milestones/:milestone_id/issues',
    'GET /groups/:id/milestones/:milestone_id/issues',
  ),
)('%s', (_, path) => {
  it('lists the issues that the caller may see, the most important first', async () => {
    const { database } = app.current;
    const milestoneId = await make(path(), { title: 'full' });
    const build = async (title: string, more: { confidential?: boolean } = {}) =>
      (
        await issue(app.current, project, {
          author: owner,
          title,
          ...more,
          columns: { milestone_id: milestoneId },
        })
      ).id;
    await build('plain');
    const urgent = await build('urgent');
    const later = await build('later');
    await build('newest');
    await build('secret', { confidential: true });
    for (const [name, priority, id] of [
      ['p1', 1, urgent],
      ['p2', 2, later],
    ] as const) {
      const { body } = await app.current
        .as(developer)
        .post(`/projects/${project.id}/labels`, { name, color: '#fff', priority });
      await labelled(database, body.id, 'issue_id', id);
    }
    const titles = async (by: BuiltUser, query = '') =>
      (await app.current.as(by).get(`${path()}/${milestoneId}/issues${query}`)).body.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles(guest)).toEqual(['urgent', 'later', 'newest', 'plain']);
    expect(await titles(developer)).toEqual(['urgent', 'later', 'secret', 'newest', 'plain']);
    expect(await titles(guest, '?per_page=1&page=2')).toEqual(['later']);
    const { body, headers } = await app.current.as(guest).get(`${path()}/${milestoneId}/issues?per_page=1`);
    expect(headers['x-total']).toBe('4');
    expect(body[0]).toMatchObject({
      id: urgent,
      labels: ['p1'],
      milestone: { id: milestoneId, title: 'full' },
      author: { id: owner.id },
    });
    await app.current.as(guest).get(`${path()}/0/issues`).expect(404);
    await app.current.api.get(`${path()}/${milestoneId}/issues`).expect(401);
  });
});

describe.each(
  both(
    'GET /projects/:id/milestones/:milestone_id/burndown_events',
    'GET /groups/:id/milestones/:milestone_id/burndown_events',
  ),
)('%s', (_, path) => {
  it('tells when the issues that the caller may see were made, closed and reopened', async () => {
    const { database } = app.current;
    const id = await make(path(), { title: 'burning', start_date: '2026-01-10', due_date: '2026-01-20' });
    const build = async (createdAt: string, columns: object = {}, confidential = false) =>
      (
        await issue(app.current, project, {
          author: owner,
          confidential,
          columns: { milestone_id: id, created_at: createdAt, ...columns },
        })
      ).id;
    const moved = await build('2026-01-11T10:00:00Z', { weight: 3 });
    for (const [action, at] of [
      ['closed', '2026-01-12T10:00:00Z'],
      ['reopened', '2026-01-20T23:59:59Z'],
      ['closed', '2026-01-21T00:00:00Z'],
    ])
      await database.query('INSERT INTO state_events (issue_id, action, created_at) VALUES ($1, $2, $3)', [
        moved,
        action,
        at,
      ]);
    await build('2026-01-05T10:00:00Z', { state: 'closed' });
    await build('2026-01-21T10:00:00Z');
    await build('2026-01-13T10:00:00Z', {}, true);
    const events = async (by: BuiltUser) =>
      (await app.current.as(by).get(`${path()}/${id}/burndown_events`)).body;
    const seen = [
      { created_at: '2026-01-05T10:00:00.000Z', weight: null, action: 'created' },
      { created_at: '2026-01-10T00:00:00.000Z', weight: null, action: 'closed' },
      { created_at: '2026-01-11T10:00:00.000Z', weight: 3, action: 'created' },
      { created_at: '2026-01-12T10:00:00.000Z', weight: 3, action: 'closed' },
      { created_at: '2026-01-20T23:59:59.000Z', weight: 3, action: 'reopened' },
    ];
    expect(await events(guest)).toEqual(seen);
    expect(await events(developer)).toEqual([
      ...seen.slice(0, 4),
      { created_at: '2026-01-13T10:00:00.000Z', weight: null, action: 'created' },
      ...seen.slice(4),
    ]);
  });

  it('tells nothing without both dates, and 404 without a milestone', async () => {
    const id = await make(path(), { title: 'open end', start_date: '2026-01-10' });
    await issue(app.current, project, { author: owner, columns: { milestone_id: id } });
    expect((await app.current.as(guest).get(`${path()}/${id}/burndown_events`)).body).toEqual([]);
    await app.current.as(guest).get(`${path()}/0/burndown_events`).expect(404);
    await app.current.api.get(`${path()}/${id}/burndown_events`).expect(401);
  });
});
