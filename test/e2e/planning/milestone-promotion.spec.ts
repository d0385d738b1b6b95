import { until } from '#libs/testing';
import { Client } from 'pg';
import { Cast, type AccessRow } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { whileHeld } from '../../support/held-rows';
import { issue } from '../../support/planning-builders';
import { labelled, mergeRequestIn } from '../../support/planning-fixtures';

const app = useApplication({ TIER: 'core' });

let owner: BuiltUser;
let developer: BuiltUser;
let reporter: BuiltUser;
let guest: BuiltUser;
let top: BuiltGroup;
let group: BuiltGroup;
let project: BuiltProject;

beforeAll(async () => {
  const { build } = app.current;
  [owner, developer, reporter, guest] = [
    await build.user(),
    await build.user(),
    await build.user(),
    await build.user(),
  ];
  top = await build.group({ members: { owner } });
});

beforeEach(async () => {
  const { build } = app.current;
  group = await build.group({ parent: top, members: { developer, reporter, guest } });
  project = await build.project({ namespace: group });
});

const ofProject = () => `/projects/${project.id}/labels`;
const ofGroup = () => `/groups/${group.id}/labels`;
const make = async (path: string, thing: object): Promise<number> => {
  const { status, body } = await app.current.as(owner).post(path, { color: '#abc', ...thing });
  expect([status, body.message]).toEqual([201, undefined]);
  return body.id;
};
const milestone = (title: string, where = `/projects/${project.id}`): Promise<number> =>
  make(`${where}/milestones`, { title });
const namesAt = async (path: string, by = guest): Promise<string[]> =>
  (await app.current.as(by).get(path)).body.map(({ name }: { name: string }) => name);
const titlesAt = async (path: string): Promise<string[]> =>
  (await app.current.as(owner).get(`${path}/milestones`)).body.map(({ title }: { title: string }) => title);
const issueIn = async (where: BuiltProject, columns: object = {}): Promise<number> =>
  (await issue(app.current, where, { author: owner, columns: { ...columns } })).id;
const promote = (id: number, by = developer, where = project) =>
  app.current.as(by).post(`/projects/${where.id}/milestones/${id}/promote`);
const milestoneOf = async (issueId: number): Promise<number | null> => {
  const { rows } = await app.current.database.query('SELECT milestone_id::int FROM issues WHERE id = $1', [
    issueId,
  ]);
  return rows[0].milestone_id;
};

