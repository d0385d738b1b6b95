import { until } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { statementsDuring } from '../../support/statement-trace';
import { NotedThings, type NotedThing } from '../../support/noted-things';

const app = useApplication({ TIER: 'ultimate' });

type Role = 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner' | 'stranger' | 'external' | 'admin';
const ROLES: readonly Role[] = [
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'stranger',
  'external',
  'admin',
];

let things: NotedThings;
let group: BuiltGroup;
let priv: BuiltProject;
let open: BuiltProject;
let users: Record<Role, BuiltUser>;
let author: BuiltUser;
beforeAll(async () => {
  const { build } = app.current;
  things = new NotedThings(app.current);
  users = {
    guest: await build.user(),
    reporter: await build.user(),
    developer: await build.user(),
    maintainer: await build.user(),
    owner: await build.user(),
    stranger: await build.user(),
    external: await build.user({ external: true }),
    admin: await build.user({ admin: true }),
  };
  author = await build.user();
  const { guest, reporter, developer, maintainer, owner } = users;
  group = await build.group({ members: { guest, reporter, developer, maintainer, owner } });
  priv = await build.project({ namespace: group });
  open = await build.project({ namespace: group, visibility: 'internal' });
});

const as = (user: BuiltUser) => app.current.as(user);
const write = async (on: NotedThing, role: Role, body: object = { body: 'x' }): Promise<number> =>
  (await as(users[role]).post(on.notes, body)).status;
const read = async (on: NotedThing, role: Role): Promise<number> =>
  (await as(users[role]).get(on.notes)).status;

async function byRole(ask: (role: Role) => Promise<number>): Promise<Record<Role, number>> {
  const entries: [Role, number][] = [];
  for (const role of ROLES) entries.push([role, await ask(role)]);
  return {
    guest: 0,
    reporter: 0,
    developer: 0,
    maintainer: 0,
    owner: 0,
    stranger: 0,
    external: 0,
    admin: 0,
    ...Object.fromEntries(entries),
  };
}
const all = (status: number): Record<Role, number> => ({
  guest: status,
  reporter: status,
  developer: status,
  maintainer: status,
  owner: status,
  stranger: status,
  external: status,
  admin: status,
});
const outside = { stranger: 404, external: 404 };

describe('the notes of a private project', () => {
  it('are for its members, of merge requests from reporter on', async () => {
    const issue = await things.issue(priv, author);
    const mergeRequest = await things.mergeRequest(priv, author);
    const snippet = await things.snippet(priv, author);
    expect(await byRole((role) => write(issue, role))).toEqual({ ...all(201), ...outside });
    expect(await byRole((role) => write(mergeRequest, role))).toEqual({
      ...all(201),
      ...outside,
      guest: 404,
    });
    expect(await byRole((role) => read(mergeRequest, role))).toEqual({ ...all(200), ...outside, guest: 404 });
    expect(await byRole((role) => write(snippet, role))).toEqual({ ...all(201), ...outside });
  });

  it('are for all who see it where it is open', async () => {
    const made = [
      await things.issue(open, author),
      await things.mergeRequest(open, author),
      await things.snippet(open, author),
    ];
    for (const on of made) {
      expect(await byRole((role) => write(on, role))).toEqual({ ...all(201), external: 404 });
      expect(await byRole((role) => read(on, role))).toEqual({ ...all(200), external: 404 });
    }
  });

  it('on epics are read by whoever reads the group, and written from reporter on', async () => {
    const epic = await things.epic(group, author);
    expect(await byRole((role) => read(epic, role))).toEqual({ ...all(200), stranger: 200, external: 404 });
    expect(await byRole((role) => write(epic, role))).toEqual({
      ...all(201),
      guest: 403,
      stranger: 403,
      external: 404,
    });
  });
});

describe('the notes of an epic in a group inside', () => {
  it('are written by whoever is a reporter there', async () => {
    const inner = await app.current.build.group({ parent: group, members: { reporter: users.guest } });
    const epic = await things.epic(inner, author);
    const notes = `/groups/${group.id}/epics/${epic.id}/notes`;
    await as(users.guest).post(notes, { body: 'x' }).expect(201);
    await as(users.reporter).post(notes, { body: 'x' }).expect(201);
    await as(users.stranger).post(notes, { body: 'x' }).expect(404);
    const elsewhere = await things.epic(await app.current.build.group(), author);
    await as(users.owner).post(`/groups/${group.id}/epics/${elsewhere.id}/notes`, { body: 'x' }).expect(404);
  });
});

