import type { GitFixture } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject } from '../../support/builders';
import { sampleHistory, SUBMODULE } from '../../support/sample-history';

const app = useApplication();

let project: BuiltProject;
let git: GitFixture;
let shas: readonly string[];
let merge: string;
beforeAll(async () => {
  ({ project, git, shas, merge } = await sampleHistory(app.current));
});

const one = (sha: string, end = '') =>
  app.current.api.get(`/projects/${project.id}/repository/commits/${encodeURIComponent(sha)}${end}`);

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
      expect.objectContaining({
        new_path: 'README.md',
        a_mode: '0',
        b_mode: '100644',
        new_file: true,
        diff: '@@ -0,0 +1 @@\n+one\n',
      }),
      expect.objectContaining({ new_path: 'bin.dat', diff: 'Binary files /dev/null and b/bin.dat differ\n' }),
      expect.objectContaining({ new_path: 'src/a.c' }),
      expect.objectContaining({ new_path: 'src/b.c' }),
    ]);
  });

  it('shows renames and binary files', async () => {
    expect(await diffOf(shas[3])).toEqual([
      expect.objectContaining({
        old_path: 'bin.dat',
        new_path: 'bin.dat',
        diff: 'Binary files a/bin.dat and b/bin.dat differ\n',
      }),
      expect.objectContaining({
        old_path: 'src/b.c',
        new_path: 'src/moved.c',
        renamed_file: true,
        new_file: false,
        diff: '',
      }),
    ]);
  });

  it('shows submodules, links and modes', async () => {
    expect(await diffOf(shas[4])).toEqual([
      expect.objectContaining({
        new_path: 'link',
        b_mode: '120000',
        diff: '@@ -0,0 +1 @@\n+src\n\\ No newline at end of file\n',
      }),
      expect.objectContaining({
        new_path: 'module',
        b_mode: '160000',
        diff: `@@ -0,0 +1 @@\n+Subproject commit ${SUBMODULE}\n`,
      }),
      expect.objectContaining({ new_path: 'tool', b_mode: '100755' }),
    ]);
  });

  it('shows deletions, a change of mode alone, and names in any script', async () => {
    expect(await diffOf(shas[5])).toEqual([
      expect.objectContaining({
        old_path: 'README.md',
        new_path: 'README.md',
        b_mode: '0',
        deleted_file: true,
        diff: '@@ -1 +0,0 @@\n-two\n',
      }),
      expect.objectContaining({
        new_path: 'tool',
        a_mode: '100755',
        b_mode: '100644',
        diff: '',
        renamed_file: false,
      }),
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
