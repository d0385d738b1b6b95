import { createHash } from 'node:crypto';
import { GitFixture } from '#libs/testing';
import { Cast, READ_ROW } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject } from '../../support/builders';

const app = useApplication();

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const BINARY = Buffer.from([0, 1, 2, 0xff, 0xfe, 13, 10, 0]);
const LATIN1 = Buffer.from('caf\xe9\n', 'latin1');
const SUBMODULE = 'c'.repeat(40);

const FILES: Readonly<Record<string, string | Buffer>> = {
  'README.md': 'hello\n',
  'src/a b.md': 'blank\n',
  'src/deep/er/lib.c': 'int x;\n',
  'docs/üñí 日本.txt': 'unicode\n',
  'docs/pack.json': '{}\n',
  'docs/notes.txt': 'n\n',
  '.hidden': 'h\n',
  'dots...name': 'd\n',
  'crlf.txt': 'a\r\nb\r\n',
  empty: '',
  'binary.bin': BINARY,
  'latin1.txt': LATIN1,
  'odd "name\\\' *;.txt': 'odd\n',
};

let project: BuiltProject;
let git: GitFixture;
let tip: string;
beforeAll(async () => {
  project = await app.current.build.project({ visibility: 'public', files: FILES });
  git = GitFixture.on(project.repositoryPath);
  tip = await git.commit({
    branch: 'master',
    files: {
      link: { link: 'src/a b.md' },
      outside: { link: '/etc/passwd' },
      module: { submodule: SUBMODULE },
    },
    rawFiles: [[Buffer.from('raw-\xff.txt', 'latin1'), 'raw\n']],
  });
  await git.commit({ branch: 'feature/x', parents: [tip], files: { 'README.md': 'hello\nagain\n' } });
  await git.tag('v1.0', project.tip, 'the first');
});

const url = (path: string, ref?: string, end = ''): string =>
  `/projects/${project.id}/repository/files/${encodeURIComponent(path)}${end}${ref === undefined ? '' : `?ref=${encodeURIComponent(ref)}`}`;