describe('the notes of a confidential issue', () => {
  it('are for its author, its assignees, and reporters', async () => {
    const issue = await things.issue(open, author, { confidential: true });
    expect(await byRole((role) => read(issue, role))).toEqual({ ...all(200), guest: 404, ...outside });
    expect(await byRole((role) => write(issue, role))).toEqual({ ...all(201), guest: 404, ...outside });
    await as(author).post(issue.notes, { body: 'mine' }).expect(201);
    await app.current.database.query('INSERT INTO issue_assignees VALUES ($1, $2)', [
      issue.id,
      users.stranger.id,
    ]);
    expect(await write(issue, 'stranger')).toBe(201);
  });
});

describe('a locked discussion', () => {
  it('is open to members alone', async () => {
    const issue = await things.issue(open, author);
    const { body: note } = await as(users.stranger).post(issue.notes, { body: 'before' }).expect(201);
    await app.current.database.query('UPDATE issues SET discussion_locked = true WHERE id = $1', [issue.id]);
    const expected = { ...all(201), stranger: 403, external: 404, admin: 403 };
    expect(await byRole((role) => write(issue, role))).toEqual(expected);
    await as(users.stranger).put(`${issue.notes}/${note.id}`, { body: 'after' }).expect(403);
    await as(users.stranger).delete(`${issue.notes}/${note.id}`).expect(403);
    await as(users.stranger).post(issue.notes, { body: ':+1:' }).expect(403);
    await as(users.stranger).post(`${issue.url}/discussions`, { body: 'x' }).expect(403);
    await as(users.maintainer).put(`${issue.notes}/${note.id}`, { body: 'after' }).expect(200);
  });
});

describe('an archived project', () => {
  it('has notes to read and none to write', async () => {
    const archived = await app.current.build.project({ namespace: group });
    const issue = await things.issue(archived, author);
    const { body: note } = await as(users.owner).post(issue.notes, { body: 'before' }).expect(201);
    await app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [archived.id]);
    expect(await byRole((role) => write(issue, role))).toEqual({ ...all(403), ...outside });
    await as(users.owner).put(`${issue.notes}/${note.id}`, { body: 'x' }).expect(403);
    await as(users.owner).delete(`${issue.notes}/${note.id}`).expect(403);
    expect(await read(issue, 'guest')).toBe(200);
  });

  it('hides what is switched off', async () => {
    const off = { issues_access: 'disabled', merge_requests_access: 'disabled', snippets_access: 'disabled' };
    const project = await app.current.build.project({ namespace: group, columns: off });
    const made = [
      await things.issue(project, author),
      await things.mergeRequest(project, author),
      await things.snippet(project, author),
    ];
    for (const on of made) expect(await read(on, 'owner')).toBe(404);
  });
});

describe('the time of writing', () => {
  const created_at = '2001-02-03T04:05:06Z';

  it('is what owners and administrators say, and now for everybody else', async () => {
    for (const on of [await things.issue(priv, author), await things.mergeRequest(priv, author)]) {
      for (const role of ['reporter', 'maintainer', 'owner', 'admin'] as const) {
        const { body } = await as(users[role]).post(on.notes, { body: 'then', created_at }).expect(201);
        const isHonoured = role === 'owner' || role === 'admin';
        expect([role, body.created_at === '2001-02-03T04:05:06.000Z']).toEqual([role, isHonoured]);
        expect(body.updated_at).toBe(body.created_at);
      }
    }
    const epic = await things.epic(group, author);
    const { body } = await as(users.owner).post(epic.notes, { body: 'then', created_at }).expect(201);
    expect(body.created_at).not.toContain('2001');
  });

  it('is a time', async () => {
    const issue = await things.issue(priv, author);
    for (const wrong of ['yesterday', '2001-13-01', ['2001-01-01']])
      expect(await write(issue, 'owner', { body: 'x', created_at: wrong })).toBe(400);
  });

  it('may be of any year, and lists walk over it', async () => {
    const issue = await things.issue(priv, author);
    for (const year of ['0001', '9999', '2020'])
      expect(await write(issue, 'owner', { body: year, created_at: `${year}-01-01T00:00:00Z` })).toBe(201);
    const years: string[] = [];
    let url: string | undefined = `${issue.notes}?pagination=keyset&per_page=1`;
    while (url !== undefined) {
      const answer: { body: { body: string }[]; headers: Record<string, string> } = await as(users.owner)
        .get(url)
        .expect(200);
      years.push(...answer.body.map((note) => note.body));
      url = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
    }
    expect(years).toEqual(['9999', '2020', '0001']);
  });
});

