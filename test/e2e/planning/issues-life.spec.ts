import { until } from '#libs/testing';
import type { BuiltProject, BuiltUser } from '../../support/builders';
import { startApplication, useApplication } from '../../support/application';
import { HookReceiver, type ReceivedCall } from '../../support/hook-receiver';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication({ ALLOW_LOCAL_WEBHOOKS: 'true' });

let maintainer: BuiltUser;
let reporter: BuiltUser;
let guest: BuiltUser;
let stranger: BuiltUser;
let project: BuiltProject;
let other: BuiltProject;

beforeAll(async () => {
  const { build } = app.current;
  [maintainer, reporter, guest, stranger] = [
    await build.user(),
    await build.user(),
    await build.user(),
    await build.user(),
  ];
  const members = { maintainer, reporter, guest };
  project = await build.project({ visibility: 'public', members, files: { 'README.md': 'x' } });
  other = await build.project({ members: { developer: maintainer } });
});

const as = (user: BuiltUser) => app.current.as(user);
const issues = (of: BuiltProject = project) => `/projects/${of.id}/issues`;

async function opened(user = guest, fields: object = {}, of = project) {
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

const TIMES = [
  'POST /projects/:id/issues/:issue_iid/time_estimate',
  'POST /projects/:id/issues/:issue_iid/reset_time_estimate',
  'POST /projects/:id/issues/:issue_iid/add_spent_time',
  'POST /projects/:id/issues/:issue_iid/reset_spent_time',
  'GET /projects/:id/issues/:issue_iid/time_stats',
];

describe(TIMES.join(', '), () => {
  const stats = (estimate: number, spent: number, human: (string | null)[]) => ({
    time_estimate: estimate,
    total_time_spent: spent,
    human_time_estimate: human[0],
    human_total_time_spent: human[1],
  });

  it('set, add, take away and reset times', async () => {
    const { id, iid } = await opened();
    const at = (row: string) => `${issues()}/${iid}/${row}`;
    const asReporter = as(reporter);
    const answers = [
      await asReporter.post(at('time_estimate'), { duration: '1w 2h' }),
      await asReporter.post(at('add_spent_time'), { duration: '3h30m' }),
      await asReporter.post(at('add_spent_time'), { duration: '-30m' }),
      await asReporter.get(at('time_stats')),
      await asReporter.post(at('reset_spent_time')),
      await asReporter.post(at('reset_time_estimate')),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, stats(151_200, 0, ['1w 2h', null])],
      [201, stats(151_200, 12_600, ['1w 2h', '3h 30m'])],
      [201, stats(151_200, 10_800, ['1w 2h', '3h'])],
      [200, stats(151_200, 10_800, ['1w 2h', '3h'])],
      [200, stats(151_200, 0, ['1w 2h', null])],
      [200, stats(0, 0, [null, null])],
    ]);
    expect(await notesOf(id)).toEqual([
      'changed time estimate to 1w 2h',
      'added 3h 30m of time spent',
      'subtracted 30m of time spent',
      'removed time spent',
      'removed time estimate',
    ]);
  });

  it.each([
    ['time_estimate', 'soon', { time_estimate: ['has an invalid format'] }],
    ['time_estimate', '-1h', { time_estimate: ['has an invalid format'] }],
    ['time_estimate', '999999999mo', { time_estimate: ['has an invalid format'] }],
    ['add_spent_time', '', { time_spent: ['has an invalid format'] }],
    ['add_spent_time', '-1h', { base: ['Time to subtract exceeds the total time spent'] }],
  ])('refuse %s of %j', async (row, duration, message) => {
    const { iid } = await opened();
    const { status, body } = await as(reporter).post(`${issues()}/${iid}/${row}`, { duration });
    expect([status, body]).toEqual([400, { message }]);
  });

  it('are for reporters; anybody who reads the issue reads its times', async () => {
    const { iid } = await opened();
    const path = `${issues()}/${iid}`;
    expect((await as(guest).post(`${path}/time_estimate`, { duration: '1h' })).status).toBe(403);
    expect((await app.current.api.post(`${path}/time_estimate`, { duration: '1h' })).status).toBe(401);
    expect((await as(reporter).post(`${path}/time_estimate`)).status).toBe(400);
    expect((await app.current.api.get(`${path}/time_stats`)).status).toBe(200);
  });

  it('lose no time that several add at once', async () => {
    const { iid } = await opened();
    const add = () => as(reporter).post(`${issues()}/${iid}/add_spent_time`, { duration: '1h' });
    await Promise.all([add(), add(), add()]);
    const { body } = await as(reporter).get(`${issues()}/${iid}/time_stats`);
    expect(body.human_total_time_spent).toBe('3h');
  });
});

