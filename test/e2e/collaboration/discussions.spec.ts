import { GitFixture } from '#libs/testing';
import type { ApiClient } from '../../support/api-client';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { NotedThings, type NotedThing } from '../../support/noted-things';

const app = useApplication({ TIER: 'ultimate' });

let things: NotedThings;
let author: BuiltUser;
let reporter: BuiltUser;
let developer: BuiltUser;
let maintainer: BuiltUser;
let stranger: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;
let head: string;
beforeAll(async () => {
  const { build } = app.current;
  things = new NotedThings(app.current);
  author = await build.user();
  reporter = await build.user();
  developer = await build.user();
  maintainer = await build.user();
  stranger = await build.user();
  group = await build.group({ members: { reporter: author, developer, maintainer } });
  await build.member('namespace', group.id, reporter, 'reporter');
  project = await build.project({
    namespace: group,
    files: { 'a.txt': 'one\ntwo\nthree\nfour\n', 'b.png': 'x' },
  });
  head = await GitFixture.on(project.repositoryPath).commit({
    branch: 'feature',
    parents: [project.tip],
    files: { 'a.txt': 'one\ndeux\nthree\nfour\nfive\n', 'b.png': 'y' },
  });
});

const as = (user: BuiltUser) => app.current.as(user);
const discussionsOf = ({ url }: NotedThing): string => `${url}/discussions`;

const made: Record<NotedThing['kind'], () => Promise<NotedThing>> = {
  Issue: () => things.issue(project, author),
  MergeRequest: () => mergeRequest(),
  Snippet: () => things.snippet(project, author),
  Epic: () => things.epic(group, author),
};

async function mergeRequest(): Promise<NotedThing> {
  const refs = { head_sha: head, base_sha: project.tip, start_sha: project.tip };
  const made = await things.mergeRequest(project, author, refs);
  await app.current.database.query(
    `INSERT INTO merge_request_versions (merge_request_id, head_sha, base_sha, start_sha, real_size)
     VALUES ($1, $2, $3, $4, 2)`,
    [made.id, head, project.tip, project.tip],
  );
  return made;
}

/** Two of a kind, the same for all who only look whether one is taken for the other. */
const pairs = new Map<NotedThing['kind'], Promise<readonly [NotedThing, NotedThing]>>();
function pairOf(kind: NotedThing['kind']) {
  const make = async () => [await made[kind](), await made[kind]()] as const;
  const pair = pairs.get(kind) ?? make();
  pairs.set(kind, pair);
  return pair;
}

async function begun(on: NotedThing, body: object = { body: 'first' }, by = author) {
  const { body: discussion } = await as(by).post(discussionsOf(on), body).expect(201);
  return { id: discussion.id, url: `${discussionsOf(on)}/${discussion.id}`, noteId: discussion.notes[0].id };
}