describe('the text of a note', () => {
  it('has a million characters at most, however they are encoded', async () => {
    const issue = await things.issue(priv, author);
    const longest = '😀'.repeat(1_000_000);
    const { body } = await as(users.reporter).post(issue.notes, { body: longest }).expect(201);
    expect(body.body).toBe(longest);
    for (const longer of [`${longest}x`, 'x'.repeat(1_000_001)]) {
      const answer = await as(users.reporter).post(issue.notes, { body: longer }).expect(400);
      expect(answer.body).toEqual({ message: { note: ['is too long (maximum is 1000000 characters)'] } });
    }
    await as(users.reporter)
      .put(`${issue.notes}/${body.id}`, { body: `${longest}x` })
      .expect(400);
  });

  it('is kept as it is, and nothing else that is sent', async () => {
    const issue = await things.issue(priv, author);
    const hostile = `<script>'"\\--; ![a](/uploads/${'0'.repeat(32)}/../../../etc/passwd) :+1: {{x}}`;
    const { body } = await as(users.reporter)
      .post(issue.notes, {
        body: hostile,
        system: true,
        author_id: users.owner.id,
        noteable_id: 1,
        id: 1,
        updated_at: '2001-01-01',
        type: 'DiffNote',
        resolved: true,
      })
      .expect(201);
    expect(body).toMatchObject({
      body: hostile,
      system: false,
      type: null,
      author: { id: users.reporter.id },
      noteable_id: issue.id,
    });
    expect(body.updated_at).not.toContain('2001');
  });
});

describe('the attachment of a note', () => {
  const upload = async (project: BuiltProject, filename: string, by: BuiltUser): Promise<string> => {
    const { body } = await as(by)
      .post(`/projects/${project.id}/uploads`)
      .attach('file', Buffer.from('x'), { filename })
      .expect(201);
    return body.markdown;
  };

  it('is the first file of the project that the text links to, as it is now', async () => {
    const { guest, reporter, maintainer } = users;
    const [first, second] = [
      await upload(priv, 'report[1] ä.pdf', guest),
      await upload(priv, 'photo.png', guest),
    ];
    const foreign = await upload(open, 'foreign.png', maintainer);
    const lost = first.replace(/[0-9a-f]{32}/, '0'.repeat(32));
    const misnamed = second.replace('photo.png)', 'other.png)');
    for (const on of [
      await things.issue(priv, author),
      await things.mergeRequest(priv, author),
      await things.snippet(priv, author),
    ]) {
      const attachmentOf = async (text: string): Promise<unknown> => {
        const { body } = await as(reporter).post(on.notes, { body: text }).expect(201);
        const shown = await as(reporter).get(`${on.notes}/${body.id}`).expect(200);
        expect(shown.body.attachment).toBe(body.attachment);
        return body.attachment;
      };
      expect(await attachmentOf(`See ${foreign} ${lost} ${misnamed} ${first} and ${second}`)).toBe(
        'report_1]_ä.pdf',
      );
      expect(await attachmentOf(`${foreign} ${lost} ${misnamed} /uploads/x/photo.png`)).toBeNull();
      const { body } = await as(reporter).post(on.notes, { body: second }).expect(201);
      expect(body.attachment).toBe('photo.png');
      const change = async (text: string, by: BuiltUser): Promise<unknown> =>
        (await as(by).put(`${on.notes}/${body.id}`, { body: text }).expect(200)).body.attachment;
      expect(await change(`x ${first}`, maintainer)).toBe('report_1]_ä.pdf');
      expect(await change('nothing', reporter)).toBeNull();
    }
    const epic = await things.epic(group, author);
    const { body } = await as(reporter).post(epic.notes, { body: second }).expect(201);
    expect(body.attachment).toBeNull();
  });

  it('is among the first hundred links, and asked for at once', async () => {
    const issue = await things.issue(priv, author);
    const file = await upload(priv, 'photo.png', users.guest);
    const link = (number: number): string => `/uploads/${String(number).padStart(32, '0')}/x.png`;
    const links = (count: number): string =>
      Array.from({ length: count }, (_, index) => link(index)).join(' ');
    const asked = async (body: string): Promise<[unknown, number]> => {
      let attachment: unknown;
      const statements = await statementsDuring(async () => {
        ({ attachment } = (await as(users.reporter).post(issue.notes, { body }).expect(201)).body);
      });
      return [attachment, statements.filter(({ text }) => /\buploads\b/.test(text)).length];
    };
    expect(await asked(`${links(99)} ${file}`)).toEqual(['photo.png', 1]);
    expect(await asked(`${links(100)} ${file}`)).toEqual([null, 1]);
  });
});

