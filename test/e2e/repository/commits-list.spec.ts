import type { GitFixture } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject } from '../../support/builders';
import { at, NEWEST_FIRST, sampleHistory } from '../../support/sample-history';

const app = useApplication();

let project: BuiltProject;
let git: GitFixture;
let shas: readonly string[];
let branchTip: string;
beforeAll(async () => {
  ({ project, git, shas, side: branchTip } = await sampleHistory(app.current));
});

const list = (query = '') => app.current.api.get(`/projects/${project.id}/repository/commits${query}`);
const titles = async (query = ''): Promise<string[]> =>
  (await list(query).expect(200)).body.map((commit: { title: string }) => commit.title);

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
    expect(await titles('?since=2020-01-01T00:04:00Z&until=2020-01-01T00:10:00Z')).toEqual([
      'Side',
      'Change 5',
      'Change 4',
    ]);
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
    for (const path of [
      '*',
      'src/*',
      ':/',
      ':(glob)**',
      ':(exclude)src',
      '../x',
      'src/../README.md',
      'nope',
      '-n1',
      '--all',
    ]) {
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
    const other = await git.commit({
      branch: 'other',
      parents: [],
      time: at(30),
      message: 'Alone',
      files: { x: 'x' },
    });
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
      [
        [1, 'prev'],
        [3, 'next'],
        [1, 'first'],
        [3, 'last'],
      ]
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
    const { headers, text } = await app.current.api
      .head(`/projects/${project.id}/repository/commits?per_page=3`)
      .expect(200);
    expect([headers['x-total'], text ?? '']).toEqual(['8', '']);
  });

  it('is empty for an empty repository, with and without a ref', async () => {
    const empty = await app.current.build.project({ visibility: 'public' });
    for (const query of ['', '?ref_name=master', '?all=true']) {
      const { body, headers } = await app.current.api
        .get(`/projects/${empty.id}/repository/commits${query}`)
        .expect(200);
      expect([body, headers['x-total'], headers['x-total-pages']]).toEqual([[], '0', '1']);
    }
  });

  it.each([
    'nope',
    '--all',
    'master~1',
    'master..topic/a',
    '^master',
    'master:src',
    '@{-1}',
    ':/Change',
    'f'.repeat(40),
  ])('has no commit for the ref %s', async (ref) => {
    const { status, body } = await list(`?ref_name=${encodeURIComponent(ref)}`);
    expect([status, body]).toEqual([404, { message: '404 Commit Not Found' }]);
  });

  it('refuses parameters that it cannot read', async () => {
    const refusal = async (query: string) => {
      const { status, body } = await list(query);
      return [status, body];
    };
    expect(await refusal('?since=yesterday')).toEqual([400, { error: 'since is invalid' }]);
    expect(await refusal('?until=2020-13-01T00:00:00Z')).toEqual([400, { error: 'until is invalid' }]);
    expect(await refusal('?all=maybe')).toEqual([400, { error: 'all is invalid' }]);
    expect(await refusal('?with_stats=x&path[]=1')).toEqual([
      400,
      { error: 'path is invalid, with_stats is invalid' },
    ]);
    expect(await refusal('?ref_name[a]=b')).toEqual([400, { error: 'ref_name is invalid' }]);
    expect((await refusal('?page=x'))[0]).toBe(400);
  });
});
