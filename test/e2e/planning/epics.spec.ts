import { License, type Tier } from '#libs/tiers';
import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication();

let owner: BuiltUser;
let reporter: BuiltUser;
let guest: BuiltUser;
let stranger: BuiltUser;
let admin: BuiltUser;
let group: BuiltGroup;

beforeAll(async () => {
  const { build } = app.current;
  [owner, reporter, guest, stranger] = [
    await build.user(),
    await build.user(),
    await build.user(),
    await build.user(),
  ];
  admin = await build.user({ admin: true });
});
beforeEach(async () => {
  group = await app.current.build.group({ members: { owner, reporter, guest } });
});

const epics = (iid?: number, at = group): string =>
  `/groups/${at.id}/epics${iid === undefined ? '' : `/${iid}`}`;
const add = async (values: object = {}, at = group) => {
  const { status, body } = await app.current
    .as(reporter)
    .post(epics(undefined, at), { title: 'Epic', ...values });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body;
};
const titles = async (query: string, by = guest, at = group): Promise<string[]> => {
  const { status, body } = await app.current.as(by).get(`${epics(undefined, at)}${query}`);
  expect(status).toBe(200);
  return body.map(({ title }: { title: string }) => title);
};
const systemNotes = async (epicId: number): Promise<string[]> => {
  const { rows } = await app.current.database.query<{ body: string }>(
    'SELECT body FROM notes WHERE epic_id = $1 AND system ORDER BY id',
    [epicId],
  );
  return rows.map(({ body }) => body);
};
const count = async (table: string, epicId: number): Promise<number> => {
  const { rows } = await app.current.database.query(`SELECT 1 FROM ${table} WHERE epic_id = $1`, [epicId]);
  return rows.length;
};

