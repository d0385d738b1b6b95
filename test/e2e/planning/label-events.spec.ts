import { Labelling, placeOfProject } from '../../../src/planning/planning.api';
import { Database } from '#libs/database';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { issue, type BuiltIssue } from '../../support/planning-builders';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication({ TIER: 'ultimate' });

let owner: BuiltUser;
let guest: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;
let carrier: BuiltIssue;

beforeAll(async () => {
  const { build } = app.current;
  [owner, guest] = [await build.user(), await build.user()];
  group = await build.group({ members: { owner, guest } });
  project = await build.project({ namespace: group });
});

beforeEach(async () => {
  carrier = await issue(app.current, project, { author: owner });
});

const path = ({ iid } = carrier) => `/projects/${project.id}/issues/${iid}/resource_label_events`;

/** Puts these labels, and no others, on the issue. */
const setLabels = (...names: string[]): Promise<unknown> => {
  const { nest } = app.current;
  const [labelling, database] = [nest.get(Labelling), nest.get(Database)];
  return database.transaction(async () => {
    const place = placeOfProject({ id: project.id, namespaceId: group.id });
    const labels = await labelling.resolve(place, names, { create: true });
    return labelling.set({ kind: 'Issue', id: carrier.id }, labels, owner.id);
  });
};

interface Shown {
  readonly action: string;
  readonly label: { readonly name: string } | null;
}
const told = (events: readonly Shown[]): string[] =>
  events.map(({ action, label }) => `${action} ${label?.name ?? 'nothing'}`);

describe('GET /projects/:id/issues/:issue_iid/resource_label_events', () => {
  it('tells who put which labels on, and took them off, the oldest first', async () => {
    await setLabels('bug', 'ui');
    await setLabels('ui', 'later');
    const { body, headers } = await app.current.as(guest).get(path());
    expect(headers['x-total']).toBe('4');
    expect(told(body)).toEqual(expect.arrayContaining(['add bug', 'add ui', 'add later', 'remove bug']));
    expect(body[0]).toEqual({
      id: expect.any(Number),
      user: {
        id: owner.id,
        name: owner.name,
        username: owner.username,
        state: 'active',
        avatar_url: null,
        web_url: `http://service.test/${owner.username}`,
      },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      resource_type: 'Issue',
      resource_id: carrier.id,
      label: {
        id: expect.any(Number),
        name: expect.stringMatching(/^(bug|ui)$/),
        color: '#428BCA',
        text_color: '#FFFFFF',
        description: null,
        description_html: null,
      },
      action: 'add',
    });
    const second = await app.current.as(guest).get(`${path()}?per_page=1&page=2`);
    expect(second.body).toEqual([body[1]]);
    await app.current.as(guest).head(path()).expect(200);
  });

  it('keeps the event of a label that is gone', async () => {
    await setLabels('short-lived');
    await app.current.as(owner).delete(`/projects/${project.id}/labels/short-lived`).expect(204);
    expect(told((await app.current.as(guest).get(path())).body)).toEqual(['add nothing']);
  });

  it('says nothing where nothing changes', async () => {
    await setLabels('same');
    await setLabels(' same ', 'same', '');
    expect(told((await app.current.as(guest).get(path())).body)).toEqual(['add same']);
  });

  it('takes the same number of statements however many events there are', async () => {
    const statements = async () => (await statementsDuring(() => app.current.as(guest).get(path()))).length;
    await setLabels('one');
    const one = await statements();
    await setLabels('two', 'three', 'four');
    expect(await statements()).toBe(one);
  });

  it('hides with the issue', async () => {
    const secret = await issue(app.current, project, { author: owner, confidential: true });
    await app.current.as(guest).get(path(secret)).expect(404);
    await app.current.as(owner).get(path(secret)).expect(200);
    await app.current
      .as(await app.current.build.user())
      .get(path())
      .expect(404);
    await app.current.api.get(path()).expect(401);
    await app.current
      .as(owner)
      .get(path({ id: 0, iid: 999_999 }))
      .expect(404);
  });
});

describe('GET /projects/:id/issues/:issue_iid/resource_label_events/:event_id', () => {
  it('shows one event of the issue, and none of others', async () => {
    await setLabels('bug');
    const [event] = (await app.current.as(guest).get(path())).body;
    expect((await app.current.as(guest).get(`${path()}/${event.id}`)).body).toEqual(event);
    const other = await issue(app.current, project, { author: owner });
    for (const hidden of [`${path(other)}/${event.id}`, `${path()}/0`]) {
      const { status, body } = await app.current.as(owner).get(hidden);
      expect([status, body]).toEqual([404, { message: '404 Not found' }]);
    }
  });
});

describe.each([
  [
    'GET /groups/:id/epics/:epic_id/resource_label_events',
    'GET /groups/:id/epics/:epic_id/resource_label_events/:event_id',
  ],
])('%s and %s', () => {
  it('tell the events of an epic, which is named by its id', async () => {
    const { database } = app.current;
    const { rows: epics } = await database.query(
      `INSERT INTO epics (iid, group_id, author_id, title) VALUES (77, $1, $2, 'Epic') RETURNING id::int`,
      [group.id, owner.id],
    );
    const epicId = epics[0].id;
    const label = await app.current
      .as(owner)
      .post(`/groups/${group.id}/labels`, { name: 'e', color: '#fff' });
    await database.query(
      `INSERT INTO label_events (epic_id, label_id, user_id, action) VALUES ($1, $2, $3, 'remove')`,
      [epicId, label.body.id, owner.id],
    );
    const events = `/groups/${group.id}/epics/${epicId}/resource_label_events`;
    const { body } = await app.current.as(guest).get(events);
    expect(body).toMatchObject([
      { resource_type: 'Epic', resource_id: epicId, action: 'remove', label: { name: 'e' } },
    ]);
    expect((await app.current.as(guest).get(`${events}/${body[0].id}`)).body).toEqual(body[0]);
    await app.current.as(guest).get(`${events}/0`).expect(404);
    await app.current.as(guest).get(`/groups/${group.id}/epics/0/resource_label_events`).expect(404);
    await app.current
      .as(await app.current.build.user())
      .get(events)
      .expect(404);
    await app.current.api.get(events).expect(401);
  });
});

describe('putting labels on things', () => {
  it('makes one label when several name a new one at once', async () => {
    const names = await Promise.all(Array.from({ length: 5 }, () => setLabels('raced a', 'raced b')));
    expect(names).toHaveLength(5);
    const { rows } = await app.current.database.query(
      `SELECT title FROM labels WHERE title LIKE 'raced %' ORDER BY title`,
    );
    expect(rows).toEqual([{ title: 'raced a' }, { title: 'raced b' }]);
  });

  it('takes the project\u2019s label of a title rather than the group\u2019s', async () => {
    const make = async (where: string) =>
      (await app.current.as(owner).post(`${where}/labels`, { name: 'twin', color: '#fff' })).body.id;
    const own = await make(`/projects/${project.id}`);
    await make(`/groups/${group.id}`);
    await setLabels('twin');
    const [event] = (await app.current.as(guest).get(path())).body;
    expect(event.label.id).toBe(own);
  });
});
