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
    await app.current.database.query('UPDATE commit_comments SET author_id = NULL WHERE project_id = $1', [
      project.id,
    ]);
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
