import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { issue, type BuiltIssue } from '../../support/planning-builders';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication();

let reporter: BuiltUser;
let guest: BuiltUser;
let outsider: BuiltUser;
let group: BuiltGroup;
let inner: BuiltGroup;
let project: BuiltProject;
let one: BuiltIssue;
let two: BuiltIssue;
let quiet: BuiltIssue;
let epic: { readonly id: number; readonly iid: number };

beforeAll(async () => {
  const { build } = app.current;
  [reporter, guest, outsider] = [await build.user(), await build.user(), await build.user()];
  group = await build.group({ members: { reporter, guest } });
  inner = await build.group({ parent: group });
  project = await build.project({ namespace: inner });
});
beforeEach(async () => {
  [one, two] = [
    await issue(app.current, project, { author: reporter, title: 'One' }),
    await issue(app.current, project, { author: reporter, title: 'Two' }),
  ];
  quiet = await issue(app.current, project, { author: reporter, confidential: true });
  epic = await newEpic('Epic');
});

const newEpic = async (title: string, at = group) =>
  (await app.current.as(reporter).post(`/groups/${at.id}/epics`, { title })).body;
const issues = (id?: number, of = epic): string =>
  `/groups/${group.id}/epics/${of.iid}/issues${id === undefined ? '' : `/${id}`}`;
const put = async (what: BuiltIssue, into = epic): Promise<number> => {
  const { status, body } = await app.current.as(reporter).post(issues(what.id, into));
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.id;
};
const listed = async (by = reporter, of = epic): Promise<number[]> => {
  const { body } = await app.current.as(by).get(issues(undefined, of));
  return body.map(({ id }: { id: number }) => id);
};
const systemNotes = async (column: 'epic_id' | 'issue_id', id: number): Promise<string[]> => {
  const { rows } = await app.current.database.query<{ body: string }>(
    `SELECT body FROM notes WHERE ${column} = $1 AND system ORDER BY id`,
    [id],
  );
  return rows.map(({ body }) => body);
};

describe('POST /groups/:id/epics/:epic_iid/issues/:issue_id', () => {
  it('puts an issue of a project inside of the group into the epic', async () => {
    const { status, body } = await app.current.as(reporter).post(issues(one.id));
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['id', 'relative_position', 'epic', 'issue']);
    expect(body.epic).toMatchObject({ id: epic.id, iid: epic.iid, group_id: group.id });
    expect(body.issue).toMatchObject({ id: one.id, iid: one.iid, title: 'One' });
    expect(await systemNotes('epic_id', epic.id)).toEqual([`added issue ${project.fullPath}#${one.iid}`]);
    expect(await systemNotes('issue_id', one.id)).toEqual([`added to epic ${group.fullPath}&${epic.iid}`]);
  });

  it('says that it is there already', async () => {
    await put(one);
    const { status, body } = await app.current.as(reporter).post(issues(one.id));
    expect([status, body]).toEqual([409, { message: 'Issue(s) already assigned' }]);
  });

  it('takes it out of another epic', async () => {
    const other = await newEpic('Other');
    await put(one);
    await put(one, other);
    expect([await listed(), await listed(reporter, other)]).toEqual([[], [one.id]]);
    const name = `${project.fullPath}#${one.iid}`;
    expect((await systemNotes('epic_id', epic.id)).at(-1)).toBe(`moved issue ${name} to epic &${other.iid}`);
    expect(await systemNotes('epic_id', other.id)).toEqual([`added issue ${name} from epic &${epic.iid}`]);
    expect((await systemNotes('issue_id', one.id)).at(-1)).toBe(
      `changed epic to ${group.fullPath}&${other.iid}`,
    );
  });

  it('has an issue in one epic only, however many ask at once', async () => {
    const others = [epic, await newEpic('B'), await newEpic('C')];
    const statuses = await Promise.all(
      [...others, ...others].map(
        async (into) => (await app.current.as(reporter).post(issues(one.id, into))).status,
      ),
    );
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    const lists = await Promise.all(others.map((of) => listed(reporter, of)));
    expect(lists.flat()).toEqual([one.id]);
  });

  it('takes none from elsewhere, and tells of none that is hidden', async () => {
    const away = await app.current.build.project({ members: { reporter } });
    const foreign = await issue(app.current, away, { author: reporter });
    const outside = await app.current.as(reporter).post(issues(foreign.id));
    expect([outside.status, outside.body]).toEqual([404, { message: 'No Issue found for given params' }]);
    const secret = await issue(app.current, await app.current.build.project(), { author: reporter });
    for (const id of [secret.id, 2 ** 40]) {
      const { status, body } = await app.current.as(reporter).post(issues(id));
      expect([status, body]).toEqual([404, { message: '404 Not found' }]);
    }
    expect((await app.current.as(reporter).post(issues(one.id, { id: 0, iid: 999 }))).status).toBe(404);
  });
});