describe('what the system wrote', () => {
  it('is changed and deleted by nobody', async () => {
    const issue = await things.issue(priv, author);
    const { rows } = await app.current.database.query<{ id: string }>(
      `INSERT INTO notes (issue_id, author_id, body, system, system_action, discussion_id)
       VALUES ($1, $2, 'closed', true, 'closed', 'd') RETURNING id`,
      [issue.id, users.reporter.id],
    );
    const url = `${issue.notes}/${rows[0]?.id}`;
    for (const role of ['reporter', 'owner', 'admin'] as const) {
      await as(users[role]).put(url, { body: 'x' }).expect(403);
      await as(users[role]).delete(url).expect(403);
    }
    const { body } = await as(users.guest).get(url).expect(200);
    expect(body).toMatchObject({ system: true, body: 'closed', resolvable: false });
  });
});

describe('quick actions', () => {
  const stateOf = async (on: NotedThing): Promise<string> => (await as(users.owner).get(on.url)).body.state;

  it('close and reopen, and are no notes when they stand alone', async () => {
    for (const on of [await things.issue(priv, author), await things.mergeRequest(priv, author)]) {
      const { body } = await as(users.developer).post(on.notes, { body: '/close' }).expect(202);
      const noun = on.kind === 'Issue' ? 'issue' : 'merge request';
      expect(body).toEqual({ commands_changes: { state_event: 'close' }, summary: [`Closed this ${noun}.`] });
      expect(await stateOf(on)).toBe('closed');
      expect(await things.countOf(on)).toBe(0);
    }
  });

  it('leave the rest of the text as the note', async () => {
    const issue = await things.issue(priv, author);
    const { body } = await as(users.developer)
      .post(issue.notes, { body: 'Done.\n/close\n\n`/reopen`' })
      .expect(201);
    expect(body.body).toBe('Done.\n\n`/reopen`');
    expect(await stateOf(issue)).toBe('closed');
    await as(users.developer).post(issue.notes, { body: '/Reopen  ' }).expect(202);
    expect(await stateOf(issue)).toBe('opened');
  });

  it('are done in discussions, too', async () => {
    for (const on of [await things.issue(priv, author), await things.mergeRequest(priv, author)]) {
      const discussions = `${on.url}/discussions`;
      const { body } = await as(users.developer).post(discussions, { body: 'Done.\n/close' }).expect(201);
      expect(body.notes).toMatchObject([{ body: 'Done.' }]);
      expect(await stateOf(on)).toBe('closed');
      const replies = `${discussions}/${body.id}/notes`;
      const { body: reply } = await as(users.developer).post(replies, { body: '/reopen\nNo.' }).expect(201);
      expect(reply.body).toBe('No.');
      expect(await stateOf(on)).toBe('opened');
      for (const url of [discussions, replies]) {
        const { body: done } = await as(users.developer).post(url, { body: '/close' }).expect(202);
        expect(done.commands_changes).toEqual({ state_event: 'close' });
        await as(users.developer).post(on.notes, { body: '/reopen' }).expect(202);
        await as(users.guest)
          .post(url, { body: '/close' })
          .expect(on.kind === 'Issue' ? 403 : 404);
      }
      expect(await things.countOf(on)).toBe(2);
    }
  });

  it('do nothing for those who may not, nor on what has no state, nor in code', async () => {
    const issue = await things.issue(priv, author);
    await as(users.guest).post(issue.notes, { body: '/close' }).expect(403);
    const { body } = await as(users.guest).post(issue.notes, { body: 'please\n/close' }).expect(201);
    expect(body.body).toBe('please\n/close');
    await as(users.developer).post(issue.notes, { body: '```\n/close\n```' }).expect(201);
    expect(await stateOf(issue)).toBe('opened');
    const snippet = await things.snippet(priv, author);
    const { body: plain } = await as(users.developer).post(snippet.notes, { body: '/close' }).expect(201);
    expect(plain.body).toBe('/close');
  });
});