describe.each([
  ['POST /projects/:id/issues/:issue_iid/discussions', 'Issue'],
  ['POST /projects/:id/merge_requests/:merge_request_iid/discussions', 'MergeRequest'],
  ['POST /projects/:id/snippets/:snippet_id/discussions', 'Snippet'],
  ['POST /groups/:id/epics/:epic_id/discussions', 'Epic'],
] as const)('%s', (_row, kind) => {
  let on: NotedThing;
  beforeAll(async () => {
    on = await made[kind]();
  });

  it('begins a discussion, which others answer, and which is read as one', async () => {
    const { body } = await as(author).post(discussionsOf(on), { body: 'first' }).expect(201);
    expect(Object.keys(body)).toEqual(['id', 'individual_note', 'notes']);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      individual_note: false,
      notes: [
        { type: 'DiscussionNote', body: 'first', noteable_id: on.id, resolvable: kind === 'MergeRequest' },
      ],
    });
    const url = `${discussionsOf(on)}/${body.id}`;
    const answer = await as(reporter).post(`${url}/notes`, { body: 'second' }).expect(201);
    expect(answer.body).toMatchObject({
      type: 'DiscussionNote',
      body: 'second',
      author: { id: reporter.id },
    });
    const shown = await as(developer).get(url).expect(200);
    expect(shown.body.notes.map((note: { body: string }) => note.body)).toEqual(['first', 'second']);
    const notes = await as(developer).get(`${url}/notes`).expect(200);
    expect(notes.body).toEqual(shown.body.notes);
    const one = await as(developer).get(`${url}/notes/${answer.body.id}`).expect(200);
    expect(one.body).toEqual(answer.body);
    expect(await things.countOf(on)).toBe(2);
  });

  it('is changed and deleted note by note, in its own discussion alone', async () => {
    const [one, other] = [await begun(on), await begun(on)];
    await as(author).put(`${other.url}/notes/${one.noteId}`, { body: 'x' }).expect(404);
    await as(author).delete(`${other.url}/notes/${one.noteId}`).expect(404);
    await as(developer).put(`${one.url}/notes/${one.noteId}`, { body: 'x' }).expect(403);
    const { body } = await as(author).put(`${one.url}/notes/${one.noteId}`, { body: 'changed' }).expect(200);
    expect(body).toMatchObject({ body: 'changed', type: 'DiscussionNote' });
    await as(author).put(`${one.url}/notes/${one.noteId}`, {}).expect(400);
    await as(maintainer).delete(`${one.url}/notes/${one.noteId}`).expect(204);
    await as(author).get(one.url).expect(404);
  });

  it('is not begun by strangers, nor without words', async () => {
    await as(stranger).post(discussionsOf(on), { body: 'x' }).expect(404);
    await as(author)
      .get(`${discussionsOf(on)}/nothing`)
      .expect(404);
    await as(author)
      .post(`${discussionsOf(on)}/nothing/notes`, { body: 'x' })
      .expect(404);
    for (const body of [{}, { body: ' ' }]) await as(author).post(discussionsOf(on), body).expect(400);
  });
});

describe.each([
  ['GET /projects/:id/issues/:issue_iid/discussions/:discussion_id', 'Issue', 200],
  ['GET /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes', 'Issue', 200],
  ['POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes', 'Issue', 201],
  ['GET /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id', 'Issue', 200],
  ['PUT /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id', 'Issue', 200],
  ['DELETE /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id', 'Issue', 204],
  ['GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id', 'MergeRequest', 200],
  [
    'GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes',
    'MergeRequest',
    200,
  ],
  [
    'POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes',
    'MergeRequest',
    201,
  ],
  [
    'GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id',
    'MergeRequest',
    200,
  ],
  [
    'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id',
    'MergeRequest',
    200,
  ],
  [
    'DELETE /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id',
    'MergeRequest',
    204,
  ],
  ['GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id', 'Snippet', 200],
  ['GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes', 'Snippet', 200],
  ['POST /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes', 'Snippet', 201],
  ['GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id', 'Snippet', 200],
  ['PUT /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id', 'Snippet', 200],
  ['DELETE /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id', 'Snippet', 204],
  ['GET /groups/:id/epics/:epic_id/discussions/:discussion_id', 'Epic', 200],
  ['GET /groups/:id/epics/:epic_id/discussions/:discussion_id/notes', 'Epic', 200],
  ['POST /groups/:id/epics/:epic_id/discussions/:discussion_id/notes', 'Epic', 201],
  ['GET /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id', 'Epic', 200],
  ['PUT /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id', 'Epic', 200],
  ['DELETE /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id', 'Epic', 204],
] as const)('%s', (row, kind, status) => {
  const [verb = '', path = ''] = row.split(' ');
  const [, rest = ''] = path.split(':discussion_id');

  function ask(client: ApiClient, url: string) {
    if (verb === 'GET') return client.get(url);
    if (verb === 'DELETE') return client.delete(url);
    return verb === 'PUT' ? client.put(url, { body: 'x' }) : client.post(url, { body: 'x' });
  }

  it('is for those who see the thing, and for its own discussions alone', async () => {
    const [on, elsewhere] = await pairOf(kind);
    const { url, noteId } = await begun(on);
    const end = rest.replace(':note_id', String(noteId));
    await ask(app.current.api, url + end).expect(401);
    await ask(as(stranger), url + end).expect(404);
    await ask(as(author), url.replace(discussionsOf(on), discussionsOf(elsewhere)) + end).expect(404);
    await ask(as(author), `${discussionsOf(on)}/${'0'.repeat(40)}${end}`).expect(404);
    await ask(as(author), url + end).expect(status);
  });
});

