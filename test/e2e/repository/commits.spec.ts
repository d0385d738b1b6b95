import { GitFixture } from '#libs/testing';
import { Cast, READ_ROW } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject } from '../../support/builders';

const app = useApplication();
const SUBMODULE = 'c'.repeat(40);

let project: BuiltProject;
let git: GitFixture;
const shas: string[] = [];
let branchTip: string;
let merge: string;

/** master: 0 — 1 — … — 5 — merge; branch `topic/a` leaves at 2; times are minutes of 1 January 2020. */
const at = (minute: number): number => Date.UTC(2020, 0, 1, 0, minute) / 1000;

beforeAll(async () => {
  project = await app.current.build.project({ visibility: 'public' });
  git = GitFixture.on(project.repositoryPath);
  const commit = async (index: number, files: Parameters<GitFixture['commit']>[0]) => {
    shas[index] = await git.commit({ branch: 'master', time: at(index), message: `Change ${index}\n\nBody ${index}\n`, ...files });
  };
  await commit(0, { parents: [], files: { 'README.md': 'one\n', 'src/a.c': 'a\n', 'src/b.c': 'b\n', 'bin.dat': Buffer.from([0, 1]) } });
  await commit(1, { files: { 'src/a.c': 'a\nb\n' } });
  await commit(2, { files: { 'README.md': 'two\n' }, author: 'Bob Other', email: 'bob@example.com' });
  await commit(3, { files: { 'src/moved.c': { renamedFrom: 'src/b.c' }, 'bin.dat': Buffer.from([0, 2]) } });
  await commit(4, { files: { tool: { content: 'x\n', mode: '100755' }, module: { submodule: SUBMODULE }, link: { link: 'src' } } });
  await commit(5, { files: { tool: { content: 'x\n', mode: '100644' }, 'ünï cödé.txt': 'x\n', 'README.md': null } });
  branchTip = await git.commit({ branch: 'topic/a', parents: [shas[2] ?? ''], time: at(10), files: { side: 's\n' }, message: 'Side' });
  merge = await git.merge([branchTip], { branch: 'master', time: at(20), files: { side: 's\n' }, message: "Merge 'topic/a'" });
  await git.tag('v1', shas[1] ?? '', 'first release');
  await git.tag('light', shas[2] ?? '');
  await app.current.database.query(`UPDATE projects SET default_branch = 'master' WHERE id = $1`, [project.id]);
});

const list = (query = '') => app.current.api.get(`/projects/${project.id}/repository/commits${query}`);
const titles = async (query = ''): Promise<string[]> =>
  (await list(query).expect(200)).body.map((commit: { title: string }) => commit.title);
const one = (sha: string, end = '') =>
  app.current.api.get(`/projects/${project.id}/repository/commits/${encodeURIComponent(sha)}${end}`);

const NEWEST_FIRST = ["Merge 'topic/a'", 'Side', 'Change 5', 'Change 4', 'Change 3', 'Change 2', 'Change 1', 'Change 0'];

