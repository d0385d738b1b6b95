import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { statementsDuring } from '../../support/statement-trace';
import { NotedThings, type NotedThing } from '../../support/noted-things';

const app = useApplication({ TIER: 'ultimate' });

type Kind = NotedThing['kind'];

let things: NotedThings;
let author: BuiltUser;
let other: BuiltUser;
let maintainer: BuiltUser;
let owner: BuiltUser;
let stranger: BuiltUser;
let admin: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;
beforeAll(async () => {
  const { build } = app.current;
  things = new NotedThings(app.current);
  author = await build.user();
  other = await build.user();
  maintainer = await build.user();
  owner = await build.user();
  stranger = await build.user();
  admin = await build.user({ admin: true });
  const members = { reporter: author, developer: other, maintainer, owner };
  group = await build.group({ members });
  project = await build.project({ namespace: group });
});

const made: Record<Kind, () => Promise<NotedThing>> = {
  Issue: () => things.issue(project, author),
  MergeRequest: () => things.mergeRequest(project, author),
  Snippet: () => things.snippet(project, author),
  Epic: () => things.epic(group, author),
};
const as = (user: BuiltUser) => app.current.as(user);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function written(on: NotedThing, body = 'Hello', by = author): Promise<number> {
  const { body: note } = await as(by).post(on.notes, { body }).expect(201);
  return note.id;
}
const bodiesOf = ({ body }: { body: { body: string }[] }): string[] => body.map((note) => note.body);

describe.each([
  ['POST /projects/:id/issues/:issue_iid/notes', 'Issue'],
  ['POST /projects/:id/merge_requests/:merge_request_iid/notes', 'MergeRequest'],
  ['POST /projects/:id/snippets/:snippet_id/notes', 'Snippet'],
  ['POST /groups/:id/epics/:epic_id/notes', 'Epic'],
] as const)('%s', (_row, kind) => {
  let on: NotedThing;
  beforeAll(async () => {
    on = await made[kind]();
  });

  it('writes a note, with the fields of the specification in their order', async () => {
    const before = await things.countOf(on);
    const { body } = await as(author).post(on.notes, { body: 'Hello *you*' }).expect(201);
    expect(Object.entries(body)).toEqual([
      ['id', expect.any(Number)],
      ['type', null],
      ['body', 'Hello *you*'],
      ['attachment', null],
      [
        'author',
        {
          id: author.id,
          username: author.username,
          email: author.email,
          name: author.name,
          state: 'active',
          created_at: expect.stringMatching(TIME),
          avatar_url: null,
          web_url: `http://service.test/${author.username}`,
        },
      ],
      ['created_at', expect.stringMatching(TIME)],
      ['updated_at', body.created_at],
      ['system', false],
      ['noteable_id', on.id],
      ['noteable_type', kind],
      ['noteable_iid', on.iid],
      ['resolvable', false],
    ]);
    expect(await things.countOf(on)).toBe(before + 1);
  });

  it('gives an award where the text is an emoji alone', async () => {
    const before = await things.countOf(on);
    const { body } = await as(author).post(on.notes, { body: ' :+1: ' }).expect(201);
    expect(body).toMatchObject({
      name: 'thumbsup',
      awardable_id: on.id,
      awardable_type: kind,
      user: { id: author.id },
    });
    expect(await things.countOf(on)).toBe(before);
    const { status } = await as(author).post(on.notes, { body: ':thumbsup:' });
    expect(status).toBe(404);
    await as(author).post(on.notes, { body: ':no_such_emoji:' }).expect(201);
  });

  it('refuses what is no text of a note', async () => {
    const missing = await as(author).post(on.notes, {}).expect(400);
    expect(missing.body).toEqual({ message: '400 (Bad request) "body" not given' });
    for (const body of ['', ' \n\t']) {
      const blank = await as(author).post(on.notes, { body }).expect(400);
      expect(blank.body).toEqual({ message: { note: ["can't be blank"] } });
    }
    for (const body of ['nul\0', ['a'], { a: 'b' }]) await as(author).post(on.notes, { body }).expect(400);
  });

  it('is for those who are signed in and see it', async () => {
    const { status, body } = await app.current.api.post(on.notes, {});
    expect([status, body]).toEqual([401, { message: '401 Unauthorized' }]);
    await as(stranger).post(on.notes, { body: 'x' }).expect(404);
    await as(author)
      .post(on.notes.replace(/\d+\/notes$/, '987654/notes'), { body: 'x' })
      .expect(404);
    await as(author)
      .post(on.notes.replace(/\d+\/notes$/, 'x/notes'), { body: 'x' })
      .expect(400);
  });
});

