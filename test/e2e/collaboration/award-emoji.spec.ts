import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { anonymously } from '../../support/anonymously';
import { issue } from '../../support/planning-builders';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication();

let reporter: BuiltUser;
let guest: BuiltUser;
let stranger: BuiltUser;
let admin: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;

type Kind = 'issue' | 'merge request' | 'snippet' | 'epic';
/** A thing that takes emoji: where it is, and what it is called there. */
interface Thing {
  readonly id: number;
  readonly type: string;
  readonly path: string;
  readonly column: string;
}

beforeAll(async () => {
  const { build } = app.current;
  [reporter, guest, stranger] = [await build.user(), await build.user(), await build.user()];
  admin = await build.user({ admin: true });
  group = await build.group({ members: { reporter, guest } });
  project = await build.project({ namespace: group, visibility: 'private' });
});

const insert = async (text: string, values: unknown[]): Promise<{ id: number; iid: number }> => {
  const { rows } = await app.current.database.query<{ id: string; iid: number }>(text, values);
  return { id: Number(rows[0]?.id), iid: Number(rows[0]?.iid) };
};

let turn = 0;
const things: Record<Kind, (columns?: Record<string, unknown>) => Promise<Thing>> = {
  issue: async (columns = {}) => {
    const { id, iid } = await issue(app.current, project, { author: reporter, columns });
    return { id, type: 'Issue', path: `/projects/${project.id}/issues/${iid}`, column: 'issue_id' };
  },
  'merge request': async () => {
    turn += 1;
    const { id, iid } = await insert(
      `INSERT INTO merge_requests (iid, project_id, source_project_id, source_branch, target_branch, author_id, title)
       VALUES ($1, $2, $2, $3, 'master', $4, 'A change') RETURNING id, iid`,
      [1000 + turn, project.id, `branch-${turn}`, reporter.id],
    );
    return {
      id,
      type: 'MergeRequest',
      path: `/projects/${project.id}/merge_requests/${iid}`,
      column: 'merge_request_id',
    };
  },
  snippet: async () => {
    const { body } = await app.current.as(reporter).post(`/projects/${project.id}/snippets`, {
      title: 'a',
      file_name: 'b',
      code: 'c',
      visibility: 'private',
    });
    return {
      id: body.id,
      type: 'Snippet',
      path: `/projects/${project.id}/snippets/${body.id}`,
      column: 'snippet_id',
    };
  },
  epic: async () => {
    const { body } = await app.current.as(reporter).post(`/groups/${group.id}/epics`, { title: 'Epic' });
    return { id: body.id, type: 'Epic', path: `/groups/${group.id}/epics/${body.iid}`, column: 'epic_id' };
  },
};

const note = async (on: Thing, columns: Record<string, unknown> = {}): Promise<Thing> => {
  const given = { [on.column]: on.id, author_id: reporter.id, body: 'text', discussion_id: 'd', ...columns };
  const names = Object.keys(given);
  const { id } = await insert(
    `INSERT INTO notes (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')}) RETURNING id`,
    Object.values(given),
  );
  return { id, type: 'Note', path: `${on.path}/notes/${id}`, column: 'note_id' };
};

const awards = (on: Thing, id?: number): string =>
  `${on.path}/award_emoji${id === undefined ? '' : `/${id}`}`;
const give = (on: Thing, name = 'thumbsup', by = reporter) => app.current.as(by).post(awards(on), { name });
const gone = (what: string) => [404, { message: `404 ${what} Not Found` }];

it.each([
  'GET /projects/:id/issues/:issue_iid/award_emoji',
  'GET /projects/:id/issues/:issue_iid/award_emoji/:award_id',
  'POST /projects/:id/issues/:issue_iid/award_emoji',
  'DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id',
  'GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji',
  'GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id',
  'POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji',
  'DELETE /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id',
  'GET /projects/:id/merge_requests/:merge_request_iid/award_emoji',
  'GET /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id',
  'POST /projects/:id/merge_requests/:merge_request_iid/award_emoji',
  'DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id',
  'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji',
  'GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id',
  'POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji',
  'DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id',
  'GET /projects/:id/snippets/:snippet_id/award_emoji',
  'GET /projects/:id/snippets/:snippet_id/award_emoji/:award_id',
  'POST /projects/:id/snippets/:snippet_id/award_emoji',
  'DELETE /projects/:id/snippets/:snippet_id/award_emoji/:award_id',
  'GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji',
  'GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id',
  'POST /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji',
  'DELETE /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id',
  'GET /groups/:id/epics/:epic_iid/award_emoji',
  'GET /groups/:id/epics/:epic_iid/award_emoji/:award_id',
  'POST /groups/:id/epics/:epic_iid/award_emoji',
  'DELETE /groups/:id/epics/:epic_iid/award_emoji/:award_id',
  'GET /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji',
  'GET /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji/:award_id',
  'POST /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji',
  'DELETE /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji/:award_id',
])('asks who calls: %s', async (row) => {
  expect((await anonymously(app.current, row)).status).toBe(401);
});