describe('GET /projects/:id/repository/commits', () => {
  it('answers the default branch, newest first, each commit with the fields of the specification', async () => {
    const answer = await list('?per_page=2').expect(200);
    expect(Object.entries(answer.body[1])).toEqual([
      ['id', branchTip],
      ['short_id', branchTip.slice(0, 8)],
      ['title', 'Side'],
      ['author_name', 'Ann Author'],
      ['author_email', 'ann@example.com'],
      ['authored_date', '2020-01-01T02:10:00.000+02:00'],
      ['committer_name', 'Carl'],
      ['committer_email', 'carl@example.com'],
      ['committed_date', '2020-01-01T00:10:00.000+00:00'],
      ['created_at', '2020-01-01T00:10:00.000+00:00'],
      ['message', 'Side'],
      ['parent_ids', [shas[2]]],
    ]);
    expect(answer.body[0].parent_ids).toEqual([shas[5], branchTip]);
    expect(await titles()).toEqual(NEWEST_FIRST);
  });

  it('starts at the branch, tag or hash of ref_name; at the default branch where that is empty', async () => {
    expect(await titles('?ref_name=topic/a')).toEqual(['Side', 'Change 2', 'Change 1', 'Change 0']);
    expect(await titles('?ref_name=v1')).toEqual(['Change 1', 'Change 0']);
    expect(await titles(`?ref_name=${shas[1]}`)).toEqual(['Change 1', 'Change 0']);
    expect(await titles(`?ref_name=${shas[1]?.slice(0, 7)}`)).toEqual(['Change 1', 'Change 0']);
    expect(await titles('?ref_name=')).toEqual(NEWEST_FIRST);
  });

  it('has since and until include their own moment', async () => {
    expect(await titles('?since=2020-01-01T00:04:00Z&until=2020-01-01T00:10:00Z')).toEqual(['Side', 'Change 5', 'Change 4']);
    expect(await titles('?since=2020-01-01T00:04:01Z&until=2020-01-01T00:09:59Z')).toEqual(['Change 5']);
    expect(await titles('?since=2020-01-01T02:20:00%2B02:00')).toEqual(["Merge 'topic/a'"]);
    expect(await titles('?until=2019-12-31')).toEqual([]);
    expect(await titles('?since=9999-12-31T23:59:59Z')).toEqual([]);
    expect(await titles('?until=1960-01-01T00:00:00Z')).toEqual([]);
  });

  it('keeps to the commits of a path, which is a name and no pattern', async () => {
    expect(await titles('?path=README.md')).toEqual(['Change 5', 'Change 2', 'Change 0']);
    for (const directory of ['src', 'src/', '/src', '//src//']) {
      expect(await titles(`?path=${directory}`)).toEqual(['Change 3', 'Change 1', 'Change 0']);
    }
    expect(await titles(`?path=${encodeURIComponent('ünï cödé.txt')}`)).toEqual(['Change 5']);
    for (const path of ['*', 'src/*', ':/', ':(glob)**', ':(exclude)src', '../x', 'src/../README.md', 'nope', '-n1', '--all']) {
      expect(await titles(`?path=${encodeURIComponent(path)}`)).toEqual([]);
    }
    expect(await titles('?path=')).toEqual(NEWEST_FIRST);
    expect(await titles('?path=/')).toEqual(NEWEST_FIRST);
  });

  it('keeps to an author, whose name or address is text and no pattern', async () => {
    expect(await titles('?author=Bob')).toEqual(['Change 2']);
    expect(await titles('?author=bob@example.com')).toEqual(['Change 2']);
    expect(await titles('?author=B.b')).toEqual([]);
    expect(await titles('?author=(a%2B)%2B%24')).toEqual([]);
  });

  it('answers every commit of every branch with all, whatever ref_name says', async () => {
    const other = await git.commit({ branch: 'other', parents: [], time: at(30), message: 'Alone', files: { x: 'x' } });
    expect(await titles('?all=true&ref_name=v1')).toEqual(['Alone', ...NEWEST_FIRST]);
    expect(await titles('?all=1&path=x')).toEqual(['Alone']);
    await git.git('update-ref', '-d', 'refs/heads/other', other);
  });

  it('adds the stats where they are asked for', async () => {
    const { body } = await list('?with_stats=true&ref_name=v1').expect(200);
    expect(body.map((commit: { stats: object }) => commit.stats)).toEqual([
      { additions: 1, deletions: 0, total: 1 },
      { additions: 3, deletions: 0, total: 3 },
    ]);
    expect((await list('?ref_name=v1')).body[0]).not.toHaveProperty('stats');
  });

  it('comes in pages with totals and links', async () => {
    const { headers, body } = await list('?per_page=3&page=2&path=&ref_name=master').expect(200);
    expect(body.map(({ title }: { title: string }) => title)).toEqual(NEWEST_FIRST.slice(3, 6));
    expect(headers).toMatchObject({
      'x-total': '8',
      'x-total-pages': '3',
      'x-page': '2',
      'x-per-page': '3',
      'x-prev-page': '1',
      'x-next-page': '3',
    });
    const base = `http://service.test/api/v4/projects/${project.id}/repository/commits?path=&ref_name=master`;
    expect(headers['link']).toBe(
      [[1, 'prev'], [3, 'next'], [1, 'first'], [3, 'last']]
        .map(([page, rel]) => `<${base}&page=${page}&per_page=3>; rel="${rel}"`)
        .join(', '),
    );
  });

  it('counts what the filters leave', async () => {
    expect((await list('?path=README.md&per_page=1')).headers['x-total']).toBe('3');
    expect((await list('?since=2020-01-01T00:05:00Z&per_page=1')).headers['x-total']).toBe('3');
    expect((await list('?ref_name=v1')).headers['x-total']).toBe('2');
  });

  it('is empty far beyond its end', async () => {
    for (const page of ['50', '21474838', '42949675', '999999999']) {
      const { body, headers } = await list(`?per_page=100&page=${page}`).expect(200);
      expect(body).toEqual([]);
      expect(headers).toMatchObject({ 'x-next-page': '', 'x-prev-page': '' });
    }
  });

  it('has its headers by HEAD too', async () => {
    const { headers, text } = await app.current.api.head(`/projects/${project.id}/repository/commits?per_page=3`).expect(200);
    expect([headers['x-total'], text ?? '']).toEqual(['8', '']);
  });

  it('is empty for an empty repository, with and without a ref', async () => {
    const empty = await app.current.build.project({ visibility: 'public' });
    for (const query of ['', '?ref_name=master', '?all=true']) {
      const { body, headers } = await app.current.api.get(`/projects/${empty.id}/repository/commits${query}`).expect(200);
      expect([body, headers['x-total'], headers['x-total-pages']]).toEqual([[], '0', '1']);
    }
  });

  it.each(['nope', '--all', 'master~1', 'master..topic/a', '^master', 'master:src', '@{-1}', ':/Change', 'f'.repeat(40)])(
    'has no commit for the ref %s',
    async (ref) => {
      const { status, body } = await list(`?ref_name=${encodeURIComponent(ref)}`);
      expect([status, body]).toEqual([404, { message: '404 Commit Not Found' }]);
    },
  );

  it('refuses parameters that it cannot read', async () => {
    const refusal = async (query: string) => {
      const { status, body } = await list(query);
      return [status, body];
    };
    expect(await refusal('?since=yesterday')).toEqual([400, { error: 'since is invalid' }]);
    expect(await refusal('?until=2020-13-01T00:00:00Z')).toEqual([400, { error: 'until is invalid' }]);
    expect(await refusal('?all=maybe')).toEqual([400, { error: 'all is invalid' }]);
    expect(await refusal('?with_stats=x&path[]=1')).toEqual([400, { error: 'path is invalid, with_stats is invalid' }]);
    expect(await refusal('?ref_name[a]=b')).toEqual([400, { error: 'ref_name is invalid' }]);
    expect((await refusal('?page=x'))[0]).toBe(400);
  });
});