describe('what is written at the same time', () => {
  it('is counted exactly, and deleted once', async () => {
    const issue = await things.issue(priv, author);
    const made = await Promise.all(
      Array.from({ length: 8 }, () => as(users.reporter).post(issue.notes, { body: 'x' })),
    );
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    expect(await things.countOf(issue)).toBe(8);
    const url = `${issue.notes}/${made[0]?.body.id}`;
    const gone = await Promise.all([1, 2, 3].map(() => as(users.reporter).delete(url)));
    expect(gone.map(({ status }) => status).toSorted()).toEqual([204, 404, 404]);
    expect(await things.countOf(issue)).toBe(7);
  });

  it('tells that something is going on in the project, once in an hour', async () => {
    const issue = await things.issue(priv, author);
    const snippet = await things.snippet(priv, author);
    const activity = async (ago: string, on: NotedThing): Promise<string> => {
      await app.current.database.query(
        `UPDATE projects SET last_activity_at = date_trunc('second', now() - $2::interval) WHERE id = $1`,
        [priv.id, ago],
      );
      const at = async (): Promise<string> =>
        (await as(users.owner).get(`/projects/${priv.id}`).expect(200)).body.last_activity_at;
      const before = await at();
      await as(users.reporter).post(on.notes, { body: 'x' }).expect(201);
      return (await at()) === before ? 'not told' : 'told';
    };
    expect(await activity('30 minutes', issue)).toBe('not told');
    expect(await activity('2 hours', issue)).toBe('told');
    expect(await activity('2 hours', snippet)).toBe('told');
  });

  it('changes when the thing was changed last', async () => {
    const issue = await things.issue(priv, author, { updated_at: '2001-01-01T00:00:00Z' });
    await as(users.reporter).post(issue.notes, { body: 'x' }).expect(201);
    const { body } = await as(users.reporter).get(issue.url).expect(200);
    expect(body.updated_at).not.toContain('2001');
  });
});

describe('deleting', () => {
  it('a thing takes its notes along, an author leaves theirs to the ghost or takes them too', async () => {
    const issue = await things.issue(open, author);
    const [kept, removed] = [await app.current.build.user(), await app.current.build.user()];
    for (const user of [kept, removed])
      await as(user)
        .post(issue.notes, { body: `by ${user.username}` })
        .expect(201);
    await as(users.admin).delete(`/users/${kept.id}`).expect(204);
    await as(users.admin).delete(`/users/${removed.id}?hard_delete=true`).expect(204);
    const body = await until(async () => {
      const answer = await as(users.admin).get(issue.notes).expect(200);
      return answer.body.length === 1 && answer.body[0].author ? answer.body : null;
    });
    expect(body).toMatchObject([{ body: `by ${kept.username}`, author: { username: 'ghost' } }]);
    expect(await things.countOf(issue)).toBe(1);
    await app.current.database.query('DELETE FROM issues WHERE id = $1', [issue.id]);
    const { rows } = await app.current.database.query('SELECT 1 FROM notes WHERE issue_id = $1', [issue.id]);
    expect(rows).toEqual([]);
  });
});