describe.each([
  ['GET /projects/:id/issues/:issue_iid/notes', 'Issue'],
  ['GET /projects/:id/merge_requests/:merge_request_iid/notes', 'MergeRequest'],
  ['GET /projects/:id/snippets/:snippet_id/notes', 'Snippet'],
  ['GET /groups/:id/epics/:epic_id/notes', 'Epic'],
] as const)('%s', (_row, kind) => {
  let on: NotedThing;
  beforeAll(async () => {
    on = await made[kind]();
    for (const body of ['one', 'two', 'three']) await written(on, body);
  });

  it('lists in pages, newest first', async () => {
    const answer = await as(other).get(`${on.notes}?per_page=2`).expect(200);
    expect(bodiesOf(answer)).toEqual(['three', 'two']);
    expect(answer.headers).toMatchObject({
      'x-total': '3',
      'x-total-pages': '2',
      'x-next-page': '2',
      'x-prev-page': '',
    });
    const head = await as(other).head(`${on.notes}?per_page=2`).expect(200);
    expect(head.headers['x-total']).toBe('3');
  });

  it('asks the database as often for many as for one', async () => {
    const asked = async (perPage: number): Promise<number> =>
      (await statementsDuring(async () => as(other).get(`${on.notes}?per_page=${perPage}&page=1`))).length;
    expect(await asked(2)).toBe(await asked(1));
  });

  it('lists in the order asked for', async () => {
    expect(bodiesOf(await as(other).get(`${on.notes}?sort=asc`))).toEqual(['one', 'two', 'three']);
    const [first] = (await as(other).get(`${on.notes}?sort=asc`)).body;
    await as(author).put(`${on.notes}/${first.id}`, { body: 'one, changed' }).expect(200);
    expect(bodiesOf(await as(other).get(`${on.notes}?order_by=updated_at`))).toEqual([
      'one, changed',
      'three',
      'two',
    ]);
    for (const query of ['sort=up', 'order_by=id']) await as(other).get(`${on.notes}?${query}`).expect(400);
  });

  it('walks by keyset, any page as fast as the first', async () => {
    for (const sort of ['asc', 'desc']) {
      const walked: string[] = [];
      let next: string | undefined = `${on.notes}?pagination=keyset&per_page=2&sort=${sort}`;
      while (next !== undefined) {
        const answer: { body: { body: string }[]; headers: Record<string, string> } = await as(other)
          .get(next)
          .expect(200);
        walked.push(...bodiesOf(answer));
        expect(answer.headers['x-total']).toBeUndefined();
        next = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
      }
      expect(walked).toEqual(bodiesOf(await as(other).get(`${on.notes}?sort=${sort}`)));
    }
    for (const cursor of ['x', '1', '1_', '999999999999_1_1', '1_2', '-_-'])
      await as(other).get(`${on.notes}?pagination=keyset&cursor=${cursor}`).expect(400);
  });

  it('is for those who are signed in and see it', async () => {
    await app.current.api.get(on.notes).expect(401);
    const { body } = await as(stranger).get(on.notes).expect(404);
    expect(body).toEqual({ message: kind === 'Epic' ? '404 Group Not Found' : '404 Project Not Found' });
    await as(admin).get(on.notes).expect(200);
  });
});

describe.each([
  ['GET /projects/:id/issues/:issue_iid/notes/:note_id', 'Issue'],
  ['GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', 'MergeRequest'],
  ['GET /projects/:id/snippets/:snippet_id/notes/:note_id', 'Snippet'],
  ['GET /groups/:id/epics/:epic_id/notes/:note_id', 'Epic'],
] as const)('%s', (_row, kind) => {
  it('shows one note of the thing, and none of another', async () => {
    const [on, elsewhere] = [await made[kind](), await made[kind]()];
    const id = await written(on);
    const { body } = await as(other).get(`${on.notes}/${id}`).expect(200);
    expect(body).toMatchObject({ id, body: 'Hello', noteable_id: on.id });
    for (const url of [`${elsewhere.notes}/${id}`, `${on.notes}/987654`]) {
      const answer = await as(other).get(url).expect(404);
      expect(answer.body).toEqual({ message: '404 Not found' });
    }
    await app.current.api.get(`${on.notes}/${id}`).expect(401);
    await as(other).get(`${on.notes}/x`).expect(400);
    await as(other).get(`${on.notes}/99999999999999999999`).expect(400);
  });
});

describe.each([
  ['PUT /projects/:id/issues/:issue_iid/notes/:note_id', 'Issue'],
  ['PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', 'MergeRequest'],
  ['PUT /projects/:id/snippets/:snippet_id/notes/:note_id', 'Snippet'],
  ['PUT /groups/:id/epics/:epic_id/notes/:note_id', 'Epic'],
] as const)('%s', (_row, kind) => {
  it('gives it another text, for its author and for maintainers', async () => {
    const on = await made[kind]();
    const url = `${on.notes}/${await written(on)}`;
    for (const user of [author, maintainer, owner, admin]) {
      const { body } = await as(user)
        .put(url, { body: `by ${user.username}` })
        .expect(200);
      expect(body).toMatchObject({ body: `by ${user.username}`, author: { id: author.id } });
      expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(body.created_at));
    }
    const { body } = await as(other).put(url, { body: 'mine' }).expect(403);
    expect(body).toEqual({ message: '403 Forbidden' });
    await as(author).put(url, { body: ' ' }).expect(400);
    await as(author).put(url, {}).expect(400);
    await as(stranger).put(url, { body: 'mine' }).expect(404);
    await app.current.api.put(url, { body: 'mine' }).expect(401);
    expect(await things.countOf(on)).toBe(1);
  });
});

describe.each([
  ['DELETE /projects/:id/issues/:issue_iid/notes/:note_id', 'Issue'],
  ['DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', 'MergeRequest'],
  ['DELETE /projects/:id/snippets/:snippet_id/notes/:note_id', 'Snippet'],
  ['DELETE /groups/:id/epics/:epic_id/notes/:note_id', 'Epic'],
] as const)('%s', (_row, kind) => {
  it('deletes it once, for its author and for maintainers', async () => {
    const [on, elsewhere] = [await made[kind](), await made[kind]()];
    const id = await written(on);
    const url = `${on.notes}/${id}`;
    await app.current.api.delete(url).expect(401);
    await as(other).delete(url).expect(403);
    await as(stranger).delete(url).expect(404);
    await as(author).delete(`${elsewhere.notes}/${id}`).expect(404);
    await as(author).with({ 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }).delete(url).expect(412);
    expect(await things.countOf(on)).toBe(1);
    const { body } = await as(author).delete(url).expect(204);
    expect(body).toEqual({});
    await as(author).delete(url).expect(404);
    expect(await things.countOf(on)).toBe(0);
    await as(maintainer)
      .delete(`${on.notes}/${await written(on)}`)
      .expect(204);
  });
});