describe('GET /projects/:id/repository/commits/:sha', () => {
  it('answers the commit with its stats, its pipeline and its project', async () => {
    const { body } = await one(shas[1] ?? '').expect(200);
    expect(Object.keys(body)).toEqual([
      'id', 'short_id', 'title', 'author_name', 'author_email', 'authored_date', 'committer_name', 'committer_email',
      'committed_date', 'created_at', 'message', 'parent_ids', 'stats', 'status', 'project_id', 'last_pipeline',
    ]);
    expect(body).toMatchObject({
      id: shas[1],
      title: 'Change 1',
      message: 'Change 1\n\nBody 1\n',
      stats: { additions: 1, deletions: 0, total: 1 },
      status: null,
      last_pipeline: null,
      project_id: project.id,
    });
  });

  it('is found by branch, tag, abbreviated hash, HEAD and upper-case hash', async () => {
    const idOf = async (name: string) => (await one(name).expect(200)).body.id;
    expect(await idOf('topic/a')).toBe(branchTip);
    expect(await idOf('v1')).toBe(shas[1]);
    expect(await idOf('HEAD')).toBe(merge);
    expect(await idOf(shas[3]?.slice(0, 8) ?? '')).toBe(shas[3]);
    expect(await idOf(shas[3]?.toUpperCase() ?? '')).toBe(shas[3]);
    expect(await idOf('refs/heads/topic/a')).toBe(branchTip);
  });

  it('is found by a branch whose name has dots', async () => {
    await git.git('branch', 'v1.2.json', 'topic/a');
    expect((await one('v1.2.json').expect(200)).body.id).toBe(branchTip);
  });

  it('leaves the stats out where they are not wanted', async () => {
    expect((await one(merge, '?stats=false').expect(200)).body).not.toHaveProperty('stats');
    expect((await one(merge, '?stats=0').expect(200)).body).not.toHaveProperty('stats');
    expect((await one(merge).expect(200)).body.stats).toEqual({ additions: 1, deletions: 0, total: 1 });
  });

  it('counts a root commit against nothing', async () => {
    expect((await one(shas[0] ?? '')).body).toMatchObject({ parent_ids: [], stats: { additions: 3, deletions: 0, total: 3 } });
  });

  it('shows the title in full and odd messages as they are', async () => {
    const long = 'x'.repeat(300);
    const message = `${long} ünï\r\n\r\nBody with \u0001 and "quotes"`;
    const sha = await git.commit({ branch: 'odd', parents: [merge], message });
    expect((await one(sha)).body).toMatchObject({ title: `${long} ünï`, message });
    const nothing = await git.commit({ branch: 'odd', message: '' });
    expect((await one(nothing)).body).toMatchObject({ title: '', message: '' });
  });

  it('decodes what was written in another encoding', async () => {
    const tree = await git.git('rev-parse', `${merge}^{tree}`);
    const who = 'Jos\xe9 <j@example.com> 1577836800 -0730';
    const raw = `tree ${tree}\nauthor ${who}\ncommitter ${who}\nencoding ISO-8859-1\n\nCaf\xe9\n`;
    const sha = (await git.gitBytes(['hash-object', '-t', 'commit', '-w', '--stdin'], Buffer.from(raw, 'latin1'))).toString().trim();
    expect((await one(sha)).body).toMatchObject({
      title: 'Café',
      author_name: 'José',
      authored_date: '2019-12-31T16:30:00.000-07:30',
    });
  });

  it('does not find trees, blobs, and what is not there', async () => {
    const tree = await git.git('rev-parse', `${merge}^{tree}`);
    const blob = await git.git('rev-parse', `${merge}:tool`);
    for (const sha of [tree, blob, 'nope', 'f'.repeat(40), '123', 'v1^{}', 'master~0', '--help', '@', ':/Change', 'a\nb']) {
      const { status, body } = await one(sha);
      expect([status, body]).toEqual([404, { message: '404 Commit Not Found' }]);
    }
    const { status } = await app.current.api.get(`/projects/${project.id}/repository/commits/topic/a`);
    expect(status).toBe(404);
  });

  it('refuses a stats that is no boolean', async () => {
    const { status, body } = await one(merge, '?stats=x');
    expect([status, body]).toEqual([400, { error: 'stats is invalid' }]);
  });
});

