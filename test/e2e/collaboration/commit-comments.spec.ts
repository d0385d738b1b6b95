import { GitFixture } from '#libs/testing';
import { Cast, READ_ROW } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let user: BuiltUser;
let project: BuiltProject;
let git: GitFixture;
let sha: string;
beforeEach(async () => {
  user = await app.current.build.user();
  project = await app.current.build.project({
    visibility: 'public',
    files: { 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'old.txt': 'o\n'.repeat(20), gone: 'g\n' },
  });
  git = GitFixture.on(project.repositoryPath);
  sha = await git.commit({
    branch: 'master',
    files: {
      'a.txt': '1\n2\n3\n4\nfive\n5½\n6\n7\n8\n9\n',
      'ünï.txt': { renamedFrom: 'old.txt' },
      gone: null,
      bin: Buffer.from([0]),
    },
  });
});

const url = (name = sha): string =>
  `/projects/${project.id}/repository/commits/${encodeURIComponent(name)}/comments`;
const post = (body: object, name = sha) => app.current.as(user).post(url(name), body);
const placeOf = async (body: object, name = sha) => {
  const { body: made } = await post({ note: 'n', ...body }, name).expect(201);
  return [made.path, made.line, made.line_type];
};
const WHOLE = [null, null, null];

describe('POST /projects/:id/repository/commits/:sha/comments', () => {
  it('comments on the whole commit, the fields in the order of the specification', async () => {
    const answer = await post({ note: 'Nice *work*' });
    expect(answer.status).toBe(201);
    expect(Object.entries(answer.body)).toEqual([
      ['note', 'Nice *work*'],
      [
        'author',
        {
          id: user.id,
          name: user.name,
          username: user.username,
          state: 'active',
          avatar_url: null,
          web_url: `http://service.test/${user.username}`,
        },
      ],
      ['created_at', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
      ['line', null],
      ['line_type', null],
      ['path', null],
    ]);
  });

  it('comments on a line that the diff shows, on either side', async () => {
    expect(await placeOf({ path: 'a.txt', line: 5, line_type: 'new' })).toEqual(['a.txt', 5, 'new']);
    expect(await placeOf({ path: 'a.txt', line: 5, line_type: 'old' })).toEqual(['a.txt', 5, 'old']);
    expect(await placeOf({ path: 'a.txt', line: '9' })).toEqual(['a.txt', 9, 'new']);
    expect(await placeOf({ path: 'gone', line: 1, line_type: 'old' })).toEqual(['gone', 1, 'old']);
    expect(await placeOf({ path: 'a.txt', line: 8, line_type: 'old' })).toEqual(['a.txt', 8, 'old']);
  });

  it('comments on the whole where the place is none', async () => {
    expect(await placeOf({ path: 'a.txt', line: 1 })).toEqual(WHOLE);
    expect(await placeOf({ path: 'a.txt', line: 10_000 })).toEqual(WHOLE);
    expect(await placeOf({ path: 'a.txt', line: 0 })).toEqual(WHOLE);
    expect(await placeOf({ path: 'a.txt', line: -5 })).toEqual(WHOLE);
    expect(await placeOf({ path: 'nope', line: 5 })).toEqual(WHOLE);
    expect(await placeOf({ path: '../a.txt', line: 5 })).toEqual(WHOLE);
    expect(await placeOf({ path: 'gone', line: 1, line_type: 'new' })).toEqual(WHOLE);
    expect(await placeOf({ path: 'bin', line: 1 })).toEqual(WHOLE);
    expect(await placeOf({ path: 'ünï.txt', line: 1 })).toEqual(WHOLE);
    expect(await placeOf({ path: 'a.txt' })).toEqual(WHOLE);
    expect(await placeOf({ line: 5 })).toEqual(WHOLE);
    expect(await placeOf({ path: 'a.txt', line: 10_000 }, 'master')).toEqual(WHOLE);
  });

  it('takes a branch, tag or abbreviated hash for the commit', async () => {
    expect(await placeOf({ path: 'a.txt', line: 5 }, 'master')).toEqual(['a.txt', 5, 'new']);
    await post({ note: 'short' }, sha.slice(0, 8)).expect(201);
    expect((await app.current.api.get(url())).body).toHaveLength(2);
  });

  it('keeps any text of a note, up to a million characters', async () => {
    for (const note of ['<script>alert(1)</script>', 'ünï 😀\r\n', ' x ', 'x'.repeat(1_000_000)]) {
      expect((await post({ note }).expect(201)).body.note).toBe(note);
    }
  });

  it('refuses what it cannot read', async () => {
    const refusal = async (body: object, name = sha) => {
      const answer = await post(body, name);
      return [answer.status, answer.body];
    };
    expect(await refusal({})).toEqual([400, { message: '400 (Bad request) "note" not given' }]);
    expect(await refusal({ note: ' \n' })).toEqual([400, { error: 'note is empty' }]);
    expect(await refusal({ note: 'x'.repeat(1_000_001) })).toEqual([
      400,
      { error: 'note is too long (maximum is 1000000 characters)' },
    ]);
    expect(await refusal({ note: 'x', line: 'y' })).toEqual([400, { error: 'line is invalid' }]);
    expect(await refusal({ note: 'x', line_type: 'both' })).toEqual([
      400,
      { error: 'line_type does not have a valid value' },
    ]);
    expect(await refusal({ note: { x: 'y' } })).toEqual([400, { error: 'note is invalid' }]);
    expect(await refusal({ note: 'x' }, 'nope')).toEqual([404, { message: '404 Commit Not Found' }]);
    expect((await app.current.api.get(url())).body).toEqual([]);
  });

  it('takes no other author than the caller', async () => {
    const other = await app.current.build.user();
    const { body } = await post({
      note: 'x',
      author_id: other.id,
      created_at: '2000-01-01T00:00:00Z',
    }).expect(201);
    expect(body.author.id).toBe(user.id);
    expect(body.created_at).not.toMatch(/^2000/);
  });

  it('is for whoever is signed in and reads the code, in a project that is not archived', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const row = await cast.row((api, { id, tip }) =>
      api.post(`/projects/${id}/repository/commits/${tip}/comments`, { note: 'x' }),
    );
    expect(row).toEqual({
      ...READ_ROW,
      'anonymous public': 401,
      'stranger public': 201,
      'stranger internal': 201,
      reporter: 201,
      developer: 201,
      maintainer: 201,
      owner: 201,
      admin: 201,
    });
    await app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);
    expect((await post({ note: 'x' })).status).toBe(403);
  });
});