describe('POST /projects/:id/milestones/:milestone_id/promote', () => {
  it('makes one milestone of the group of all that its projects have of that title', async () => {
    const { build, database } = app.current;
    const sibling = await build.project({ namespace: group });
    const outside = await build.project({ namespace: top });
    const { body: own } = await app.current.as(developer).post(`/projects/${project.id}/milestones`, {
      title: 'v1',
      description: 'text',
      start_date: '2026-01-01',
      due_date: '2026-02-01',
    });
    const theirs = await milestone('v1', `/projects/${sibling.id}`);
    const other = await milestone('v1', `/projects/${outside.id}`);
    await milestone('v2');
    const issues = [
      await issueIn(project, { milestone_id: own.id }),
      await issueIn(sibling, { milestone_id: theirs }),
      await issueIn(outside, { milestone_id: other }),
    ];
    const change = await mergeRequestIn(database, sibling, owner, { milestoneId: theirs });

    const { status, body } = await promote(own.id);
    expect([status, body ?? {}]).toEqual([200, {}]);
    const { body: promoted } = await app.current.as(guest).get(`/groups/${group.id}/milestones`);
    expect(promoted).toEqual([
      {
        ...own,
        id: expect.any(Number),
        iid: 1,
        project_id: undefined,
        group_id: group.id,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        web_url: expect.stringContaining('/-/milestones/1'),
      },
    ]);
    const id = promoted[0].id;
    expect([await milestoneOf(issues[0] ?? 0), await milestoneOf(issues[1] ?? 0)]).toEqual([id, id]);
    expect(await milestoneOf(issues[2] ?? 0)).toBe(other);
    const { rows } = await database.query('SELECT milestone_id::int FROM merge_requests WHERE id = $1', [
      change,
    ]);
    expect(rows).toEqual([{ milestone_id: id }]);
    for (const gone of [own.id, id])
      await app.current.as(owner).get(`/projects/${project.id}/milestones/${gone}`).expect(404);
    expect(await titlesAt(`/projects/${project.id}`)).toEqual(['v2']);
    expect(await titlesAt(`/projects/${sibling.id}`)).toEqual([]);
    const shown = await app.current.as(guest).get(`/groups/${group.id}/milestones/${id}/issues`);
    expect(shown.body.map((found: { id: number }) => found.id)).toEqual([issues[1], issues[0]]);
  });

  it('keeps the state of a milestone that is closed', async () => {
    const id = await milestone('done');
    await app.current.as(developer).put(`/projects/${project.id}/milestones/${id}`, { state_event: 'close' });
    await promote(id).expect(200);
    expect((await app.current.as(guest).get(`/groups/${group.id}/milestones`)).body[0].state).toBe('closed');
  });

  it('is refused, and changes nothing, where the group has such a milestone', async () => {
    const id = await milestone('v1');
    await app.current.database.query(`INSERT INTO milestones (iid, group_id, title) VALUES (9, $1, 'v1')`, [
      group.id,
    ]);
    const { status, body } = await promote(id);
    expect([status, body]).toEqual([
      400,
      {
        message: 'Promotion failed - Title already being used for another group or project milestone.',
      },
    ]);
    expect(await titlesAt(`/projects/${project.id}`)).toEqual(['v1']);
  });

  it('makes one milestone when two projects promote theirs at once', async () => {
    const sibling = await app.current.build.project({ namespace: group });
    const [own, theirs] = [await milestone('raced'), await milestone('raced', `/projects/${sibling.id}`)];
    const carrier = await issueIn(sibling, { milestone_id: theirs });
    const answers = await Promise.all([promote(own), promote(theirs, developer, sibling)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await titlesAt(`/groups/${group.id}`)).toEqual(['raced']);
    const [promoted] = (await app.current.as(guest).get(`/groups/${group.id}/milestones`)).body;
    expect(await milestoneOf(carrier)).toBe(promoted.id);
  });

  it('takes along what somebody is just putting the milestone on', async () => {
    const id = await milestone('busy');
    const carrier = await issueIn(project);
    const answer = await whileHeld(
      app.current,
      `UPDATE issues SET milestone_id = ${id} WHERE id = ${carrier}`,
      () => promote(id),
    );
    expect(answer.status).toBe(200);
    const [promoted] = (await app.current.as(guest).get(`/groups/${group.id}/milestones`)).body;
    expect(await milestoneOf(carrier)).toBe(promoted.id);
  });

  it('is in nobody\u2019s way who has an issue locked and wants the milestone', async () => {
    const id = await milestone('wanted');
    const carrier = await issueIn(project, { milestone_id: id });
    const { database } = app.current;
    const answer = await whileHeld(
      app.current,
      `SELECT 1 FROM issues WHERE id = ${carrier} FOR UPDATE`,
      () => promote(id),
      async () => {
        await database.query('SELECT 1 FROM milestones WHERE id = $1 FOR KEY SHARE', [id]);
      },
    );
    expect(answer.status).toBe(200);
  });

  it('lets those go first who hold what it needs and want what it holds', async () => {
    const id = await milestone('contested');
    const carrier = await issueIn(project);
    const { database } = app.current;
    const { host, port, user, password, database: name } = database;
    const other = new Client({ host, port, user, password, database: name });
    await other.connect();
    await other.query('BEGIN');
    let locking: Promise<unknown> = Promise.resolve();
    let isLocking = false;
    const answering = whileHeld(
      app.current,
      `UPDATE issues SET milestone_id = ${id} WHERE id = ${carrier}`,
      () => promote(id),
      async () => {
        locking = other.query('SELECT 1 FROM issues WHERE id = $1 FOR UPDATE', [carrier]);
        isLocking = true;
        const waiting = 'SELECT DISTINCT pid FROM pg_locks WHERE NOT granted';
        await until(async () => (await database.query(waiting)).rows.length > 1);
      },
    );
    await until(() => isLocking);
    await locking;
    await other.query('SELECT 1 FROM milestones WHERE id = $1 FOR KEY SHARE', [id]);
    await other.query('COMMIT');
    await other.end();
    expect((await answering).status).toBe(200);
    expect(await titlesAt(`/groups/${group.id}`)).toEqual(['contested']);
    expect(await milestoneOf(carrier)).not.toBe(id);
  });

  it('is for developers of the project and of the group', async () => {
    const { build } = app.current;
    const id = await milestone('v1');
    const [outsider, inGroup] = [await build.user(), await build.user()];
    await build.member('project', project.id, outsider, 'maintainer');
    await build.member('namespace', group.id, inGroup, 'reporter');
    for (const [user, status] of [
      [guest, 403],
      [reporter, 403],
      [inGroup, 403],
      [outsider, 403],
      [await build.user(), 404],
    ] as const)
      expect((await promote(id, user)).status).toBe(status);
    await promote(0).expect(404);
    await app.current.api.post(`/projects/${project.id}/milestones/${id}/promote`).expect(401);
    const personal = await build.project({ owner });
    const lonely = await milestone('v1', `/projects/${personal.id}`);
    await promote(lonely, owner, personal).expect(403);
  });

  it('answers each role as the access matrix says', async () => {
    const cast = await Cast.of(app.current, {});
    const row = await cast.row((api, { id }) => api.post(`/projects/${id}/milestones/1/promote`));
    const expected: AccessRow = {
      'anonymous public': 401,
      'anonymous internal': 401,
      'anonymous private': 401,
      'stranger public': 403,
      'stranger internal': 403,
      'stranger private': 404,
      // These projects are in no group.
      guest: 403,
      reporter: 403,
      developer: 403,
      maintainer: 403,
      owner: 403,
      admin: 403,
    };
    expect(row).toEqual(expected);
  });
});

describe.each([['PUT /projects/:id/labels/promote', 'PUT /projects/:id/labels/:name/promote']])(
  '%s and %s',
  () => {
    it('makes one label of the group of all that its projects have of that name', async () => {
      const { build, database } = app.current;
      const sibling = await build.project({ namespace: group });
      const outside = await build.project({ namespace: top });
      const own = await make(ofProject(), { name: 'bug', color: '#111', priority: 5 });
      const other = await make(`/projects/${sibling.id}/labels`, { name: 'bug', priority: 7 });
      await make(`/projects/${outside.id}/labels`, { name: 'bug' });
      const [mine, theirs] = [await issueIn(project), await issueIn(sibling)];
      await labelled(database, own, 'issue_id', mine);
      await labelled(database, other, 'issue_id', theirs);
      await app.current.as(guest).post(`${ofProject()}/bug/subscribe`).expect(201);

      const { status, body } = await app.current.as(reporter).put(`${ofProject()}/promote`, { name: 'bug' });
      expect([status, body]).toMatchObject([200, { name: 'bug', color: '#111' }]);
      expect(Object.keys(body)).not.toContain('is_project_label');
      const { rows } = await database.query(
        'SELECT issue_id, label_id FROM label_links WHERE issue_id IN ($1, $2) ORDER BY issue_id',
        [mine, theirs],
      );
      expect(rows).toEqual([
        { issue_id: String(mine), label_id: String(body.id) },
        { issue_id: String(theirs), label_id: String(body.id) },
      ]);
      const shown = await app.current.as(guest).get(`${ofProject()}/bug`);
      expect(shown.body).toMatchObject({
        id: body.id,
        priority: 5,
        subscribed: true,
        is_project_label: false,
      });
      expect(await namesAt(`/projects/${sibling.id}/labels`, owner)).toEqual(['bug']);
      expect(await namesAt(`/projects/${outside.id}/labels`, owner)).toEqual(['bug']);
      await app.current.as(guest).get(`${ofProject()}/${own}`).expect(404);
    });

    it('joins a label that the group has already, of which nothing has two afterwards', async () => {
      const { database } = app.current;
      const own = await make(ofProject(), { name: 'both' });
      const lent = await make(ofGroup(), { name: 'both' });
      const carrier = await issueIn(project);
      await labelled(database, own, 'issue_id', carrier);
      await labelled(database, lent, 'issue_id', carrier);
      const { body } = await app.current.as(reporter).put(`${ofProject()}/${own}/promote`);
      expect(body.id).toBe(lent);
      const { rows } = await database.query('SELECT label_id FROM label_links WHERE issue_id = $1', [
        carrier,
      ]);
      expect(rows).toEqual([{ label_id: String(lent) }]);
    });

    it('makes one label when two projects promote theirs at once', async () => {
      const sibling = await app.current.build.project({ namespace: group });
      const paths = [ofProject(), `/projects/${sibling.id}/labels`];
      for (const path of paths) await make(path, { name: 'raced' });
      const answers = await Promise.all(
        paths.map((path) => app.current.as(owner).put(`${path}/promote`, { name: 'raced' })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
      expect(await namesAt(ofGroup())).toEqual(['raced']);
    });

    it('is for reporters of the group, in projects of groups', async () => {
      const { build } = app.current;
      await make(ofProject(), { name: 'a' });
      const outsider = await build.user();
      await build.member('project', project.id, outsider, 'maintainer');
      const promote = (by: BuiltUser, params: object = { name: 'a' }) =>
        app.current.as(by).put(`${ofProject()}/promote`, params);
      await promote(outsider).expect(403);
      await promote(guest).expect(403);
      await promote(reporter, {}).expect(400);
      await promote(reporter, { name: 'missing' }).expect(404);
      const personal = await build.project({ owner });
      await make(`/projects/${personal.id}/labels`, { name: 'a' });
      const { status, body } = await app.current.as(owner).put(`/projects/${personal.id}/labels/a/promote`);
      expect([status, body]).toEqual([400, { message: 'Failed to promote project label to group label' }]);
    });
  },
);

describe('PUT /projects/:id/transfer', () => {
  const transfer = (to: BuiltGroup | { id: number }) =>
    app.current.as(owner).put(`/projects/${project.id}/transfer`, { namespace: to.id });

  it('makes labels of groups that the project leaves its own', async () => {
    const { database, build } = app.current;
    const other = await build.group({ parent: top });
    const ids = {
      left: await make(ofGroup(), { name: 'left', color: '#123456', description: 'text' }),
      known: await make(ofGroup(), { name: 'known' }),
      ranked: await make(ofGroup(), { name: 'ranked' }),
      unused: await make(ofGroup(), { name: 'unused' }),
      kept: await make(`/groups/${top.id}/labels`, { name: `kept ${project.id}` }),
      there: await make(`/groups/${other.id}/labels`, { name: 'known' }),
    };
    await app.current.as(owner).put(`${ofProject()}/ranked`, { priority: 4 }).expect(200);
    await app.current.as(guest).post(`${ofProject()}/left/subscribe`).expect(201);
    const carrier = await issueIn(project);
    const change = await mergeRequestIn(database, project, owner);
    for (const id of [ids.left, ids.known, ids.kept]) {
      await labelled(database, id, 'issue_id', carrier);
      await labelled(database, id, 'merge_request_id', change);
    }
    for (const id of [ids.left, ids.unused])
      await database.query(`INSERT INTO label_events (issue_id, label_id, action) VALUES ($1, $2, 'add')`, [
        carrier,
        id,
      ]);
    await transfer(other).expect(200);

    const { body } = await app.current.as(owner).get(ofProject());
    const by = new Map(body.map((label: { name: string }) => [label.name, label]));
    expect(by.get('left')).toMatchObject({ color: '#123456', description: 'text', is_project_label: true });
    expect(by.get('ranked')).toMatchObject({ priority: 4, is_project_label: true });
    expect([...by.keys()]).not.toContain('unused');
    for (const column of ['issue_id', 'merge_request_id']) {
      const { rows } = await database.query(
        `SELECT l.title, l.id::int FROM label_links k JOIN labels l ON l.id = k.label_id
         WHERE k.${column} = $1 ORDER BY l.title`,
        [column === 'issue_id' ? carrier : change],
      );
      expect(rows).toEqual([
        { title: `kept ${project.id}`, id: ids.kept },
        { title: 'known', id: ids.there },
        { title: 'left', id: expect.any(Number) },
      ]);
    }
    const events = await database.query(
      `SELECT l.title, l.project_id::int FROM label_events e LEFT JOIN labels l ON l.id = e.label_id
       WHERE e.issue_id = $1 ORDER BY e.id`,
      [carrier],
    );
    expect(events.rows).toEqual([
      { title: 'left', project_id: project.id },
      { title: null, project_id: null },
    ]);
    const heard = await database.query(
      `SELECT l.title, s.project_id FROM subscriptions s JOIN labels l ON l.id = s.label_id
       WHERE s.user_id = $1 AND l.project_id = $2`,
      [guest.id, project.id],
    );
    expect(heard.rows).toEqual([{ title: 'left', project_id: null }]);
    expect(await namesAt(ofGroup())).toEqual(expect.arrayContaining(['left', 'known', 'ranked', 'unused']));
  });

  it('makes milestones of groups that the project leaves its own', async () => {
    const { database, build } = app.current;
    const other = await build.group({ parent: top });
    const where = `/groups/${group.id}`;
    const [left, known, unused] = [
      await milestone('left', where),
      await milestone('known', where),
      await milestone('unused', where),
    ];
    const kept = await milestone(`kept ${project.id}`, `/groups/${top.id}`);
    const there = await milestone('known', `/groups/${other.id}`);
    const sibling = await build.project({ namespace: group });
    const issues = {
      left: await issueIn(project, { milestone_id: left }),
      known: await issueIn(project, { milestone_id: known }),
      kept: await issueIn(project, { milestone_id: kept }),
      stays: await issueIn(sibling, { milestone_id: left }),
    };
    const change = await mergeRequestIn(database, project, owner, { milestoneId: left });
    await transfer(other).expect(200);
    const { body } = await app.current.as(owner).get(`/projects/${project.id}/milestones`);
    expect(body).toMatchObject([{ title: 'left', iid: 1, project_id: project.id, state: 'active' }]);
    expect(await milestoneOf(issues.left)).toBe(body[0].id);
    expect(await milestoneOf(issues.known)).toBe(there);
    expect(await milestoneOf(issues.kept)).toBe(kept);
    expect(await milestoneOf(issues.stays)).toBe(left);
    const { rows } = await database.query('SELECT milestone_id::int FROM merge_requests WHERE id = $1', [
      change,
    ]);
    expect(rows).toEqual([{ milestone_id: body[0].id }]);
    await app.current.as(owner).get(`/groups/${group.id}/milestones/${unused}`).expect(200);
  });

  it('gives up where somebody does not let go of an issue, and leaves all as it was', async () => {
    const left = await milestone('left', `/groups/${group.id}`);
    const carrier = await issueIn(project, { milestone_id: left });
    const personal = { id: owner.namespaceId };
    await app.current.database.query('BEGIN');
    await app.current.database.query('SELECT 1 FROM issues WHERE id = $1 FOR UPDATE', [carrier]);
    const { status } = await transfer(personal);
    await app.current.database.query('COMMIT');
    expect(status).toBe(503);
    expect(await milestoneOf(carrier)).toBe(left);
    expect((await app.current.as(owner).get(`/projects/${project.id}`)).body.path_with_namespace).toBe(
      project.fullPath,
    );
    await transfer(personal).expect(200);
    expect(await titlesAt(`/projects/${project.id}`)).toEqual(['left']);
    expect(await milestoneOf(carrier)).not.toBe(left);
  });
});

describe('GET /projects/:id/milestones/:milestone_id/burndown_events', () => {
  it('is not there without the licence, nor is that of groups', async () => {
    const [own, lent] = [await milestone('own'), await milestone('lent', `/groups/${group.id}`)];
    for (const path of [
      `/projects/${project.id}/milestones/${own}`,
      `/groups/${group.id}/milestones/${lent}`,
    ]) {
      await app.current.as(owner).get(path).expect(200);
      await app.current.as(owner).get(`${path}/burndown_events`).expect(404);
    }
  });
});

describe('deleting a group', () => {
  it('leaves nothing of its labels and milestones, nor of those of its projects', async () => {
    const { database } = app.current;
    await make(ofGroup(), { name: 'a' });
    const label = await make(ofProject(), { name: 'b', priority: 1 });
    const own = await milestone('m', `/groups/${group.id}`);
    const carrier = await issueIn(project, { milestone_id: own });
    await labelled(database, label, 'issue_id', carrier);
    await app.current.as(guest).post(`${ofProject()}/a/subscribe`).expect(201);
    await database.query('DELETE FROM namespaces WHERE id = $1', [group.id]);
    const { rows } = await database.query(
      `SELECT (SELECT count(*)::int FROM labels WHERE group_id = $1 OR project_id = $2) AS labels,
         (SELECT count(*)::int FROM milestones WHERE group_id = $1) AS milestones,
         (SELECT count(*)::int FROM subscriptions WHERE project_id = $2) AS subscriptions`,
      [group.id, project.id],
    );
    expect(rows).toEqual([{ labels: 0, milestones: 0, subscriptions: 0 }]);
    await app.current.as(owner).get(ofGroup()).expect(404);
  });
});
