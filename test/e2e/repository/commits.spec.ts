import type { GitFixture } from '#libs/testing';
import { Cast, READ_ROW } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject } from '../../support/builders';
import { sampleHistory } from '../../support/sample-history';

const app = useApplication();

let project: BuiltProject;
let git: GitFixture;
let shas: readonly string[];
let branchTip: string;
let merge: string;
beforeAll(async () => {
  ({ project, git, shas, side: branchTip, merge } = await sampleHistory(app.current));
});

const one = (sha: string, end = '') =>
  app.current.api.get(`/projects/${project.id}/repository/commits/${encodeURIComponent(sha)}${end}`);

describe('GET /projects/:id/repository/commits/:sha', () => {
  it('answers the commit with its stats, its pipeline and its project', async () => {
    const { body } = await one(shas[1] ?? '').expect(200);
    expect(Object.keys(body)).toEqual([
      'id',
      'short_id',
      'title',
      'author_name',
      'author_email',
      'authored_date',
      'committer_name',
      'committer_email',
      'committed_date',
      'created_at',
      'message',
      'parent_ids',
      'stats',
      'status',
      'project_id',
      'last_pipeline',
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
    expect((await one(shas[0] ?? '')).body).toMatchObject({
      parent_ids: [],
      stats: { additions: 3, deletions: 0, total: 3 },
    });
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
    const sha = (
      await git.gitBytes(['hash-object', '-t', 'commit', '-w', '--stdin'], Buffer.from(raw, 'latin1'))
    )
      .toString()
      .trim();
    expect((await one(sha)).body).toMatchObject({
      title: 'Café',
      author_name: 'José',
      authored_date: '2019-12-31T16:30:00.000-07:30',
    });
  });

  it('does not find trees, blobs, and what is not there', async () => {
    const tree = await git.git('rev-parse', `${merge}^{tree}`);
    const blob = await git.git('rev-parse', `${merge}:tool`);
    for (const sha of [
      tree,
      blob,
      'nope',
      'f'.repeat(40),
      '123',
      'v1^{}',
      'master~0',
      '--help',
      '@',
      ':/Change',
      'a\nb',
    ]) {
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
    const branches = (
      await git.git('for-each-ref', '--contains', shas[2] ?? '', '--format=%(refname:lstrip=2)', 'refs/heads')
    ).split('\n');
    expect(body).toEqual([
      ...branches.map((name) => ({ type: 'branch', name })),
      { type: 'tag', name: 'light' },
    ]);
    expect(headers['x-total']).toBe(String(body.length));
    expect((await one('v1', '/refs?type=tag')).body).toEqual([
      { type: 'tag', name: 'light' },
      { type: 'tag', name: 'v1' },
    ]);
  });

  it('keeps to one type, and comes in pages', async () => {
    expect((await one(shas[1] ?? '', '/refs?type=tag&per_page=1&page=2').expect(200)).body).toEqual([
      { type: 'tag', name: 'v1' },
    ]);
    const { body } = await one(merge, '/refs?type=branch').expect(200);
    expect(new Set(body.map(({ type }: { type: string }) => type))).toEqual(new Set(['branch']));
  });

  it('refuses another type, and finds no unknown commit', async () => {
    expect((await one(merge, '/refs?type=x')).body).toEqual({ error: 'type does not have a valid value' });
    expect((await one('nope', '/refs')).status).toBe(404);
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
    const { status, body } = await app.current
      .as({ token })
      .get(`/projects/${project.id}/repository/commits`);
    expect([status, body.error, body.scope]).toEqual([403, 'insufficient_scope', 'api read_api']);
  });
});