describe.each(['issue', 'merge request', 'snippet', 'epic'] as const)('emoji on an %s', (kind) => {
  it.each(['thing', 'note'])('are given, listed, shown and taken back: on the %s', async (where) => {
    const thing = await things[kind]();
    const on = where === 'note' ? await note(thing) : thing;
    const { status, body } = await give(on, '+1');
    expect(status).toBe(201);
    const record = {
      id: expect.any(Number),
      name: 'thumbsup',
      user: {
        id: reporter.id,
        name: reporter.name,
        username: reporter.username,
        state: 'active',
        avatar_url: null,
        web_url: `http://service.test/${reporter.username}`,
      },
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      awardable_id: on.id,
      awardable_type: on.type,
    };
    expect(Object.entries(body)).toEqual(Object.entries(record));
    await give(on, 'rocket').expect(201);
    const list = await app.current.as(guest).get(awards(on));
    // Guests of a private project see no merge requests.
    if (kind === 'merge request') expect(list.status).toBe(404);
    else expect(list.body.map(({ name }: { name: string }) => name)).toEqual(['thumbsup', 'rocket']);
    expect((await app.current.as(reporter).get(awards(on, body.id))).body).toEqual(body);
    expect((await app.current.as(reporter).head(awards(on))).headers['x-total']).toBe('2');
    expect((await app.current.as(reporter).delete(awards(on, body.id))).status).toBe(204);
    const again = await app.current.as(reporter).delete(awards(on, body.id));
    expect([again.status, again.body]).toEqual([404, { message: '404 Not found' }]);
  });

  it('are given once by everybody', async () => {
    const on = await things[kind]();
    await give(on).expect(201);
    const { status, body } = await give(on, '+1');
    expect([status, body]).toEqual(gone('Award Emoji Name has already been taken'));
    await give(on, 'thumbsup', admin).expect(201);
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => (await give(on, 'heart')).status),
    );
    expect(statuses.sort()).toEqual([201, 404, 404, 404, 404, 404]);
  });

  it('hide with the thing, and want to know who calls', async () => {
    const on = await things[kind]();
    const { body } = await give(on);
    for (const path of [awards(on), awards(on, body.id)]) {
      expect((await app.current.api.get(path)).status).toBe(401);
      expect((await app.current.as(stranger).get(path)).status).toBe(404);
    }
    expect((await give(on, 'heart', stranger)).status).toBe(404);
    expect((await app.current.as(stranger).delete(awards(on, body.id))).status).toBe(404);
    expect((await app.current.as(reporter).get(`${on.path}9/award_emoji`)).status).toBe(404);
  });

  it('are of one thing alone', async () => {
    const [on, other] = [await things[kind](), await things[kind]()];
    const { body } = await give(on);
    for (const elsewhere of [other, await note(on)]) {
      expect((await app.current.as(reporter).get(awards(elsewhere, body.id))).status).toBe(404);
      expect((await app.current.as(reporter).delete(awards(elsewhere, body.id))).status).toBe(404);
    }
    const foreign = await note(other);
    expect((await app.current.as(reporter).get(`${on.path}/notes/${foreign.id}/award_emoji`)).status).toBe(
      404,
    );
  });
});