describe('GET /projects/:id/repository/commits/:sha/refs', () => {
  it('answers the branches, then the tags, that contain the commit', async () => {
    const { body, headers } = await one(shas[2] ?? '', '/refs').expect(200);
    const branches = (await git.git('for-each-ref', '--contains', shas[2] ?? '', '--format=%(refname:lstrip=2)', 'refs/heads')).split('\n');
    expect(body).toEqual([...branches.map((name) => ({ type: 'branch', name })), { type: 'tag', name: 'light' }]);
    expect(headers['x-total']).toBe(String(body.length));
    expect((await one('v1', '/refs?type=tag')).body).toEqual([{ type: 'tag', name: 'light' }, { type: 'tag', name: 'v1' }]);
  });

  it('keeps to one type, and comes in pages', async () => {
    expect((await one(shas[1] ?? '', '/refs?type=tag&per_page=1&page=2').expect(200)).body).toEqual([{ type: 'tag', name: 'v1' }]);
    const { body } = await one(merge, '/refs?type=branch').expect(200);
    expect(new Set(body.map(({ type }: { type: string }) => type))).toEqual(new Set(['branch']));
  });

  it('refuses another type, and finds no unknown commit', async () => {
    expect((await one(merge, '/refs?type=x')).body).toEqual({ error: 'type does not have a valid value' });
    expect((await one('nope', '/refs')).status).toBe(404);
  });
});