describe('GET /projects/:id/repository/files/:file_path', () => {
  it('has an ETag, that of the HEAD too, until the ref means another commit', async () => {
    const { api } = app.current;
    const start = await git.commit({ branch: 'tagged', files: { 'README.md': 'hello\n' } });
    const path = url('README.md', 'tagged');
    const tag = (await api.get(path)).headers['etag'] ?? '';
    expect(tag).toMatch(/^W\//);
    expect((await api.head(path)).headers['etag']).toBe(tag);
    expect((await api.get(path).set('If-None-Match', tag)).status).toBe(304);
    await git.commit({ branch: 'tagged', parents: [start], files: { 'other.md': 'the file is the same\n' } });
    const later = await api.get(path).set('If-None-Match', tag);
    expect([later.status, later.body.last_commit_id]).toEqual([200, start]);
  });

  it('answers the record of the file, its fields in the order of the specification', async () => {
    const { api } = app.current;
    const answer = await api.get(`/projects/${project.id}/repository/files/src%2Fa%20b.md?ref=master`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(Object.entries(answer.body)).toEqual([
      ['file_name', 'a b.md'],
      ['file_path', 'src/a b.md'],
      ['size', 6],
      ['encoding', 'base64'],
      ['content', Buffer.from('blank\n').toString('base64')],
      ['content_sha256', sha256('blank\n')],
      ['ref', 'master'],
      ['blob_id', await git.git('rev-parse', 'master:src/a b.md')],
      ['commit_id', tip],
      ['last_commit_id', project.tip],
    ]);
  });

  it('repeats the record in headers', async () => {
    const answer = await app.current.api.get(url('src/a b.md', 'master'));
    expect(answer.headers).toMatchObject(await headersOf('src/a b.md', 'master'));
  });

  it.each(Object.keys(FILES))('answers the bytes of %s as they are', async (path) => {
    const { body } = await app.current.api.get(url(path, 'master')).expect(200);
    const expected = Buffer.from(FILES[path] ?? '');
    expect(Buffer.from(body.content, 'base64')).toEqual(expected);
    expect(body).toMatchObject({ file_path: path, size: expected.length, content_sha256: sha256(expected) });
  });

  it('reads a path in any spelling of its encoding', async () => {
    for (const path of ['src%2Fa%20b%2Emd', 'src%2fa%20b.md', '%2Fsrc%2Fa%20b.md', '%2F%2Fsrc%2Fa%20b.md']) {
      const answer = await app.current.api.get(`/projects/${project.id}/repository/files/${path}?ref=master`);
      expect(answer.body).toMatchObject({ file_path: 'src/a b.md' });
    }
  });

  it('reads at a branch, a tag, a full and an abbreviated hash, and HEAD', async () => {
    const contentAt = async (ref: string) => {
      const { body } = await app.current.api.get(url('README.md', ref)).expect(200);
      return { ref: body.ref, commit: body.commit_id, text: Buffer.from(body.content, 'base64').toString() };
    };
    const first = { commit: project.tip, text: 'hello\n' };
    const branch = await git.git('rev-parse', 'feature/x');
    expect(await contentAt('feature/x')).toEqual({
      ref: 'feature/x',
      commit: branch,
      text: 'hello\nagain\n',
    });
    for (const ref of ['v1.0', project.tip, project.tip.slice(0, 8), project.tip.toUpperCase()]) {
      expect(await contentAt(ref)).toEqual({ ref, ...first });
    }
    expect(await contentAt('HEAD')).toEqual({ ref: 'HEAD', commit: tip, text: 'hello\n' });
  });

  it('names the newest commit that touched the path, not the newest of all', async () => {
    const { body } = await app.current.api.get(url('README.md', 'feature/x'));
    expect(body.last_commit_id).toBe(await git.git('rev-parse', 'feature/x'));
    const other = await app.current.api.get(url('.hidden', 'feature/x'));
    expect(other.body.last_commit_id).toBe(project.tip);
  });

  it('answers a symbolic link as its text, and never what it points to', async () => {
    const link = await app.current.api.get(url('link', 'master')).expect(200);
    expect(Buffer.from(link.body.content, 'base64').toString()).toBe('src/a b.md');
    const outside = await app.current.api.get(url('outside', 'master', '/raw')).expect(200);
    expect(outside.text).toBe('/etc/passwd');
    await app.current.api.get(url('outside/x', 'master')).expect(404);
  });

  it.each([
    ['a missing file', 'nope.txt'],
    ['a directory', 'src'],
    ['a directory with a slash', 'src/'],
    ['a submodule', 'module'],
    ['what is below a file', 'README.md/x'],
    ['a path that leads upwards', '../README.md'],
    ['a path with a dot', './README.md'],
    ['a doubled slash', 'src//a b.md'],
    ['a pattern', 'src/*'],
    ['pathspec magic', ':(glob)**'],
    ['another case of letters', 'readme.md'],
    ['a line break', 'README.md\nx'],
    ['a blank', ' '],
    ['a name that is no UTF-8, by the text shown for it', 'raw-\ufffd.txt'],
  ])('does not find %s', async (_what, path) => {
    for (const end of ['', '/raw', '/blame']) {
      const answer = await app.current.api.get(url(path, 'master', end));
      expect([answer.status, answer.body]).toEqual([404, { message: '404 File Not Found' }]);
      expect((await app.current.api.head(url(path, 'master', end))).status).toBe(404);
    }
  });

  it.each([
    'nope',
    'refs/heads/nope',
    'master~1',
    'master^',
    'master:README.md',
    'master..feature/x',
    'master@{upstream}',
    '@{1.day.ago}',
    '@',
    ':/first',
    'HEAD^{/x}',
    '--all',
    '-n1',
    '--output=/tmp/x',
    'a b',
    'master\nmaster',
    'c'.repeat(40),
    'x'.repeat(5000),
    'FETCH_HEAD',
  ])('has no commit for the ref %j', async (ref) => {
    for (const end of ['', '/raw', '/blame']) {
      const answer = await app.current.api.get(url('README.md', ref, end));
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Commit Not Found' }]);
    }
  });

  it('wants a ref, which is text and not empty', async () => {
    const refusal = async (query: string) => {
      const { status, body } = await app.current.api.get(`${url('README.md')}${query}`);
      return [status, body];
    };
    expect(await refusal('')).toEqual([400, { message: '400 (Bad request) "ref" not given' }]);
    expect(await refusal('?ref=')).toEqual([400, { error: 'ref is empty' }]);
    expect(await refusal('?ref=%20')).toEqual([400, { error: 'ref is empty' }]);
    expect(await refusal('?ref[]=master')).toEqual([400, { error: 'ref is invalid' }]);
    expect(await refusal('?ref[x]=master')).toEqual([400, { error: 'ref is invalid' }]);
    expect((await refusal('?ref=%00'))[0]).toBe(400);
    expect((await refusal('?ref=%FF'))[0]).toBe(400);
  });

  it('refuses a path that is no UTF-8', async () => {
    const answer = await app.current.api.get(
      `/projects/${project.id}/repository/files/raw-%FF.txt?ref=master`,
    );
    expect(answer.status).toBe(400);
  });

  it('is found by the full path of the project too, in any case', async () => {
    for (const id of [project.fullPath, project.fullPath.toUpperCase()]) {
      const answer = await app.current.api.get(
        `/projects/${encodeURIComponent(id)}/repository/files/README.md?ref=master`,
      );
      expect(answer.status).toBe(200);
    }
  });

  it('knows no route for a path whose slashes are not encoded', async () => {
    const answer = await app.current.api.get(
      `/projects/${project.id}/repository/files/src/deep/er?ref=master`,
    );
    expect([answer.status, answer.body]).toEqual([404, { error: '404 Not Found' }]);
  });

  it('answers 304 to whoever has the same record', async () => {
    const { headers } = await app.current.api.get(url('README.md', 'master'));
    expect(headers['etag']).toMatch(/^W\//);
    const again = await app.current.api
      .with({ 'if-none-match': headers['etag'] ?? '' })
      .get(url('README.md', 'master'));
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await app.current.api
      .with({ 'if-none-match': headers['etag'] ?? '' })
      .get(url('README.md', 'feature/x'));
    expect(other.status).toBe(200);
  });

  it('finds nothing in an empty repository', async () => {
    const empty = await app.current.build.project({ visibility: 'public' });
    const answer = await app.current.api.get(`/projects/${empty.id}/repository/files/README.md?ref=master`);
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Commit Not Found' }]);
  });
});

/** The metadata headers of a file, from what git says of it. */
async function headersOf(path: string, ref: string): Promise<Record<string, string>> {
  return {
    'x-service-blob-id': await git.git('rev-parse', `${ref}:${path}`),
    'x-service-commit-id': await git.git('rev-parse', ref),
    'x-service-content-sha256': sha256(await git.gitBytes(['cat-file', 'blob', `${ref}:${path}`])),
    'x-service-encoding': 'base64',
    'x-service-file-name': path.slice(path.lastIndexOf('/') + 1),
    'x-service-file-path': path,
    'x-service-last-commit-id': await git.git('log', '-n1', '--format=%H', ref, '--', path),
    'x-service-ref': ref,
    'x-service-size': await git.git('cat-file', '-s', `${ref}:${path}`),
  };
}

describe.each([
  ['HEAD /projects/:id/repository/files/:file_path', ''],
  ['HEAD /projects/:id/repository/files/:file_path/blame', '/blame'],
  ['HEAD /projects/:id/repository/files/:file_path/raw', '/raw'],
])('%s', (_row, end) => {
  it('answers the metadata as headers and no body', async () => {
    const answer = await app.current.api.head(url('src/deep/er/lib.c', 'feature/x', end));
    expect(answer.status).toBe(200);
    expect(answer.text ?? '').toBe('');
    expect(answer.headers).toMatchObject(await headersOf('src/deep/er/lib.c', 'feature/x'));
    // A length that is told must be that of the GET.
    expect([undefined, '7']).toContain(answer.headers['content-length']);
  });

  it('writes names that a header cannot hold as a URL would', async () => {
    const { headers } = await app.current.api.head(url('docs/üñí 日本.txt', 'master', end));
    expect(headers['x-service-file-path']).toBe('docs/%C3%BC%C3%B1%C3%AD %E6%97%A5%E6%9C%AC.txt');
  });

  it('has the statuses of the GET', async () => {
    const { api } = app.current;
    expect((await api.head(url('README.md', undefined, end))).status).toBe(400);
    expect((await api.head(url('README.md', 'nope', end))).status).toBe(404);
    expect((await api.head(url('src', 'master', end))).status).toBe(404);
  });
});

describe('GET /projects/:id/repository/files/:file_path/raw', () => {
  it('sends the bytes exactly, as what no browser would run', async () => {
    for (const [path, bytes] of Object.entries(FILES)) {
      const answer = await app.current.api
        .get(url(path, 'master', '/raw'))
        .responseType('blob')
        .expect(200);
      expect(answer.body).toEqual(Buffer.from(bytes));
      expect(answer.headers).toMatchObject({
        'content-length': String(Buffer.byteLength(bytes)),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
    }
  });

  it('is plain text, or octets where the content is binary', async () => {
    const typeOf = async (path: string) =>
      (await app.current.api.get(url(path, 'master', '/raw'))).headers['content-type'];
    expect(await typeOf('docs/pack.json')).toBe('text/plain; charset=utf-8');
    expect(await typeOf('empty')).toBe('text/plain; charset=utf-8');
    expect(await typeOf('binary.bin')).toBe('application/octet-stream');
  });

  it('names the file in a disposition that nothing in the name can break out of', async () => {
    const disposition = async (path: string) =>
      (await app.current.api.get(url(path, 'master', '/raw'))).headers['content-disposition'];
    expect(await disposition('src/a b.md')).toBe(`inline; filename="a b.md"; filename*=UTF-8''a%20b.md`);
    expect(await disposition('odd "name\\\' *;.txt')).toBe(
      `inline; filename="odd _name_' *;.txt"; filename*=UTF-8''odd%20%22name%5C%27%20%2A%3B.txt`,
    );
  });

  it('is kept by no cache and still answers 304 to whoever has the bytes', async () => {
    const { headers } = await app.current.api.get(url('README.md', 'master', '/raw'));
    expect(headers['cache-control']).toContain('no-store');
    const again = await app.current.api
      .with({ 'if-none-match': headers['etag'] ?? '' })
      .get(url('README.md', 'master', '/raw'));
    expect(again.status).toBe(304);
  });

  it('carries the metadata', async () => {
    const { headers } = await app.current.api.get(url('README.md', 'master', '/raw'));
    expect(headers).toMatchObject(await headersOf('README.md', 'master'));
  });
});

describe('GET /projects/:id/repository/files/:file_path/blame', () => {
  it('answers who wrote which lines, consecutive lines of one commit in one range', async () => {
    const second = await git.git('rev-parse', 'feature/x');
    const answer = await app.current.api.get(url('README.md', 'feature/x', '/blame')).expect(200);
    expect(answer.body).toEqual([
      {
        commit: {
          id: project.tip,
          message: 'First commit\n',
          parent_ids: [],
          authored_date: '2023-11-14T22:13:20.000+00:00',
          author_name: 'Fixture',
          author_email: 'fixture@example.com',
          committed_date: '2023-11-14T22:13:20.000+00:00',
          committer_name: 'Fixture',
          committer_email: 'fixture@example.com',
        },
        lines: ['hello'],
      },
      expect.objectContaining({
        commit: expect.objectContaining({ id: second, parent_ids: [tip] }),
        lines: ['again'],
      }),
    ]);
    expect(answer.headers).toMatchObject(await headersOf('README.md', 'feature/x'));
  });

  it('has one commit own several ranges', async () => {
    const first = await git.commit({ branch: 'blame', parents: [tip], files: { b: '1\n2\n3\n' } });
    const second = await git.commit({ branch: 'blame', files: { b: '1\nx\n3' } });
    const { body } = await app.current.api.get(url('b', 'blame', '/blame'));
    expect(
      body.map((range: { commit: { id: string }; lines: string[] }) => [range.commit.id, range.lines]),
    ).toEqual([
      [first, ['1']],
      [second, ['x', '3']],
    ]);
  });

  it('is empty for an empty file', async () => {
    const { body } = await app.current.api.get(url('empty', 'master', '/blame')).expect(200);
    expect(body).toEqual([]);
  });

  it.each(['binary.bin', 'latin1.txt', 'link', 'crlf.txt', 'docs/üñí 日本.txt', 'odd "name\\\' *;.txt'])(
    'answers for %s',
    async (path) => {
      const { body } = await app.current.api.get(url(path, 'master', '/blame')).expect(200);
      expect(body.length).toBeGreaterThan(0);
    },
  );

  it('takes the suffix .json', async () => {
    const { status } = await app.current.api.get(url('README.md', 'master', '/blame.json'));
    expect(status).toBe(200);
  });
});

describe('who may read files', () => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await Cast.of(app.current, { 'README.md': 'x' });
  });

  it.each(['', '/raw', '/blame'])('by GET and HEAD …/README.md%s', async (end) => {
    const path = (id: number): string => `/projects/${id}/repository/files/README.md${end}?ref=master`;
    expect(await cast.row((api, { id }) => api.get(path(id)))).toEqual(READ_ROW);
    expect(await cast.row((api, { id }) => api.head(path(id)))).toEqual(READ_ROW);
  });

  it('checks the parameters before the rights, as the reference does', async () => {
    const answer = await app.current.api.get(
      `/projects/${cast.projects.private.id}/repository/files/README.md`,
    );
    expect(answer.status).toBe(400);
  });

  it('hides a private project as if it were not there', async () => {
    const hidden = await app.current.api.get(
      `/projects/${cast.projects.private.id}/repository/files/README.md?ref=master`,
    );
    const missing = await app.current.api.get('/projects/999999/repository/files/README.md?ref=master');
    expect([hidden.status, hidden.body]).toEqual([missing.status, missing.body]);
    expect(hidden.body).toEqual({ message: '404 Project Not Found' });
  });

  it('suffices to have a token of scope read_repository or read_api', async () => {
    const path = `/projects/${cast.projects.private.id}/repository/files/README.md?ref=master`;
    const withScope = async (scope: 'read_repository' | 'read_api' | 'read_user' | 'sudo') => {
      const token = await app.current.build.token(cast.users.developer, [scope]);
      return (await app.current.as({ token }).get(path)).status;
    };
    expect(await withScope('read_repository')).toBe(200);
    expect(await withScope('read_api')).toBe(200);
    expect(await withScope('read_user')).toBe(403);
  });

  it('is refused with a wrong token even where everybody may read', async () => {
    const path = `/projects/${cast.projects.public.id}/repository/files/README.md?ref=master`;
    expect((await app.current.as({ token: 'wrong' }).get(path)).status).toBe(401);
  });

  it('ends where the project has its repository switched off', async () => {
    const off = await app.current.build.project({
      visibility: 'public',
      files: { a: 'x' },
      columns: { repository_access: 'disabled' },
      owner: cast.users.owner,
    });
    const answer = await app.current
      .as(cast.users.owner)
      .get(`/projects/${off.id}/repository/files/a?ref=master`);
    expect(answer.status).toBe(403);
  });
});