describe('POST /projects/:id/issues/:issue_iid/award_emoji', () => {
  it.each([
    ['nothing-of-the-kind', 'Name is not included in the list'],
    [':thumbsup:', 'Name is not included in the list'],
    ['', "Name can't be blank and Name is not included in the list"],
    ['constructor', 'Name is not included in the list'],
    ['x'.repeat(100_000), 'Name is not included in the list'],
  ])('refuses %p', async (name, sentence) => {
    const { status, body } = await give(await things.issue(), name);
    expect([status, body]).toEqual(gone(`Award Emoji ${sentence}`));
  });

  it('wants a name, once', async () => {
    const on = await things.issue();
    const { status, body } = await app.current.as(reporter).post(awards(on), {});
    expect([status, body]).toEqual([400, { message: '400 (Bad request) "name" not given' }]);
    expect((await app.current.as(reporter).post(awards(on), { name: ['heart'] })).status).toBe(400);
  });

  it('is for members alone where the discussion is locked', async () => {
    const { build } = app.current;
    const open = await build.project({ visibility: 'public', members: { guest } });
    const { iid } = await issue(app.current, open, {
      author: reporter,
      columns: { discussion_locked: true },
    });
    const path = `/projects/${open.id}/issues/${iid}/award_emoji`;
    const refused = await app.current.as(stranger).post(path, { name: 'heart' });
    expect([refused.status, refused.body]).toEqual(gone('Award Emoji'));
    expect((await app.current.as(guest).post(path, { name: 'heart' })).status).toBe(201);
    expect((await app.current.as(stranger).get(path)).status).toBe(200);
  });

  it('is over in an archived project', async () => {
    const on = await things.issue();
    const archive = (archived: boolean) =>
      app.current.database.query('UPDATE projects SET archived = $2 WHERE id = $1', [project.id, archived]);
    await archive(true);
    const { status, body } = await give(on);
    expect([status, body]).toEqual(gone('Award Emoji'));
    await archive(false);
  });

  it('leaves notes of the system alone', async () => {
    const on = await note(await things.issue(), { system: true });
    const { status, body } = await give(on);
    expect([status, body]).toEqual(gone('Award Emoji'));
  });

  it('keeps the emoji of a hidden issue hidden', async () => {
    const quiet = await things.issue({ confidential: true });
    expect((await app.current.as(guest).get(awards(quiet))).status).toBe(404);
    expect((await give(quiet, 'heart', guest)).status).toBe(404);
  });
});

describe('DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id', () => {
  it('is for whoever gave it, and administrators', async () => {
    const on = await things.issue();
    const { body } = await give(on);
    const refused = await app.current.as(guest).delete(awards(on, body.id));
    expect([refused.status, refused.body]).toEqual([401, { message: '401 Unauthorized' }]);
    const early = await app.current
      .as(reporter)
      .delete(awards(on, body.id))
      .set('If-Unmodified-Since', 'Mon, 01 Jan 2018 00:00:00 GMT');
    expect(early.status).toBe(412);
    expect((await app.current.as(admin).delete(awards(on, body.id))).status).toBe(204);
  });
});

describe('POST /groups/:id/epics/:epic_iid/award_emoji', () => {
  it('is for reporters, and counts as a vote', async () => {
    const on = await things.epic();
    const { status, body } = await give(on, 'heart', guest);
    expect([status, body]).toEqual(gone('Award Emoji'));
    await give(on, 'thumbsup').expect(201);
    await give(on, '-1', admin).expect(201);
    await give(on, 'heart', admin).expect(201);
    const epic = await app.current.as(guest).get(on.path);
    expect(epic.body).toMatchObject({ upvotes: 1, downvotes: 1 });
  });
});

describe('GET /projects/:id/snippets/:snippet_id/award_emoji', () => {
  it('has a constant number of queries', async () => {
    const on = await things.snippet();
    await give(on, 'heart');
    await give(on, 'rocket', admin);
    const one = await statementsDuring(() => app.current.as(guest).get(`${awards(on)}?per_page=1&page=2`));
    const both = await statementsDuring(() => app.current.as(guest).get(awards(on)));
    expect(both).toHaveLength(one.length);
  });
});

describe('when somebody goes who gave emoji', () => {
  it('hands them to the ghost, once where two gave the same, or removes them with a hard delete', async () => {
    const { build } = app.current;
    const on = await things.issue();
    const [first, second, third] = [await build.user(), await build.user(), await build.user()];
    for (const user of [first, second, third]) {
      await build.member('project', project.id, user, 'reporter');
      await give(on, 'heart', user).expect(201);
    }
    await give(on, 'rocket', second).expect(201);
    await give(on, 'tada', third).expect(201);
    await app.current.as(admin).delete(`/users/${first.id}`).expect(204);
    await app.current.as(admin).delete(`/users/${second.id}`).expect(204);
    await app.current.as(admin).delete(`/users/${third.id}?hard_delete=true`).expect(204);
    const left = await until(async () => {
      const { body } = await app.current.as(admin).get(awards(on));
      const found: { name: string; user: { username: string } | null }[] = body;
      return found.length === 2 && found.every(({ user }) => user?.username === 'ghost') ? found : null;
    });
    expect(left.map(({ name }) => name).sort()).toEqual(['heart', 'rocket']);
  });
});