describe('GET /projects/:id/repository/commits/:sha/diff', () => {
  const diffOf = async (sha: string | undefined) => (await one(sha ?? '', '/diff').expect(200)).body;

  it('answers a changed file from the first hunk on, its fields in order', async () => {
    expect((await diffOf(shas[1])).map(Object.entries)).toEqual([
      [
        ['diff', '@@ -1 +1,2 @@\n a\n+b\n'],
        ['new_path', 'src/a.c'],
        ['old_path', 'src/a.c'],
        ['a_mode', '100644'],
        ['b_mode', '100644'],
        ['new_file', false],
        ['renamed_file', false],
        ['deleted_file', false],
      ],
    ]);
  });

  it('answers a root commit as all new', async () => {
    expect(await diffOf(shas[0])).toEqual([
      expect.objectContaining({ new_path: 'README.md', a_mode: '0', b_mode: '100644', new_file: true, diff: '@@ -0,0 +1 @@\n+one\n' }),
      expect.objectContaining({ new_path: 'bin.dat', diff: 'Binary files /dev/null and b/bin.dat differ\n' }),
      expect.objectContaining({ new_path: 'src/a.c' }),
      expect.objectContaining({ new_path: 'src/b.c' }),
    ]);
  });

  it('shows renames and binary files', async () => {
    expect(await diffOf(shas[3])).toEqual([
      expect.objectContaining({ old_path: 'bin.dat', new_path: 'bin.dat', diff: 'Binary files a/bin.dat and b/bin.dat differ\n' }),
      expect.objectContaining({ old_path: 'src/b.c', new_path: 'src/moved.c', renamed_file: true, new_file: false, diff: '' }),
    ]);
  });

  it('shows submodules, links and modes', async () => {
    expect(await diffOf(shas[4])).toEqual([
      expect.objectContaining({ new_path: 'link', b_mode: '120000', diff: '@@ -0,0 +1 @@\n+src\n\\ No newline at end of file\n' }),
      expect.objectContaining({ new_path: 'module', b_mode: '160000', diff: `@@ -0,0 +1 @@\n+Subproject commit ${SUBMODULE}\n` }),
      expect.objectContaining({ new_path: 'tool', b_mode: '100755' }),
    ]);
  });

  it('shows deletions, a change of mode alone, and names in any script', async () => {
    expect(await diffOf(shas[5])).toEqual([
      expect.objectContaining({ old_path: 'README.md', new_path: 'README.md', b_mode: '0', deleted_file: true, diff: '@@ -1 +0,0 @@\n-two\n' }),
      expect.objectContaining({ new_path: 'tool', a_mode: '100755', b_mode: '100644', diff: '', renamed_file: false }),
      expect.objectContaining({ new_path: 'ünï cödé.txt', new_file: true }),
    ]);
  });

  it('compares a merge with its first parent', async () => {
    expect(await diffOf(merge)).toEqual([expect.objectContaining({ new_path: 'side', new_file: true })]);
  });

  it('answers content that is no UTF-8 and names that are none', async () => {
    const sha = await git.commit({
      branch: 'bytes',
      parents: [merge],
      files: { latin1: Buffer.from('caf\xe9\n', 'latin1') },
      rawFiles: [[Buffer.from('n\xe9', 'latin1'), 'x\n']],
    });
    expect(await diffOf(sha)).toEqual([
      expect.objectContaining({ new_path: 'latin1', diff: '@@ -0,0 +1 @@\n+caf\ufffd\n' }),
      expect.objectContaining({ new_path: 'n\ufffd' }),
    ]);
  });

  it('comes in pages', async () => {
    const { body, headers } = await one(shas[0] ?? '', '/diff?per_page=3&page=2').expect(200);
    expect([body.length, headers['x-total']]).toEqual([1, '4']);
  });

  it('is empty for a commit that changes nothing', async () => {
    const sha = await git.commit({ branch: 'same', parents: [merge] });
    expect(await diffOf(sha)).toEqual([]);
  });

  it('does not find an unknown commit', async () => {
    expect((await one('nope', '/diff')).body).toEqual({ message: '404 Commit Not Found' });
  });
});

describe('who may read commits', () => {
  it.each(['', '/master', '/master/refs', '/master/diff'])('by GET and HEAD …/commits%s', async (end) => {
    const cast = await Cast.of(app.current, { a: 'x' });
    const path = (id: number): string => `/projects/${id}/repository/commits${end}`;
    expect(await cast.row((api, { id }) => api.get(path(id)))).toEqual(READ_ROW);
    expect(await cast.row((api, { id }) => api.head(path(id)))).toEqual(READ_ROW);
  });

  it('checks the rights before the parameters, as the reference does', async () => {
    const hidden = await app.current.build.project({ files: { a: 'x' } });
    expect((await app.current.api.get(`/projects/${hidden.id}/repository/commits?since=x`)).status).toBe(404);
  });

  it('does not suffice to have a token of scope read_repository, which is for files', async () => {
    const user = await app.current.build.user();
    const token = await app.current.build.token(user, ['read_repository']);
    const { status, body } = await app.current.as({ token }).get(`/projects/${project.id}/repository/commits`);
    expect([status, body.error, body.scope]).toEqual([403, 'insufficient_scope', 'api read_api']);
  });
});