const SUBSCRIPTION = [
  'POST /projects/:id/issues/:issue_iid/subscribe',
  'POST /projects/:id/issues/:issue_iid/unsubscribe',
];

describe(SUBSCRIPTION.join(', '), () => {
  it('change what the caller hears of, once each', async () => {
    const { iid } = await opened();
    const at = `${issues()}/${iid}`;
    expect((await as(stranger).get(at)).body.subscribed).toBe(false);
    const first = await as(stranger).post(`${at}/subscribe`);
    expect([first.status, first.body.subscribed]).toEqual([201, true]);
    expect((await as(stranger).post(`${at}/subscribe`)).status).toBe(304);
    const last = await as(stranger).post(`${at}/unsubscribe`);
    expect([last.status, last.body.subscribed]).toEqual([201, false]);
    expect((await as(stranger).post(`${at}/unsubscribe`)).status).toBe(304);
    expect((await as(guest).post(`${at}/subscribe`)).status).toBe(304);
    expect((await app.current.api.post(`${at}/subscribe`)).status).toBe(401);
    expect((await as(guest).post(`${issues()}/99999/subscribe`)).status).toBe(404);
  });
});

describe('GET /projects/:id/issues/:issue_iid/participants', () => {
  it('names who wrote it, has it, speaks in it and is called, as far as they may see it', async () => {
    const outsider = await app.current.build.user({ blocked: true });
    const { iid } = await opened(guest, { description: `@${stranger.username}. @nobody @${guest.username}` });
    const at = `${issues()}/${iid}`;
    await as(reporter).put(at, { assignee_ids: [maintainer.id] });
    await as(reporter).post(`${at}/notes`, { body: 'I see' });
    const { status, body } = await as(guest).get(`${at}/participants`);
    expect(status).toBe(200);
    expect(body.map(({ username }: { username: string }) => username)).toEqual(
      [guest, maintainer, reporter, stranger].map(({ username }) => username),
    );
    expect((await as(guest).get(`${at}/participants?per_page=1&page=2`)).headers['x-total']).toBe('4');
    expect((await as(stranger).get(at)).body.subscribed).toBe(true);
    expect(body).not.toContainEqual(expect.objectContaining({ id: outsider.id }));
  });

  it('names whom notes call, as long as they do, and whoever is called hears of it', async () => {
    const { build } = app.current;
    const [called, outsider] = [await build.user(), await build.user({ external: true })];
    const inner = await build.project({ visibility: 'internal', members: { guest, reporter } });
    const { iid } = await opened(guest, {}, inner);
    const at = `${issues(inner)}/${iid}`;
    const named = async (): Promise<number[]> =>
      (await as(guest).get(`${at}/participants`).expect(200)).body.map(({ id }: { id: number }) => id);
    const isHeard = async (): Promise<boolean> => (await as(called).get(at).expect(200)).body.subscribed;
    const body = `@${called.username.toUpperCase()}, @${outsider.username} and @${called.username}: look`;
    const { body: note } = await as(reporter).post(`${at}/notes`, { body }).expect(201);
    expect([await named(), await isHeard()]).toEqual([[guest.id, reporter.id, called.id], true]);
    await as(reporter).put(`${at}/notes/${note.id}`, { body: 'never mind' }).expect(200);
    expect([await named(), await isHeard()]).toEqual([[guest.id, reporter.id], false]);
    await as(reporter).put(`${at}/notes/${note.id}`, { body }).expect(200);
    expect(await named()).toContain(called.id);
    await as(reporter).put(at, { confidential: true }).expect(200);
    expect(await named()).toEqual([guest.id, reporter.id]);
    await as(reporter).put(at, { confidential: false }).expect(200);
    const further = await build.project({ visibility: 'public', members: { reporter } });
    const moved = await as(reporter).post(`${at}/move`, { to_project_id: further.id }).expect(201);
    const there = await as(reporter)
      .get(`${issues(further)}/${moved.body.iid}/participants`)
      .expect(200);
    expect(there.body.map(({ id }: { id: number }) => id)).toEqual([
      guest.id,
      reporter.id,
      called.id,
      outsider.id,
    ]);
    await as(reporter).delete(`${at}/notes/${note.id}`).expect(204);
    expect(await named()).toEqual([guest.id, reporter.id]);
  });

  it('asks the database as often for many as for one', async () => {
    const { build } = app.current;
    const people = [await build.user(), await build.user(), await build.user()];
    const asked = async (body: string): Promise<number> => {
      const { iid } = await opened();
      await as(reporter).post(`${issues()}/${iid}/notes`, { body }).expect(201);
      const at = `${issues()}/${iid}/participants`;
      return (await statementsDuring(async () => as(guest).get(at))).length;
    };
    const all = people.map(({ username }) => `@${username}`).join(' ');
    expect(await asked(all)).toBe(await asked(all.split(' ')[0] ?? ''));
  });

  it('leaves out who may not see the project any more', async () => {
    const hidden = await app.current.build.project({ members: { guest, reporter } });
    const { iid } = await opened(guest, {}, hidden);
    await app.current.database.query('DELETE FROM members WHERE source_id = $1 AND user_id = $2', [
      hidden.id,
      guest.id,
    ]);
    expect((await as(reporter).get(`${issues(hidden)}/${iid}/participants`)).body).toEqual([]);
  });
});