describe.each([
  ['GET /projects/:id/issues/:issue_iid/discussions', 'Issue'],
  ['GET /projects/:id/merge_requests/:merge_request_iid/discussions', 'MergeRequest'],
  ['GET /projects/:id/snippets/:snippet_id/discussions', 'Snippet'],
  ['GET /groups/:id/epics/:epic_id/discussions', 'Epic'],
] as const)('%s', (_row, kind) => {
  it('lists them in the order in which they began, single notes among them', async () => {
    const on = await made[kind]();
    const one = await begun(on);
    await as(author).post(on.notes, { body: 'alone' }).expect(201);
    await as(author).post(`${one.url}/notes`, { body: 'answer' }).expect(201);
    const answer = await as(reporter)
      .get(`${discussionsOf(on)}?per_page=1`)
      .expect(200);
    expect(answer.headers['x-total']).toBe('2');
    expect(answer.body).toMatchObject([
      { id: one.id, individual_note: false, notes: [{ body: 'first' }, { body: 'answer' }] },
    ]);
    const { body } = await as(reporter)
      .get(`${discussionsOf(on)}?per_page=1&page=2`)
      .expect(200);
    expect(body).toMatchObject([{ individual_note: true, notes: [{ body: 'alone', type: null }] }]);
    const reply = await as(reporter)
      .post(`${discussionsOf(on)}/${body[0].id}/notes`, { body: 'no more' })
      .expect(201);
    expect(reply.body.type).toBe('DiscussionNote');
    const { body: shown } = await as(reporter)
      .get(`${discussionsOf(on)}/${body[0].id}`)
      .expect(200);
    expect(shown).toMatchObject({
      individual_note: false,
      notes: [{ type: 'DiscussionNote' }, { body: 'no more' }],
    });
  });
});

describe('discussions of very long texts', () => {
  it('are shown from their beginning, as far as one answer holds them', async () => {
    const on = await things.issue(project, author);
    const [long, short] = [await begun(on), await begun(on)];
    await app.current.database.query(
      `INSERT INTO notes (issue_id, author_id, body, type, discussion_id)
       SELECT $1, $2, repeat('x', 1000000), 'DiscussionNote', $3 FROM generate_series(1, 40)`,
      [on.id, author.id, long.id],
    );
    const { body } = await as(author).get(discussionsOf(on)).expect(200);
    expect(body.map(({ id, notes }: { id: string; notes: unknown[] }) => [id, notes.length])).toEqual([
      [long.id, 34],
      [short.id, 1],
    ]);
    const listed = await as(author).get(`${on.notes}?per_page=1`).expect(200);
    expect(listed.headers['x-total']).toBe('42');
  });
});

describe('PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id', () => {
  const systemNotes = async (on: NotedThing): Promise<string[]> => {
    const { body } = await as(author).get(on.notes).expect(200);
    return body.flatMap((note: { system: boolean; body: string }) => (note.system ? [note.body] : []));
  };

  it('resolves a discussion and opens it again, and tells when all are resolved', async () => {
    const on = await mergeRequest();
    const [one, other] = [await begun(on), await begun(on)];
    const resolved = await as(developer).put(one.url, { resolved: true }).expect(200);
    expect(resolved.body.notes).toMatchObject([
      { resolvable: true, resolved: true, resolved_by: { id: developer.id } },
    ]);
    expect(await systemNotes(on)).toEqual([]);
    await as(author).put(other.url, { resolved: 'true' }).expect(200);
    expect(await systemNotes(on)).toEqual(['resolved all threads']);
    const opened = await as(author).put(one.url, { resolved: false }).expect(200);
    expect(opened.body.notes).toMatchObject([{ resolved: false, resolved_by: null }]);
    await as(developer).put(one.url, {}).expect(400);
  });

  it('tells so once, however many resolve at the same time', async () => {
    const on = await mergeRequest();
    const begunOnes = [await begun(on), await begun(on), await begun(on)];
    const settle = ({ url, noteId }: { url: string; noteId: number }) => [
      as(developer).put(url, { resolved: true }),
      as(author).put(`${url}/notes/${noteId}`, { resolved: true }),
    ];
    const answers = await Promise.all(begunOnes.flatMap(settle));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await systemNotes(on)).toEqual(['resolved all threads']);
  });

  it('is for developers and for whoever made the merge request', async () => {
    const on = await mergeRequest();
    const { url } = await begun(on, { body: 'x' }, reporter);
    await as(reporter).put(url, { resolved: true }).expect(403);
    await as(stranger).put(url, { resolved: true }).expect(404);
    const { body: note } = await as(author).post(on.notes, { body: 'alone' }).expect(201);
    const { body } = await as(author).get(discussionsOf(on));
    const alone = body.find((discussion: { notes: { id: number }[] }) => discussion.notes[0]?.id === note.id);
    await as(author)
      .put(`${discussionsOf(on)}/${alone.id}`, { resolved: true })
      .expect(400);
  });

  it('is done note by note too, by its author as well', async () => {
    const on = await mergeRequest();
    const { url, noteId } = await begun(on, { body: 'x' }, reporter);
    const { body } = await as(reporter).put(`${url}/notes/${noteId}`, { resolved: true }).expect(200);
    expect(body).toMatchObject({ resolved: true, resolved_by: { id: reporter.id } });
    await as(reporter).put(`${url}/notes/${noteId}`, { resolved: true, body: 'both' }).expect(400);
    const { body: answer } = await as(developer).post(`${url}/notes`, { body: 'not yet' }).expect(201);
    expect(answer.resolved).toBe(false);
    await as(reporter).put(`${url}/notes/${answer.id}`, { resolved: true }).expect(403);
  });
});

