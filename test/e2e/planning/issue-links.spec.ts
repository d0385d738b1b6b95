import { License, type Tier } from '#libs/tiers';
import { useApplication } from '../../support/application';
import { Cast, type AccessRow } from '../../support/access-row';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { issue, type BuiltIssue } from '../../support/planning-builders';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication();

let reporter: BuiltUser;
let guest: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;
let neighbour: BuiltProject;
let hidden: BuiltProject;
let one: BuiltIssue;
let two: BuiltIssue;
let far: BuiltIssue;

beforeAll(async () => {
  const { build } = app.current;
  [reporter, guest] = [await build.user(), await build.user()];
  group = await build.group();
  project = await build.project({ namespace: group, members: { reporter, guest } });
  neighbour = await build.project({ namespace: group, members: { reporter } });
  hidden = await build.project();
});
beforeEach(async () => {
  [one, two, far] = [
    await issue(app.current, project, { author: reporter, title: 'One' }),
    await issue(app.current, project, { author: reporter, title: 'Two' }),
    await issue(app.current, neighbour, { author: reporter, title: 'Far' }),
  ];
});

const links = (iid: number, linkId?: number): string =>
  `/projects/${project.id}/issues/${iid}/links${linkId === undefined ? '' : `/${linkId}`}`;
const relate = (from: BuiltIssue, to: BuiltIssue, there: BuiltProject = project, by = reporter) =>
  app.current.as(by).post(links(from.iid), { target_project_id: there.id, target_issue_iid: to.iid });
const related = async (at: BuiltIssue, by = reporter): Promise<Record<string, unknown>[]> =>
  (await app.current.as(by).get(links(at.iid))).body;
const systemNotes = async (of: BuiltIssue): Promise<string[]> => {
  const { rows } = await app.current.database.query<{ body: string }>(
    'SELECT body FROM notes WHERE issue_id = $1 AND system ORDER BY id',
    [of.id],
  );
  return rows.map(({ body }) => body);
};

const onTier = async (tier: Tier, work: () => Promise<void>): Promise<void> => {
  const license = app.current.nest.get(License, { strict: false });
  const before = license.tier;
  Reflect.set(license, 'tier', tier);
  try {
    await work();
  } finally {
    Reflect.set(license, 'tier', before);
  }
};