describe('a commit on the default branch', () => {
  const commit = async (message: string, branch = 'master'): Promise<string> => {
    const { status, body } = await as(maintainer).post(`/projects/${project.id}/repository/commits`, {
      branch,
      commit_message: message,
      actions: [{ action: 'create', file_path: `${message.length}-${Math.random()}`, content: 'x' }],
      ...(branch !== 'master' && { start_branch: 'master' }),
    });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id;
  };
  const stateOf = async (iid: number, of = project): Promise<string> =>
    (await as(maintainer).get(`${issues(of)}/${iid}`)).body.state;

  it('closes what its message closes, in other projects too, where the pusher may', async () => {
    const [one, two] = [await opened(), await opened()];
    const far = await opened(maintainer, {}, other);
    const alien = await app.current.build.project({ visibility: 'public' });
    const notTheirs = await opened(stranger, {}, alien);
    await commit(`Elsewhere. Closes #${two.iid}`, 'side');
    const sha = await commit(
      `Fixes #${one.iid}, ${other.fullPath}#${far.iid} and ${alien.fullPath}#${notTheirs.iid}, #99999`,
    );
    await until(async () => (await stateOf(far.iid, other)) === 'closed');
    expect(await stateOf(one.iid)).toBe('closed');
    expect(await stateOf(two.iid)).toBe('opened');
    expect(await stateOf(notTheirs.iid, alien)).toBe('opened');
    expect(await notesOf(one.id)).toEqual([`closed via commit ${sha}`]);
    expect(await notesOf(far.id)).toEqual([`closed via commit ${project.fullPath}@${sha}`]);
  });
});

describe('hooks', () => {
  let receiver: HookReceiver;
  beforeEach(async () => {
    receiver = await HookReceiver.start();
  });
  afterEach(() => receiver.close());

  const attributesOf = ({ body }: ReceivedCall): Record<string, unknown> => {
    const attributes = body['object_attributes'];
    return typeof attributes === 'object' && attributes !== null ? { ...attributes } : {};
  };

  it('are told of issues that are opened, changed, closed and reopened', async () => {
    await as(maintainer)
      .post(`/projects/${project.id}/hooks`, { url: receiver.url, push_events: false, issues_events: true })
      .expect(201);
    const { id, iid, created_at: createdAt } = await opened(guest, { description: 'It breaks' });
    await receiver.got(1);
    await as(reporter).put(`${issues()}/${iid}`, {
      labels: 'hooked',
      assignee_ids: [reporter.id],
      title: 'A bigger bug',
    });
    await receiver.got(2);
    await as(guest).put(`${issues()}/${iid}`, { state_event: 'close' });
    await receiver.got(3);
    await opened(reporter, { confidential: true });
    await as(guest).put(`${issues()}/${iid}`, { state_event: 'reopen' });
    const calls = await receiver.got(4);
    expect(calls.map((call) => call.headers['x-service-event'])).toEqual(Array(4).fill('Issue Hook'));
    expect(calls.map((call) => attributesOf(call)['action'])).toEqual(['open', 'update', 'close', 'reopen']);
    expect(calls[0]?.body).toMatchObject({
      object_kind: 'issue',
      event_type: 'issue',
      user: { name: guest.name, username: guest.username, avatar_url: null },
      project: { id: project.id, path_with_namespace: project.fullPath },
      object_attributes: {
        id,
        iid,
        title: 'A bug',
        description: 'It breaks',
        author_id: guest.id,
        project_id: project.id,
        state: 'opened',
        created_at: createdAt,
        confidential: false,
        assignee_ids: [],
        url: `http://service.test/${project.fullPath}/issues/${iid}`,
      },
      labels: [],
      changes: {},
      repository: { name: project.path },
    });
    expect(calls[1]?.body).toMatchObject({
      assignees: [{ username: reporter.username }],
      labels: [{ title: 'hooked', type: 'ProjectLabel' }],
      changes: {
        title: { previous: 'A bug', current: 'A bigger bug' },
        labels: { previous: [], current: [{ title: 'hooked' }] },
        assignees: { previous: [], current: [{ username: reporter.username }] },
      },
    });
    expect(calls[2]?.body['changes']).toMatchObject({ state: { previous: 'opened', current: 'closed' } });
  });

  it('are tried out with the latest issue', async () => {
    const place = await app.current.build.project({ members: { maintainer } });
    const hooks = `/projects/${place.id}/hooks`;
    const { body: hook } = await as(maintainer).post(hooks, { url: receiver.url, push_events: false });
    const attempt = () => as(maintainer).post(`${hooks}/${hook.id}/test/issues_events`);
    expect((await attempt()).status).toBe(422);
    await opened(maintainer, { title: 'The latest' }, place);
    expect((await attempt()).status).toBe(201);
    const [call] = await receiver.got(1);
    expect(call?.body).toMatchObject({ object_attributes: { title: 'The latest', action: 'open' } });
  });

  it('hear of confidential ones only when they want to', async () => {
    const secretive = await app.current.build.project({ members: { maintainer } });
    await as(maintainer)
      .post(`/projects/${secretive.id}/hooks`, { url: receiver.url, confidential_issues_events: true })
      .expect(201);
    await opened(maintainer, {}, secretive);
    await opened(maintainer, { confidential: true }, secretive);
    const [call] = await receiver.got(1);
    expect(call?.headers['x-service-event']).toBe('Confidential Issue Hook');
    expect(call?.body).toMatchObject({ event_type: 'confidential_issue' });
  });
});