describe('GET /groups/:id/epics/:epic_iid/issues', () => {
  it('shows what the caller may read, the latest added first', async () => {
    await put(one);
    await put(quiet);
    await put(two);
    expect(await listed()).toEqual([two.id, quiet.id, one.id]);
    const { body, headers } = await app.current.as(guest).get(issues());
    expect(body.map(({ id }: { id: number }) => id)).toEqual([two.id, one.id]);
    expect(headers['x-total']).toBe('2');
    expect(body[0]).toMatchObject({
      iid: two.iid,
      title: 'Two',
      epic_issue_id: expect.any(Number),
      relative_position: expect.any(Number),
    });
  });

  it('has a constant number of queries', async () => {
    await put(one);
    await put(two);
    const single = await statementsDuring(() => app.current.as(guest).get(`${issues()}?per_page=1&page=2`));
    const both = await statementsDuring(() => app.current.as(guest).get(issues()));
    expect(both).toHaveLength(single.length);
  });
});

describe('PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id', () => {
  it('moves an issue before, after and between others', async () => {
    const third = await issue(app.current, project, { author: reporter });
    const links = [await put(third), await put(two), await put(one)];
    const [last, middle, first] = links;
    const move = async (link: number | undefined, query: object): Promise<number[]> => {
      const { status, body } = await app.current.as(reporter).put(issues(link), query);
      expect(status).toBe(200);
      return body.map(({ id }: { id: number }) => id);
    };
    expect(await move(first, { move_before_id: last })).toEqual([two.id, third.id, one.id]);
    expect(await move(first, { move_after_id: middle })).toEqual([one.id, two.id, third.id]);
    expect(await move(last, { move_before_id: first, move_after_id: middle })).toEqual([
      one.id,
      third.id,
      two.id,
    ]);
    expect(await move(last, {})).toEqual([one.id, third.id, two.id]);
    for (let turn = 0; turn < 12; turn += 1) {
      const [moved, other] = turn % 2 === 0 ? [middle, last] : [last, middle];
      await move(moved, { move_before_id: first, move_after_id: other });
    }
    expect(await listed()).toEqual([one.id, third.id, two.id]);
  });

  it('knows no association of another epic', async () => {
    const other = await newEpic('Other');
    const [here, there] = [await put(one), await put(two, other)];
    expect((await app.current.as(reporter).put(issues(there), { move_before_id: here })).status).toBe(404);
    expect((await app.current.as(reporter).put(issues(here), { move_before_id: there })).status).toBe(404);
    expect((await app.current.as(reporter).put(issues(here), { move_after_id: 2 ** 40 })).status).toBe(404);
  });
});