describe('GET /projects/:id/repository/commits/:sha/comments', () => {
  it('answers the comments of the commit, oldest first, in pages', async () => {
    for (const note of ['one', 'two', 'three']) await post({ note }).expect(201);
    await post({ note: 'elsewhere' }, project.tip).expect(201);
    const { body, headers } = await app.current.api.get(`${url('master')}?per_page=2`).expect(200);
    expect(body.map(({ note }: { note: string }) => note)).toEqual(['one', 'two']);
    expect(headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2' });
    const head = await app.current.api.head(url()).expect(200);
    expect(head.headers['x-total']).toBe('3');
  });

  it('tells no e-mail address of the authors', async () => {
    await post({ note: 'x' });
    const { text } = await app.current.api.get(url());
    expect(text).not.toContain(user.email);
  });

  it('keeps a comment whose author is gone', async () => {
    await post({ note: 'x' });
    await app.current.database.query('UPDATE notes SET author_id = NULL WHERE author_id = $1', [user.id]);
    expect((await app.current.api.get(url()).expect(200)).body).toMatchObject([{ note: 'x', author: null }]);
  });

  it('does not mix the commits of two projects', async () => {
    const twin = await app.current.build.project({ visibility: 'public', files: { a: 'x' } });
    await GitFixture.on(twin.repositoryPath).git(
      'fetch',
      '-q',
      project.repositoryPath,
      '+refs/heads/master:refs/heads/twin',
    );
    await post({ note: 'x' });
    const { body } = await app.current.api
      .get(`/projects/${twin.id}/repository/commits/${sha}/comments`)
      .expect(200);
    expect(body).toEqual([]);
  });

  it('finds no unknown commit', async () => {
    const { status, body } = await app.current.api.get(url('nope'));
    expect([status, body]).toEqual([404, { message: '404 Commit Not Found' }]);
  });

  it('is for whoever reads the code', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    expect(
      await cast.row((api, { id, tip }) => api.get(`/projects/${id}/repository/commits/${tip}/comments`)),
    ).toEqual(READ_ROW);
  });
});