describe('POST /projects/:id/merge_requests/:merge_request_iid/discussions with a position', () => {
  let on: NotedThing;
  let refs: object;
  beforeAll(async () => {
    on = await mergeRequest();
    refs = { base_sha: project.tip, start_sha: project.tip, head_sha: head };
  });
  const at = (place: object) =>
    as(reporter).post(discussionsOf(on), {
      body: 'here',
      position: { ...refs, position_type: 'text', ...place },
    });

  it.each([
    ['an added line', { new_path: 'a.txt', new_line: 2 }, { old_line: null, new_line: 2 }],
    ['a removed line', { old_path: 'a.txt', old_line: 2 }, { old_line: 2, new_line: null }],
    [
      'an unchanged line',
      { new_path: 'a.txt', old_path: 'a.txt', old_line: 3, new_line: 3 },
      { old_line: 3, new_line: 3 },
    ],
  ])('stands at %s', async (_what, place, lines) => {
    const { body } = await at(place).expect(201);
    expect(body.notes).toMatchObject([
      {
        type: 'DiffNote',
        resolvable: true,
        resolved: false,
        position: { ...refs, old_path: 'a.txt', new_path: 'a.txt', position_type: 'text', ...lines },
      },
    ]);
    const { body: answer } = await as(author)
      .post(`${discussionsOf(on)}/${body.id}/notes`, { body: 'yes' })
      .expect(201);
    expect(answer).toMatchObject({ type: 'DiffNote', position: lines });
  });

  it('stands in an image', async () => {
    const point = { width: 10, height: 10, x: 1, y: 2 };
    const { body } = await at({ position_type: 'image', new_path: 'b.png', ...point }).expect(201);
    expect(body.notes[0].position).toMatchObject({ position_type: 'image', ...point });
    await at({ position_type: 'image', new_path: 'b.png' }).expect(400);
  });

  it.each([
    ['no such line', { new_path: 'a.txt', new_line: 99 }],
    ['an unchanged line as an added one', { new_path: 'a.txt', new_line: 3 }],
    ['no such file', { new_path: 'none.txt', new_line: 1 }],
    ['no file', { new_line: 1 }],
    ['no line', { new_path: 'a.txt' }],
    ['another type', { position_type: 'sound', new_path: 'a.txt', new_line: 2 }],
    ['another commit', { head_sha: '0'.repeat(40), new_path: 'a.txt', new_line: 2 }],
    ['what is no commit', { base_sha: '--help', new_path: 'a.txt', new_line: 2 }],
  ])('refuses %s', async (_what, place) => {
    await at(place).expect(400);
  });
});