describe('POST /groups/:id/epics', () => {
  it('makes an epic with the next number, field by field', async () => {
    await add();
    const body = await add({
      title: ' Large things ',
      description: 'What they are',
      labels: 'later,big',
      start_date_fixed: '2026-01-05',
      start_date_is_fixed: true,
      due_date_fixed: '2026-02-01',
    });
    const url = `http://service.test/groups/${group.fullPath}/-/epics/2`;
    expect(Object.entries(body)).toEqual(
      Object.entries({
        id: expect.any(Number),
        iid: 2,
        group_id: group.id,
        title: 'Large things',
        description: 'What they are',
        author: expect.objectContaining({ id: reporter.id, username: reporter.username }),
        start_date: '2026-01-05',
        start_date_is_fixed: true,
        start_date_fixed: '2026-01-05',
        start_date_from_inherited_source: null,
        start_date_from_milestones: null,
        end_date: null,
        due_date: null,
        due_date_is_fixed: false,
        due_date_fixed: '2026-02-01',
        due_date_from_inherited_source: null,
        due_date_from_milestones: null,
        state: 'opened',
        web_edit_url: url,
        web_url: url,
        reference: '&2',
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        closed_at: null,
        labels: ['big', 'later'],
        upvotes: 0,
        downvotes: 0,
      }),
    );
    expect(await count('label_events', body.id)).toBe(2);
  });

  it.each([
    [{}, { message: '400 (Bad request) "title" not given' }],
    [{ title: ' ' }, { message: { title: ["can't be blank"] } }],
    [{ title: 'x'.repeat(256) }, { message: { title: ['is too long (maximum is 255 characters)'] } }],
    [{ title: 'a', start_date_fixed: '2026-02-30' }, { error: 'start_date_fixed is invalid' }],
    [{ title: 'a', due_date_is_fixed: 'perhaps' }, { error: 'due_date_is_fixed is invalid' }],
    [{ title: { a: 1 } }, { error: 'title is invalid' }],
  ])('refuses %j', async (values, refusal) => {
    const { status, body } = await app.current.as(reporter).post(epics(), values);
    expect([status, body]).toEqual([400, refusal]);
  });

  it('gives every one of many at once a number of its own', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => add()));
    expect(made.map(({ iid }) => iid).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('GET /groups/:id/epics', () => {
  it('lists the newest first, with those of the groups inside', async () => {
    const inner = await app.current.build.group({ parent: group });
    await add({ title: 'First' });
    await add({ title: 'Inside' }, inner);
    expect(await titles('')).toEqual(['Inside', 'First']);
    expect(await titles('?include_descendant_groups=false')).toEqual(['First']);
    expect(await titles('', guest, inner)).toEqual(['Inside']);
    expect(await titles('?include_ancestor_groups=true', guest, inner)).toEqual(['Inside', 'First']);
    expect(await titles('?sort=asc&order_by=created_at')).toEqual(['First', 'Inside']);
  });

  it('filters by state, author, text, labels and times', async () => {
    const old = await add({ title: 'Old 50%', labels: 'a' });
    const { body: other } = await app.current
      .as(owner)
      .post(epics(), { title: 'Other', description: 'about Things', labels: 'a,b' });
    await app.current.as(reporter).put(epics(old.iid), { state_event: 'close' });
    expect(await titles('?state=closed')).toEqual(['Old 50%']);
    expect(await titles('?state=opened')).toEqual(['Other']);
    expect(await titles(`?author_id=${owner.id}`)).toEqual(['Other']);
    expect(await titles('?search=THINGS')).toEqual(['Other']);
    expect(await titles('?search=0%25')).toEqual(['Old 50%']);
    expect(await titles('?labels=a,b')).toEqual(['Other']);
    expect(await titles('?labels=a')).toEqual(['Other', 'Old 50%']);
    expect(await titles('?labels=None')).toEqual([]);
    expect(await titles('?labels=Any&order_by=updated_at')).toEqual(['Old 50%', 'Other']);
    expect(await titles(`?created_after=${other.created_at}`)).toEqual(['Other']);
    expect(await titles('?created_before=2020-01-01')).toEqual([]);
    expect(await titles('?updated_after=2020-01-01&updated_before=2100-01-01')).toHaveLength(2);
  });

  it.each(['order_by=title', 'sort=up', 'state=lost', 'author_id=x', 'created_after=soon'])(
    'refuses %s',
    async (query) => {
      expect((await app.current.as(guest).get(`${epics()}?${query}`)).status).toBe(400);
    },
  );

  it('comes in pages with a constant number of queries, and shows guests no more than they may know', async () => {
    for (const title of ['a', 'b', 'c']) await add({ title, labels: 'x' });
    const page = await app.current.as(guest).get(`${epics()}?per_page=2`);
    expect(page.headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2' });
    expect(page.body[0]).not.toHaveProperty('start_date_is_fixed');
    expect(page.body[0]).not.toHaveProperty('web_edit_url');
    const one = await statementsDuring(() => app.current.as(guest).get(`${epics()}?per_page=1&page=3`));
    const all = await statementsDuring(() => app.current.as(guest).get(epics()));
    expect(all).toHaveLength(one.length);
    expect((await app.current.as(guest).head(epics())).headers['x-total']).toBe('3');
  });

  it('leaves out those of groups that the caller does not see', async () => {
    const { build } = app.current;
    const open = await build.group({ visibility: 'public', members: { reporter } });
    const closed = await build.group({ parent: open, visibility: 'private' });
    const withProject = await build.group({ parent: open, visibility: 'private' });
    await build.project({ namespace: withProject, visibility: 'public' });
    await add({ title: 'Open' }, open);
    await add({ title: 'Closed' }, closed);
    await add({ title: 'With project' }, withProject);
    expect(await titles('', stranger, open)).toEqual(['With project', 'Open']);
    expect(await titles('', reporter, open)).toEqual(['With project', 'Closed', 'Open']);
    expect(await titles('', admin, open)).toHaveLength(3);
    const anonymous = await app.current.api.get(epics(undefined, open));
    expect([anonymous.status, anonymous.body.length]).toEqual([200, 2]);
    await build.member('namespace', closed.id, stranger, 'guest');
    expect(await titles('', stranger, open)).toHaveLength(3);
    expect(await titles('?include_ancestor_groups=true', stranger, closed)).toEqual(['Closed', 'Open']);
  });
});

describe('GET /groups/:id/epics/:epic_iid', () => {
  it('shows one of the group itself', async () => {
    const { iid, id } = await add();
    const { status, body } = await app.current.as(guest).get(epics(iid));
    expect([status, body.id, body.title]).toEqual([200, id, 'Epic']);
    const inner = await app.current.build.group({ parent: group });
    expect((await app.current.as(guest).get(epics(iid, inner))).status).toBe(404);
    expect((await app.current.as(guest).get(epics(2 ** 40))).status).toBe(404);
    expect((await app.current.as(guest).get(epics(99))).body).toEqual({ message: '404 Not found' });
    expect((await app.current.as(guest).get(`${epics()}/x`)).status).toBe(400);
  });
});

describe('PUT /groups/:id/epics/:epic_iid', () => {
  it('changes what is given, and tells the discussion', async () => {
    const { iid, id } = await add({ title: 'Old title', description: 'text', labels: 'a' });
    const change = (values: object) => app.current.as(reporter).put(epics(iid), values);
    const { status, body } = await change({
      title: 'New title',
      start_date_fixed: '2026-03-07',
      start_date_is_fixed: true,
      group_id: 1,
      author_id: guest.id,
    });
    expect([status, body.title, body.description, body.start_date]).toEqual([
      200,
      'New title',
      'text',
      '2026-03-07',
    ]);
    expect([body.group_id, body.author.id, body.labels]).toEqual([group.id, reporter.id, ['a']]);
    await change({ description: 'other', labels: '', end_date: '2026-04-01', due_date_is_fixed: true });
    await change({ due_date_fixed: null });
    await change({ title: 'New title' });
    expect(await systemNotes(id)).toEqual([
      'changed title from **{-Old-} title** to **{+New+} title**',
      'changed start date to Mar 7, 2026',
      'changed the description',
      'changed finish date to Apr 1, 2026',
      'removed the finish date',
    ]);
    const { body: last } = await app.current.as(reporter).get(epics(iid));
    expect(last).toMatchObject({ labels: [], due_date: null, due_date_is_fixed: true, description: 'other' });
  });

  it('closes and reopens, once each', async () => {
    const { iid, id } = await add();
    const move = async (event: string) =>
      (await app.current.as(reporter).put(epics(iid), { state_event: event })).body;
    const closed = await move('close');
    expect(closed).toMatchObject({ state: 'closed', closed_at: expect.stringMatching(/Z$/) });
    expect((await move('close')).closed_at).toBe(closed.closed_at);
    expect(await move('reopen')).toMatchObject({ state: 'opened', closed_at: null });
    expect(await systemNotes(id)).toEqual(['closed', 'reopened']);
    expect(await count('state_events', id)).toBe(2);
  });

  it('loses none of two changes at once', async () => {
    const { iid } = await add();
    await Promise.all([
      app.current.as(reporter).put(epics(iid), { title: 'Changed' }),
      app.current.as(owner).put(epics(iid), { description: 'Changed too' }),
    ]);
    const { body } = await app.current.as(guest).get(epics(iid));
    expect(body).toMatchObject({ title: 'Changed', description: 'Changed too' });
  });

  it.each([
    [{}, { error: expect.stringContaining('at least one parameter must be provided') }],
    [{ title: '' }, { message: { title: ["can't be blank"] } }],
    [{ state_event: 'merge' }, { error: 'state_event does not have a valid value' }],
  ])('refuses %j', async (values, refusal) => {
    const { iid } = await add();
    const { status, body } = await app.current.as(reporter).put(epics(iid), values);
    expect([status, body]).toEqual([400, refusal]);
  });
});

describe('DELETE /groups/:id/epics/:epic_iid', () => {
  it('leaves nothing behind, and never gives the number again', async () => {
    const { iid, id } = await add({ labels: 'a' });
    await app.current.as(reporter).put(epics(iid), { state_event: 'close' });
    const early = await app.current
      .as(owner)
      .delete(epics(iid))
      .set('If-Unmodified-Since', 'Mon, 01 Jan 2018 00:00:00 GMT');
    expect(early.status).toBe(412);
    expect((await app.current.as(owner).delete(epics(iid))).status).toBe(204);
    expect((await app.current.as(owner).delete(epics(iid))).status).toBe(404);
    for (const table of ['notes', 'label_links', 'label_events', 'state_events', 'award_emoji'])
      expect(await count(table, id)).toBe(0);
    expect((await add()).iid).toBe(2);
  });

  it('goes with the group', async () => {
    const { id } = await add();
    await app.current.as(owner).delete(`/groups/${group.id}`).expect(202);
    await until(async () => {
      const { rows } = await app.current.database.query('SELECT 1 FROM epics WHERE id = $1', [id]);
      return rows.length === 0;
    });
  });
});

describe('who may do what with epics', () => {
  it('GET, POST, PUT and DELETE /groups/:id/epics: readers see, reporters write, owners remove', async () => {
    const { build } = app.current;
    const open = await build.group({ visibility: 'public', members: { owner, reporter, guest } });
    const { iid } = await add({}, open);
    const statuses = async (at: BuiltGroup, user?: BuiltUser) => {
      const api = user ? app.current.as(user) : app.current.api;
      return [
        (await api.get(epics(undefined, at))).status,
        (await api.get(epics(iid, at))).status,
        (await api.post(epics(undefined, at), { title: 'a' })).status,
        (await api.put(epics(iid, at), { title: 'b' })).status,
      ];
    };
    await add();
    expect(await statuses(open)).toEqual([200, 200, 401, 401]);
    expect(await statuses(open, stranger)).toEqual([200, 200, 403, 403]);
    expect(await statuses(group)).toEqual([404, 404, 401, 401]);
    expect(await statuses(group, stranger)).toEqual([404, 404, 404, 404]);
    expect(await statuses(group, guest)).toEqual([200, 200, 403, 403]);
    expect(await statuses(group, reporter)).toEqual([200, 200, 201, 200]);
    expect(await statuses(group, admin)).toEqual([200, 200, 201, 200]);
    expect((await app.current.as(reporter).delete(epics(iid))).status).toBe(403);
    expect((await app.current.as(stranger).delete(epics(iid, open))).status).toBe(403);
    expect((await app.current.as(admin).delete(epics(iid))).status).toBe(204);
  });

  it('refuses all of it without the licence, to those who see the group', async () => {
    const license = app.current.nest.get(License, { strict: false });
    const before: Tier = license.tier;
    Reflect.set(license, 'tier', 'premium');
    try {
      for (const path of [epics(), epics(1), `${epics(1)}/issues`]) {
        const { status, body } = await app.current.as(owner).get(path);
        expect([status, body]).toEqual([403, { message: '403 Forbidden' }]);
        expect((await app.current.as(stranger).get(path)).status).toBe(404);
      }
      expect((await app.current.as(owner).post(epics(), {})).status).toBe(403);
    } finally {
      Reflect.set(license, 'tier', before);
    }
  });
});

describe('when an author goes', () => {
  it('gives their epics to the ghost, or removes them with a hard delete', async () => {
    const { build } = app.current;
    const [kept, removed] = [await build.user(), await build.user()];
    for (const user of [kept, removed]) await build.member('namespace', group.id, user, 'reporter');
    await app.current.as(kept).post(epics(), { title: 'Kept' }).expect(201);
    await app.current.as(removed).post(epics(), { title: 'Removed' }).expect(201);
    await app.current.as(admin).delete(`/users/${kept.id}`).expect(204);
    await app.current.as(admin).delete(`/users/${removed.id}?hard_delete=true`).expect(204);
    await until(async () => (await titles('')).length === 1);
    await until(async () => {
      const { body } = await app.current.as(guest).get(epics(1));
      return body.author?.username === 'ghost';
    });
  });
});

describe('every row of epics', () => {
  it('is reached with a dash in its path, too, as the reference has it', async () => {
    const dashed = `/groups/${encodeURIComponent(group.fullPath)}/-/epics`;
    const api = app.current.as(owner);
    const { body: epic } = await api.post(dashed, { title: 'Dashed' }).expect(201);
    const list = await api.get(`${dashed}?per_page=1`).expect(200);
    expect(list.body).toMatchObject([{ id: epic.id }]);
    expect(list.headers['link']).toContain(`/api/v4${dashed}?`);
    const { body: note } = await api.post(`${dashed}/${epic.id}/notes`, { body: 'x' }).expect(201);
    const { body: discussion } = await api
      .post(`${dashed}/${epic.id}/discussions`, { body: 'x' })
      .expect(201);
    await api.put(`${dashed}/${epic.iid}`, { title: 'Changed' }).expect(200);
    for (const row of [
      `${epic.iid}.json`,
      `${epic.iid}/issues`,
      `${epic.iid}/award_emoji`,
      `${epic.id}/notes/${note.id}`,
      `${epic.id}/discussions/${discussion.id}`,
      `${epic.id}/resource_label_events`,
    ])
      await api.get(`${dashed}/${row}`).expect(200);
    await app.current.api.get(`${dashed}/${epic.id}/notes`).expect(401);
    await app.current.as(stranger).get(dashed).expect(404);
    await api.patch(dashed, {}).expect(405);
    await api.delete(`${dashed}/${epic.iid}`).expect(204);
    await api.get(`/groups/${group.id}/--/epics`).expect(404);
    await api.get(`/groups/${group.id}/-/milestones`).expect(404);
  });
});