describe('two issues whose descriptions name each other', () => {
  it('are changed at once without waiting for each other for ever', async () => {
    const [one, two] = [await opened(), await opened()];
    const name = (from: { iid: number }, to: { iid: number }, turn: number) =>
      as(guest).put(`${issues()}/${from.iid}`, { description: `As #${to.iid} says, ${turn}` });
    const answers = await Promise.all(
      [1, 2, 3].flatMap((turn) => [name(one, two, turn), name(two, one, turn)]),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await notesOf(one.id)).toContain(`mentioned in issue #${two.iid}`);
  });
});

describe('DELETE /users/:id', () => {
  it('leaves what they wrote to the ghost, or with hard_delete takes it along and counts anew', async () => {
    const { build } = app.current;
    const admin = await build.user({ admin: true });
    const [leaver, spammer] = [await build.user(), await build.user()];
    const place = await build.project({ visibility: 'public' });
    const kept = await opened(leaver, {}, place);
    const lost = await opened(spammer, {}, place);
    const closed = await opened(stranger, {}, place);
    await app.current.database.query(
      `UPDATE issues SET state = 'closed', closed_by_id = $2, updated_by_id = $2 WHERE id = $1`,
      [closed.id, spammer.id],
    );
    await as(admin).delete(`/users/${leaver.id}`).expect(204);
    await as(admin).delete(`/users/${spammer.id}?hard_delete=true`).expect(204);
    await until(async () => {
      const { rows } = await app.current.database.query('SELECT 1 FROM users WHERE id = ANY($1)', [
        [leaver.id, spammer.id],
      ]);
      return rows.length === 0;
    });
    expect((await as(admin).get(`${issues(place)}/${kept.iid}`)).body.author.username).toBe('ghost');
    expect((await as(admin).get(`${issues(place)}/${kept.iid}/user_agent_detail`)).status).toBe(404);
    expect((await as(admin).get(`${issues(place)}/${lost.iid}`)).status).toBe(404);
    expect((await as(admin).get(`${issues(place)}/${closed.iid}`)).body.closed_by.username).toBe('ghost');
    const { rows } = await app.current.database.query(
      'SELECT open_issues_count FROM projects WHERE id = $1',
      [place.id],
    );
    // The third one was closed behind the service's back.
    expect(rows).toEqual([{ open_issues_count: 2 }]);
  });
});

describe('on core', () => {
  it('an issue has one assignee, any labels of one scope, no weight and no epic', async () => {
    const core = await startApplication({ TIER: 'core' });
    try {
      const user = await core.build.user();
      const { id } = await core.build.project({ owner: user });
      const path = `/projects/${id}/issues`;
      const { status, body } = await core.as(user).post(path, {
        title: 'x',
        weight: 3,
        epic_id: 1,
        labels: 'p::low,p::high',
        assignee_ids: [user.id, 999],
      });
      expect([status, body.assignees.length]).toEqual([201, 1]);
      expect(body.labels).toEqual(['p::high', 'p::low']);
      for (const name of ['weight', 'epic', 'epic_iid']) expect(body).not.toHaveProperty(name);
      expect((await core.as(user).get(`${path}?weight=9`)).body).toHaveLength(1);
      const two = await core.as(user).get(`${path}?assignee_username=a,b`);
      expect([two.status, two.body]).toEqual([
        400,
        { error: 'assignee_username allows one value, but found 2: a, b' },
      ]);
    } finally {
      await core.close();
    }
  });
});