const discussions = (name = sha): string => url(name).replace(/comments$/, 'discussions');
async function begun(body: object = { body: 'first' }, by = user) {
  const { body: discussion } = await app.current.as(by).post(discussions(), body).expect(201);
  return { url: `${discussions()}/${discussion.id}`, id: discussion.id, notes: discussion.notes };
}
const at = (place: object) => ({
  body: 'here',
  position: {
    base_sha: project.tip,
    start_sha: project.tip,
    head_sha: sha,
    position_type: 'text',
    ...place,
  },
});

describe('POST /projects/:id/repository/commits/:sha/discussions', () => {
  it('begins a discussion, which is among the comments too', async () => {
    const { body } = await app.current.as(user).post(discussions('master'), { body: 'Why?' }).expect(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      individual_note: false,
      notes: [
        {
          type: 'DiscussionNote',
          body: 'Why?',
          author: { id: user.id },
          system: false,
          noteable_id: null,
          noteable_type: 'Commit',
          noteable_iid: null,
          resolvable: false,
        },
      ],
    });
    expect(body.notes[0]).not.toHaveProperty('resolved');
    const comments = await app.current.api.get(url()).expect(200);
    expect(comments.body).toMatchObject([{ note: 'Why?', author: { id: user.id }, path: null }]);
  });

  it.each([
    ['an added line', { new_path: 'a.txt', new_line: 6 }, ['a.txt', 6, 'new']],
    ['a removed line', { old_path: 'a.txt', old_line: 5 }, ['a.txt', 5, 'old']],
    ['an unchanged line', { new_path: 'a.txt', old_line: 4, new_line: 4 }, ['a.txt', 4, 'new']],
  ])('stands at %s', async (_what, place, commented) => {
    const { notes } = await begun(at(place));
    expect(notes).toMatchObject([
      {
        type: 'DiffNote',
        resolvable: false,
        position: {
          base_sha: project.tip,
          start_sha: project.tip,
          head_sha: sha,
          old_path: 'a.txt',
          new_path: 'a.txt',
          old_line: null,
          new_line: null,
          ...place,
        },
      },
    ]);
    const { body } = await app.current.api.get(url()).expect(200);
    expect(
      body.map((made: Record<string, unknown>) => [made['path'], made['line'], made['line_type']]),
    ).toEqual([commented]);
  });

  it('takes no place that the difference does not show, nor one of other commits', async () => {
    const line = { new_path: 'a.txt', new_line: 6 };
    const refused = async (place: object) => {
      const { status, body } = await app.current.as(user).post(discussions(), at(place));
      return [status, body.message];
    };
    const noLine = [400, { line_code: ["can't be blank", 'must be a valid line code'] }];
    const otherCommit = [400, { commit_id: ['does not match the diff refs'] }];
    expect(await refused({ new_path: 'a.txt', new_line: 400 })).toEqual(noLine);
    expect(await refused({ new_path: 'a.txt', new_line: 4 })).toEqual(noLine);
    expect(await refused({ new_path: 'none', new_line: 1 })).toEqual(noLine);
    expect(await refused({ new_line: 6 })).toEqual(noLine);
    expect(await refused({ ...line, head_sha: project.tip })).toEqual(otherCommit);
    expect(await refused({ ...line, base_sha: '--help' })).toEqual(otherCommit);
    expect(await refused({ ...line, start_sha: sha })).toEqual(otherCommit);
    expect((await app.current.api.get(url())).body).toEqual([]);
  });

  it('stands in the first commit of all, which is compared with nothing', async () => {
    const nothing = '0'.repeat(40);
    const place = {
      base_sha: nothing,
      start_sha: nothing,
      head_sha: project.tip,
      new_path: 'gone',
      new_line: 1,
    };
    const { body } = await app.current.as(user).post(discussions(project.tip), at(place)).expect(201);
    expect(body.notes).toMatchObject([{ type: 'DiffNote', position: place }]);
  });

  it('refuses what is no text, and unknown commits', async () => {
    const refused = async (body: object, name = sha) => {
      const answer = await app.current.as(user).post(discussions(name), body);
      return [answer.status, answer.body];
    };
    expect(await refused({})).toEqual([400, { message: '400 (Bad request) "body" not given' }]);
    expect(await refused({ body: ' ' })).toEqual([400, { message: { note: ["can't be blank"] } }]);
    expect(await refused({ body: 'x', position: { new_path: 'a' } })).toEqual([400, expect.anything()]);
    expect(await refused({ body: 'x' }, 'nope')).toEqual([404, { message: '404 Commit Not Found' }]);
  });

  it('is for whoever is signed in and reads the code, in a project that is not archived', async () => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const list = ({ id, tip }: BuiltProject) => `/projects/${id}/repository/commits/${tip}/discussions`;
    const anonymous = { 'anonymous public': 401, 'anonymous internal': 401, 'anonymous private': 401 };
    const readers = { ...READ_ROW, ...anonymous };
    expect(await cast.row((api, place) => api.get(list(place)))).toEqual(readers);
    const row = await cast.row((api, place) => api.post(list(place), { body: 'x' }));
    expect(row).toEqual({
      ...readers,
      'stranger public': 201,
      'stranger internal': 201,
      reporter: 201,
      developer: 201,
      maintainer: 201,
      owner: 201,
      admin: 201,
    });
    const { url: one } = await begun();
    await app.current.database.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);
    await app.current.as(user).post(discussions(), { body: 'x' }).expect(403);
    await app.current.as(user).post(`${one}/notes`, { body: 'x' }).expect(403);
    await app.current.as(user).get(one).expect(200);
    // Who may say nothing leaves nothing behind.
    await app.current.as(user).post(discussions(project.tip), { body: 'x' }).expect(403);
    const { rows } = await app.current.database.query<{ sha: string }>(
      'SELECT sha FROM discussed_commits WHERE project_id = $1',
      [project.id],
    );
    expect(rows).toEqual([{ sha }]);
  });

  it('begins as many discussions as are begun at the same time', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((number) => begun({ body: String(number) })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(4);
    const { rows } = await app.current.database.query<{ counted: number }>(
      'SELECT user_notes_count AS counted FROM discussed_commits WHERE project_id = $1',
      [project.id],
    );
    expect(rows).toEqual([{ counted: 4 }]);
  });
});