describe('discussions that go on elsewhere', () => {
  it('are resolved by the issue that takes them over, which they name', async () => {
    const on = await mergeRequest();
    const [one, other] = [await begun(on), await begun(on)];
    const { body: issue } = await as(developer)
      .post(`/projects/${project.id}/issues`, {
        title: 'Later',
        merge_request_to_resolve_discussions_of: on.iid,
      })
      .expect(201);
    for (const { url } of [one, other]) {
      const { body } = await as(author).get(url).expect(200);
      const told = { system: true, body: `created #${issue.iid} to continue this discussion` };
      expect(body.notes).toMatchObject([{ resolved: true, resolved_by: { id: developer.id } }, told]);
    }
    await as(author).put(one.url, { resolved: false }).expect(200);
    await as(author).put(other.url, { resolved: false }).expect(200);
    const later = {
      title: 'One',
      merge_request_to_resolve_discussions_of: on.iid,
      discussion_to_resolve: one.id,
    };
    await as(reporter).post(`/projects/${project.id}/issues`, later).expect(201);
    expect((await as(author).get(one.url)).body.notes[0].resolved).toBe(false);
    await as(developer).post(`/projects/${project.id}/issues`, later).expect(201);
    expect((await as(author).get(one.url)).body.notes[0].resolved).toBe(true);
    expect((await as(author).get(other.url)).body.notes[0].resolved).toBe(false);
  });

  it('may be deleted meanwhile', async () => {
    for (let round = 0; round < 4; round += 1) {
      const on = await mergeRequest();
      await begun(on);
      const taking = {
        title: 'x',
        description: `!${on.iid}`,
        merge_request_to_resolve_discussions_of: on.iid,
      };
      const [made, deleted] = await Promise.all([
        as(developer).post(`/projects/${project.id}/issues`, taking),
        as(maintainer).delete(on.url),
      ]);
      expect(made.status).toBe(201);
      expect([204, 403]).toContain(deleted.status);
    }
  });

  it('tell nobody of an issue that they may not see', async () => {
    const open = await app.current.build.project({ namespace: group, visibility: 'public' });
    const on = await things.mergeRequest(open, author);
    const { url } = await begun(on);
    await as(developer)
      .post(`/projects/${open.id}/issues`, {
        title: 'Secret',
        confidential: true,
        merge_request_to_resolve_discussions_of: on.iid,
      })
      .expect(201);
    const { body: all } = await as(author).get(`${url}/notes`).expect(200);
    const { body: shown } = await as(stranger).get(`${url}/notes`).expect(200);
    expect([all.length, shown.length]).toEqual([2, 1]);
    await as(stranger).get(`${url}/notes/${all[1].id}`).expect(404);
    const { body: listed } = await as(stranger).get(discussionsOf(on)).expect(200);
    expect(listed[0].notes).toHaveLength(1);
  });

  it('are copied, with awards and counts, when their issue is moved', async () => {
    const target = await app.current.build.project({ namespace: group });
    const on = await things.issue(project, author);
    const { url, noteId } = await begun(on, { body: 'first, see #1' });
    await as(reporter).post(`${url}/notes`, { body: 'answer' }).expect(201);
    await as(author).post(on.notes, { body: 'alone' }).expect(201);
    await as(developer).post(`${on.notes}/${noteId}/award_emoji`, { name: 'heart' }).expect(201);
    const moved = await as(maintainer).post(`${on.url}/move`, { to_project_id: target.id }).expect(201);
    const there = `/projects/${target.id}/issues/${moved.body.iid}`;
    const { body } = await as(author).get(`${there}/discussions`).expect(200);
    const [discussion, alone] = body.filter(
      ({ notes }: { notes: { system: boolean }[] }) => !notes[0]?.system,
    );
    expect(discussion).toMatchObject({
      individual_note: false,
      notes: [{ author: { id: author.id } }, { body: 'answer', author: { id: reporter.id } }],
    });
    expect(discussion.notes[0].body).toBe(`first, see ${project.fullPath}#1`);
    expect(discussion.id).not.toBe(url.split('/').at(-1));
    expect(alone).toMatchObject({ individual_note: true, notes: [{ body: 'alone' }] });
    const awards = await as(author).get(`${there}/notes/${discussion.notes[0].id}/award_emoji`).expect(200);
    expect(awards.body).toMatchObject([{ name: 'heart', user: { id: developer.id } }]);
    expect(moved.body.user_notes_count).toBe(3);
  });
});