describe('POST /projects/:id/issues/:issue_iid/links', () => {
  it('relates two issues of any projects, and answers both', async () => {
    const { status, body } = await relate(one, far, neighbour);
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['source_issue', 'target_issue']);
    expect(body.source_issue).toMatchObject({
      id: one.id,
      iid: one.iid,
      project_id: project.id,
      title: 'One',
    });
    expect(body.target_issue).toMatchObject({ id: far.id, iid: far.iid, project_id: neighbour.id });
  });

  it('takes the path of the project and the number as text', async () => {
    const { status } = await app.current
      .as(reporter)
      .post(links(one.iid), { target_project_id: neighbour.fullPath, target_issue_iid: String(far.iid) });
    expect(status).toBe(201);
  });

  it('tells the discussions of both', async () => {
    await relate(one, two);
    await relate(one, far, neighbour);
    expect(await systemNotes(one)).toEqual([
      `marked this issue as related to #${two.iid}`,
      `marked this issue as related to ${neighbour.path}#${far.iid}`,
    ]);
    expect(await systemNotes(two)).toEqual([`marked this issue as related to #${one.iid}`]);
    expect(await systemNotes(far)).toEqual([`marked this issue as related to ${project.path}#${one.iid}`]);
  });

  it('refuses what is related already, from either end', async () => {
    await relate(one, two).expect(201);
    for (const attempt of [relate(one, two), relate(two, one)]) {
      const { status, body } = await attempt;
      expect([status, body]).toEqual([409, { message: 'Issue(s) already assigned' }]);
    }
    expect(await systemNotes(one)).toHaveLength(1);
  });

  it('makes one relation of many attempts at once', async () => {
    const statuses = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, turn) => (await (turn % 2 === 0 ? relate(one, two) : relate(two, one))).status,
      ),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(7);
    expect(await related(one)).toHaveLength(1);
  });

  it('relates no issue to itself', async () => {
    const { status, body } = await relate(one, one);
    expect([status, body]).toEqual([404, { message: 'No Issue found for given params' }]);
  });

  it.each([
    [{ target_issue_iid: 1 }, { message: '400 (Bad request) "target_project_id" not given' }],
    [{ target_project_id: 1 }, { message: '400 (Bad request) "target_issue_iid" not given' }],
    [{ target_project_id: 1, target_issue_iid: 'x' }, { error: 'target_issue_iid is invalid' }],
    [{ target_project_id: ['a'], target_issue_iid: 1 }, { error: 'target_project_id is invalid' }],
  ])('refuses %j', async (values, refusal) => {
    const { status, body } = await app.current.as(reporter).post(links(one.iid), values);
    expect([status, body]).toEqual([400, refusal]);
  });

  it('says the same of what is missing and what is hidden', async () => {
    const secret = await issue(app.current, hidden, { author: reporter });
    const quiet = await issue(app.current, neighbour, { author: reporter, confidential: true });
    await app.current.build.member('project', neighbour.id, guest, 'guest');
    const attempt = async (by: BuiltUser, there: number | string, iid: number) => {
      const { status, body } = await app.current
        .as(by)
        .post(links(one.iid), { target_project_id: there, target_issue_iid: iid });
      return [status, body];
    };
    const noProject = [404, { message: '404 Project Not Found' }];
    expect(await attempt(reporter, hidden.id, secret.iid)).toEqual(noProject);
    expect(await attempt(reporter, 2 ** 40, 1)).toEqual(noProject);
    expect(await attempt(reporter, '../etc/passwd', 1)).toEqual(noProject);
    const noIssue = [404, { message: '404 Not found' }];
    expect(await attempt(reporter, neighbour.id, 2 ** 33)).toEqual(noIssue);
    expect(await attempt(guest, neighbour.id, quiet.iid)).toEqual(noIssue);
    const source = await app.current
      .as(reporter)
      .post(links(999), { target_project_id: project.id, target_issue_iid: two.iid });
    expect([source.status, source.body]).toEqual(noIssue);
  });

  it('wants the right to update both', async () => {
    const { build } = app.current;
    const half = await build.user();
    await build.member('project', project.id, half, 'reporter');
    await build.member('project', neighbour.id, half, 'guest');
    const refusal = [404, { message: 'No Issue found for given params' }];
    const forth = await relate(one, far, neighbour, half);
    expect([forth.status, forth.body]).toEqual(refusal);
    const back = await app.current.as(half).post(`/projects/${neighbour.id}/issues/${far.iid}/links`, {
      target_project_id: project.id,
      target_issue_iid: one.iid,
    });
    expect([back.status, back.body]).toEqual(refusal);
  });
});

describe('GET /projects/:id/issues/:issue_iid/links', () => {
  it('shows the related issues from either end, the oldest relation first', async () => {
    await relate(one, far, neighbour).expect(201);
    await relate(two, one).expect(201);
    const list = await related(one);
    expect(list.map(({ id }) => id)).toEqual([far.id, two.id]);
    expect(list[0]).toMatchObject({
      iid: far.iid,
      project_id: neighbour.id,
      title: 'Far',
      state: 'opened',
      assignees: [],
      labels: [],
      author: { id: reporter.id },
      milestone: null,
      user_notes_count: 0,
      due_date: null,
      confidential: false,
      weight: null,
      issue_link_id: expect.any(Number),
    });
    expect((await related(two)).map(({ id }) => id)).toEqual([one.id]);
  });

  it('leaves out what the caller may not read, from the counts as well', async () => {
    const quiet = await issue(app.current, project, { author: reporter, confidential: true });
    await relate(one, quiet);
    await relate(one, far, neighbour);
    await relate(one, two);
    const outsider = await app.current.build.user();
    await app.current.build.member('project', project.id, outsider, 'guest');
    const { body, headers } = await app.current.as(outsider).get(links(one.iid));
    expect(body.map(({ id }: { id: number }) => id)).toEqual([two.id]);
    expect(headers['x-total']).toBe('1');
  });

  it('comes in pages with a constant number of queries', async () => {
    await relate(one, two);
    await relate(one, far, neighbour);
    const page = await app.current.as(reporter).get(`${links(one.iid)}?per_page=1&page=2`);
    expect(page.body.map(({ id }: { id: number }) => id)).toEqual([far.id]);
    expect(page.headers).toMatchObject({ 'x-total': '2', 'x-prev-page': '1' });
    const single = await statementsDuring(() => app.current.as(reporter).get(links(two.iid)));
    const both = await statementsDuring(() => app.current.as(reporter).get(links(one.iid)));
    expect(both).toHaveLength(single.length);
    expect((await app.current.as(reporter).head(links(one.iid))).headers['x-total']).toBe('2');
  });
});