describe('GET /projects/:id/repository/commits/:sha/discussions', () => {
  it('lists what was said in the order in which it began, comments among it', async () => {
    expect((await app.current.as(user).get(discussions()).expect(200)).body).toEqual([]);
    await post({ note: 'alone' }).expect(201);
    const { url: one } = await begun();
    await app.current.as(user).post(`${one}/notes`, { body: 'answer' }).expect(201);
    await post({ note: 'at a line', path: 'a.txt', line: 5, line_type: 'new' }).expect(201);
    const { body, headers } = await app.current.as(user).get(discussions()).expect(200);
    expect(headers['x-total']).toBe('3');
    expect(body).toMatchObject([
      { individual_note: true, notes: [{ type: null, body: 'alone' }] },
      { individual_note: false, notes: [{ body: 'first' }, { body: 'answer', type: 'DiscussionNote' }] },
      {
        individual_note: false,
        notes: [{ type: 'DiffNote', position: { base_sha: project.tip, old_line: null, new_line: 5 } }],
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('counted_on');
    const { body: page } = await app.current.as(user).get(`${discussions('master')}?per_page=1&page=2`);
    expect(page).toEqual([body[1]]);
    await app.current.api.get(discussions()).expect(401);
    expect((await app.current.as(user).get(discussions('nope')).expect(404)).body).toEqual({
      message: '404 Commit Not Found',
    });
  });
});

describe.each([
  ['GET /projects/:id/repository/commits/:sha/discussions/:discussion_id', 200],
  ['GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes', 200],
  ['POST /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes', 201],
  ['GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id', 200],
  ['PUT /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id', 200],
  ['DELETE /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id', 204],
] as const)('%s', (row, status) => {
  it('is for the discussions of the commit alone; what was written, for its author and for maintainers', async () => {
    const [other, maintainer] = [await app.current.build.user(), await app.current.build.user()];
    await app.current.build.member('project', project.id, maintainer, 'maintainer');
    const { url: one, notes } = await begun();
    const [verb = '', path = ''] = row.split(' ');
    const end = path.split(':discussion_id')[1]?.replace(':note_id', String(notes[0].id)) ?? '';
    const ask = async (address: string, by: BuiltUser | null = user): Promise<number> => {
      const client = by ? app.current.as(by) : app.current.api;
      if (verb === 'GET') return (await client.get(address)).status;
      if (verb === 'DELETE') return (await client.delete(address)).status;
      return (await (verb === 'PUT' ? client.put : client.post)(address, { body: 'x' })).status;
    };
    expect(await ask(one + end, null)).toBe(401);
    expect(await ask(one.replace(sha, project.tip) + end)).toBe(404);
    expect(await ask(`${discussions()}/${'0'.repeat(40)}${end}`)).toBe(404);
    expect(await ask(one + end, other)).toBe(verb === 'PUT' || verb === 'DELETE' ? 403 : status);
    expect(await ask(one + end, maintainer)).toBe(status);
    expect(await ask(one + end)).toBe(verb === 'DELETE' ? 404 : status);
  });
});

describe('a discussion of a commit', () => {
  it('is changed and deleted note by note, in the comments too', async () => {
    const { url: one, notes } = await begun(at({ new_path: 'a.txt', new_line: 5 }));
    const { body: answer } = await app.current.as(user).post(`${one}/notes`, { body: 'yes' }).expect(201);
    expect(answer).toMatchObject({ type: 'DiffNote', position: { new_line: 5 } });
    await app.current.as(user).put(`${one}/notes/${answer.id}`, { body: 'no' }).expect(200);
    await app.current.as(user).delete(`${one}/notes/${notes[0].id}`).expect(204);
    const { body: left } = await app.current.as(user).get(one).expect(200);
    expect(left.notes).toMatchObject([{ body: 'no' }]);
    expect((await app.current.api.get(url())).body).toMatchObject([{ note: 'no', line: 5 }]);
    await app.current.as(user).delete(`${one}/notes/${answer.id}`).expect(204);
    await app.current.as(user).get(one).expect(404);
    expect((await app.current.api.get(url())).body).toEqual([]);
  });

  it('goes with its project', async () => {
    await begun();
    await app.current.database.query('DELETE FROM projects WHERE id = $1', [project.id]);
    const { rows } = await app.current.database.query('SELECT 1 FROM notes WHERE author_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });
});