describe('DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id', () => {
  it('takes the issue out, once', async () => {
    const link = await put(one);
    const other = await newEpic('Other');
    expect((await app.current.as(reporter).delete(issues(link, other))).status).toBe(404);
    const { status, body } = await app.current.as(reporter).delete(issues(link));
    expect([status, body.id, body.issue.id, body.epic.id]).toEqual([200, link, one.id, epic.id]);
    expect((await app.current.as(reporter).delete(issues(link))).status).toBe(404);
    expect(await systemNotes('epic_id', epic.id)).toContain(`removed issue ${project.fullPath}#${one.iid}`);
    expect(await systemNotes('issue_id', one.id)).toContain(
      `removed from epic ${group.fullPath}&${epic.iid}`,
    );
  });

  it('is done with the epic or the issue as well', async () => {
    await put(one);
    await put(two);
    await app.current.database.query('DELETE FROM issues WHERE id = $1', [one.id]);
    expect(await listed()).toEqual([two.id]);
    await app.current.database.query('DELETE FROM epics WHERE id = $1', [epic.id]);
    const { rows } = await app.current.database.query('SELECT 1 FROM epic_issues WHERE issue_id = $1', [
      two.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('the days of an epic', () => {
  it('come from the milestones of its issues unless they are fixed', async () => {
    const milestone = async (iid: number, start: string, due: string): Promise<number> => {
      const { rows } = await app.current.database.query<{ id: string }>(
        `INSERT INTO milestones (iid, group_id, title, start_date, due_date) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
        [iid, inner.id, `m${iid}`, start, due],
      );
      return Number(rows[0]?.id);
    };
    const early = await milestone(1, '2026-01-02', '2026-02-03');
    const late = await milestone(2, '2026-05-06', '2026-07-08');
    for (const [which, at] of [
      [one, early],
      [two, late],
    ] as const) {
      await app.current.database.query('UPDATE issues SET milestone_id = $2 WHERE id = $1', [which.id, at]);
      await put(which);
    }
    const path = `/groups/${group.id}/epics/${epic.iid}`;
    const { body } = await app.current.as(reporter).get(path);
    expect(body).toMatchObject({
      start_date: '2026-01-02',
      start_date_from_milestones: '2026-01-02',
      start_date_from_inherited_source: '2026-01-02',
      due_date: '2026-07-08',
      end_date: '2026-07-08',
      due_date_from_milestones: '2026-07-08',
    });
    const fixed = await app.current
      .as(reporter)
      .put(path, { due_date_is_fixed: true, due_date_fixed: '2026-12-24' });
    expect(fixed.body).toMatchObject({ due_date: '2026-12-24', due_date_from_milestones: '2026-07-08' });
  });
});

describe('when a project is transferred', () => {
  it('keeps its issues in epics of groups that it stays in alone', async () => {
    const { build } = app.current;
    const owner = await build.user();
    const [away, beside] = [await build.group(), await build.group({ parent: group })];
    for (const { id } of [group, away]) await build.member('namespace', id, owner, 'owner');
    const mobile = await build.project({ namespace: inner });
    const moving = await issue(app.current, mobile, { author: reporter });
    await put(moving);
    const transfer = (to: BuiltGroup) =>
      app.current.as(owner).put(`/projects/${mobile.id}/transfer`, { namespace: to.id });
    await transfer(beside).expect(200);
    expect(await listed(owner)).toEqual([moving.id]);
    await transfer(away).expect(200);
    expect(await listed(owner)).toEqual([]);
  });
});

describe('the epic of an issue', () => {
  const change = (values: object, by = reporter) =>
    app.current.as(by).put(`/projects/${project.id}/issues/${one.iid}`, values);

  it('is set and cleared with the issue, and told to both', async () => {
    const { status, body } = await change({ epic_id: epic.id });
    expect([status, body.epic, body.epic_iid]).toEqual([
      200,
      {
        id: epic.id,
        iid: epic.iid,
        title: 'Epic',
        group_id: group.id,
        url: `/groups/${group.fullPath}/-/epics/${epic.iid}`,
      },
      epic.iid,
    ]);
    expect(await listed()).toEqual([one.id]);
    const cleared = await change({ epic_id: null });
    expect([cleared.status, cleared.body.epic]).toEqual([200, null]);
    expect(await systemNotes('issue_id', one.id)).toEqual([
      `added to epic ${group.fullPath}&${epic.iid}`,
      `removed from epic ${group.fullPath}&${epic.iid}`,
    ]);
  });

  it('is one of the groups around its project, which the caller plans in', async () => {
    const { build } = app.current;
    const elsewhere = await build.group({ members: { reporter } });
    const foreign = await newEpic('Elsewhere', elsewhere);
    const local = await build.user();
    await build.member('project', project.id, local, 'reporter');
    const helper = await build.user();
    await build.member('namespace', group.id, helper, 'guest');
    await build.member('project', project.id, helper, 'reporter');
    expect((await change({ epic_id: foreign.id })).status).toBe(404);
    expect((await change({ epic_id: 2 ** 40 })).status).toBe(404);
    expect((await change({ epic_id: epic.id }, helper)).status).toBe(403);
    await put(one);
    expect((await change({ epic_id: null }, helper)).status).toBe(403);
    const shown = await app.current.as(helper).get(`/projects/${project.id}/issues/${one.iid}`);
    expect(shown.body.epic_iid).toBe(epic.iid);
    expect(await listed()).toEqual([one.id]);
  });

  it('hides from those who do not see its group', async () => {
    const { build } = app.current;
    const secret = await build.group({ members: { reporter } });
    const away = await build.project({ namespace: secret });
    const moved = await issue(app.current, away, { author: reporter });
    const { body } = await app.current.as(reporter).post(`/groups/${secret.id}/epics`, { title: 'Secret' });
    await app.current
      .as(reporter)
      .post(`/groups/${secret.id}/epics/${body.iid}/issues/${moved.id}`)
      .expect(201);
    // As a project that has been transferred out of the group.
    const open = await build.project({ visibility: 'public' });
    await app.current.database.query('UPDATE issues SET project_id = $2, iid = 77 WHERE id = $1', [
      moved.id,
      open.id,
    ]);
    const seen = await app.current.as(outsider).get(`/projects/${open.id}/issues/77`);
    expect([seen.status, seen.body.epic]).toEqual([200, null]);
    const known = await app.current.as(reporter).get(`/projects/${open.id}/issues/77`);
    expect(known.body.epic.title).toBe('Secret');
  });
});

describe('who may do what with the issues of epics', () => {
  it('readers see, reporters plan', async () => {
    const link = await put(one);
    const statuses = async (user?: BuiltUser) => {
      const api = user ? app.current.as(user) : app.current.api;
      return [
        (await api.get(issues())).status,
        (await api.post(issues(two.id))).status,
        (await api.put(issues(link), {})).status,
        (await api.delete(issues(link))).status,
      ];
    };
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    expect(await statuses(outsider)).toEqual([404, 404, 404, 404]);
    expect(await statuses(guest)).toEqual([200, 403, 403, 403]);
    expect(await statuses(reporter)).toEqual([200, 201, 200, 200]);
  });
});