describe('DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id', () => {
  const linkOf = async (at: BuiltIssue): Promise<number> => {
    const [first] = await related(at);
    return Number(first?.['issue_link_id']);
  };

  it.each(['source', 'target'] as const)('ends the relation for both, named by its %s', async (end) => {
    await relate(one, two);
    const link = await linkOf(one);
    const from = end === 'source' ? one : two;
    const { status, body } = await app.current.as(reporter).delete(links(from.iid, link));
    expect(status).toBe(200);
    expect([body.source_issue.id, body.target_issue.id]).toEqual([one.id, two.id]);
    expect([await related(one), await related(two)]).toEqual([[], []]);
    expect(await systemNotes(one)).toContain(`removed the relation with #${two.iid}`);
    expect(await systemNotes(two)).toContain(`removed the relation with #${one.iid}`);
    expect((await app.current.as(reporter).delete(links(from.iid, link))).status).toBe(404);
    await relate(two, one).expect(201);
  });

  it('knows no relation of other issues', async () => {
    await relate(two, far, neighbour);
    const link = await linkOf(two);
    for (const id of [link, 2 ** 40]) {
      const { status, body } = await app.current.as(reporter).delete(links(one.iid, id));
      expect([status, body]).toEqual([404, { message: '404 Not found' }]);
    }
    expect(await related(two)).toHaveLength(1);
  });

  it('wants the right to update both, and hides what is hidden', async () => {
    await relate(one, two);
    await relate(one, far, neighbour);
    const [near, away] = await related(one);
    const outsider = await app.current.build.user();
    await app.current.build.member('project', project.id, outsider, 'guest');
    const remove = async (id: unknown) => {
      const { status, body } = await app.current.as(outsider).delete(links(one.iid, Number(id)));
      return [status, body];
    };
    expect(await remove(near?.['issue_link_id'])).toEqual([404, { message: 'No Issue Link found' }]);
    expect(await remove(away?.['issue_link_id'])).toEqual([404, { message: '404 Not found' }]);
  });

  it('is done with the issue as well', async () => {
    await relate(one, two);
    await app.current.database.query('DELETE FROM issues WHERE id = $1', [two.id]);
    expect(await related(one)).toEqual([]);
  });
});

describe('who relates issues', () => {
  const LISTED: AccessRow = {
    'anonymous public': 401,
    'anonymous internal': 401,
    'anonymous private': 401,
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
  const CREATED: AccessRow = {
    ...LISTED,
    'stranger public': 404,
    'stranger internal': 404,
    guest: 404,
    reporter: 201,
    developer: 201,
    maintainer: 201,
    owner: 201,
    admin: 201,
  };

  it('GET and POST /projects/:id/issues/:issue_iid/links: readers see, reporters relate', async () => {
    const cast = await Cast.of(app.current, {});
    const { owner: author } = cast.users;
    for (const there of Object.values(cast.projects))
      for (let count = 0; count < 14; count += 1) await issue(app.current, there, { author });
    expect(await cast.row((api, { id }) => api.get(`/projects/${id}/issues/1/links`))).toEqual(LISTED);
    expect(
      await cast.row((api, { id }, turn) =>
        api.post(`/projects/${id}/issues/1/links`, { target_project_id: id, target_issue_iid: turn - 11 }),
      ),
    ).toEqual(CREATED);
  });

  it('nobody does in an archived project', async () => {
    await app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [neighbour.id]);
    expect((await relate(one, far, neighbour)).status).toBe(403);
    await app.current.database.query('UPDATE projects SET archived = false WHERE id = $1', [neighbour.id]);
  });

  it('nobody does without the licence', async () => {
    await onTier('core', async () => {
      expect((await app.current.as(reporter).get(links(one.iid))).status).toBe(404);
      expect((await relate(one, two)).status).toBe(404);
    });
    await onTier('starter', async () => {
      expect((await relate(one, two)).status).toBe(201);
    });
  });
});
