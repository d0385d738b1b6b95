import { GitFixture } from '../../../testing/src/git/git-fixture';
import type { GitRepository, NewPath } from '../git';
import { GitEngine } from '../git-engine';

describe('what a change brings', () => {
  let fixture: GitFixture;
  let engine: GitEngine;
  let repository: GitRepository;
  let known: string;
  beforeEach(async () => {
    fixture = await GitFixture.create();
    known = await fixture.commit({ files: { 'a.txt': 'a\n', 'moved/b.txt': 'b\n' } });
    engine = new GitEngine();
    repository = engine.open({ path: fixture.path });
  });
  afterEach(async () => {
    await engine.close();
    await fixture.remove();
  });

  /** Commits of a branch that is gone again, so that no ref reaches them. */
  async function unreached(...files: Parameters<GitFixture['commit']>[0][]): Promise<string[]> {
    await fixture.git('branch', 'aside', 'main');
    const made: string[] = [];
    for (const commit of files) made.push(await fixture.commit({ branch: 'aside', ...commit }));
    await fixture.git('branch', '-D', 'aside');
    return made;
  }

  async function pathsOf(commits: readonly string[]): Promise<NewPath[]> {
    const found: NewPath[] = [];
    for await (const path of repository.newPaths(commits)) found.push(path);
    return found;
  }

  it('is the commits that no ref reaches, newest first', async () => {
    const [first = '', second = ''] = await unreached({ files: { c: '1' } }, { files: { c: '2' } });
    expect(await repository.newCommits([second, first, known], 10)).toEqual([second, first]);
    expect(await repository.newCommits([second], 1)).toEqual([second]);
    expect(await repository.newCommits([known], 10)).toEqual([]);
    await fixture.git('tag', '-a', '-m', 'kept', 'kept', first);
    expect(await repository.newCommits([second], 10)).toEqual([second]);
  });

  it('takes tags and what is no commit for a tip', async () => {
    const [commit = ''] = await unreached({ files: { c: '1' } });
    await fixture.git('tag', '-a', '-m', 'v1', 'v1', commit);
    const tag = (await fixture.git('rev-parse', 'v1')).trim();
    await fixture.git('tag', '-d', 'v1');
    const blob = (await fixture.gitBytes(['hash-object', '-w', '--stdin'], 'loose')).toString().trim();
    expect(await repository.newCommits([tag, blob], 10)).toEqual([commit]);
    expect(await repository.newBlobAbove([tag, blob], 4)).toEqual({ path: '', size: 5 });
  });

  it('has new paths where files are added, moved or copied, of any spelling', async () => {
    const name = 'ö "new"\nline\t';
    const sha = 'f'.repeat(40);
    const [added = '', changed = '', moved = ''] = await unreached(
      { files: { [name]: 'x', [sha]: 'y', ':100644 000000 A': 'z' } },
      { files: { 'a.txt': 'changed', 'moved/b.txt': null } },
      { files: { 'to/c.txt': { renamedFrom: 'a.txt' } } },
    );
    const found = await pathsOf([moved, changed, added]);
    expect(found.map(({ commit, path }) => `${commit} ${path}`).sort()).toEqual(
      [`${added} ${name}`, `${added} ${sha}`, `${added} :100644 000000 A`, `${moved} to/c.txt`].sort(),
    );
    expect(await pathsOf([known])).toEqual([
      { commit: known, path: 'a.txt' },
      { commit: known, path: 'moved/b.txt' },
    ]);
    expect(await pathsOf([])).toEqual([]);
  });

  it('has of a merge what none of the parents has', async () => {
    const theirs = await fixture.commit({ branch: 'theirs', parents: [known], files: { theirs: '1' } });
    const ours = await fixture.commit({ files: { ours: '1' } });
    const merge = await fixture.commit({
      branch: 'merged',
      parents: [ours, theirs],
      files: { ours: '1', theirs: '1', evil: '1' },
    });
    expect(await pathsOf([merge])).toEqual([{ commit: merge, path: 'evil' }]);
  });

  it('has large blobs, whatever the path, and those alone that are new', async () => {
    await fixture.commit({ files: { large: 'x'.repeat(5000) } });
    const [first = '', second = ''] = await unreached(
      { files: { 'copy of large': 'x'.repeat(5000), 'dir/a file': 'y'.repeat(3000) } },
      { files: { 'dir/a file': null } },
    );
    expect(await repository.newBlobAbove([second], 2999)).toEqual({ path: 'dir/a file', size: 3000 });
    expect(await repository.newBlobAbove([second, first], 3000)).toBeNull();
  });

  it('is not read to its end by whoever stops early', async () => {
    const files = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`dir/file ${i}`, `${i}`]));
    const [commit = ''] = await unreached({ files });
    for await (const { path } of repository.newPaths([commit])) {
      expect(path).toBe('dir/file 0');
      break;
    }
    expect(await repository.newBlobAbove([commit], 0)).toMatchObject({ size: 1 });
  });

  it('is asked for by full shas alone', async () => {
    await expect(repository.newCommits(['--all'], 1)).rejects.toThrow(TypeError);
    await expect(pathsOf(['main'])).rejects.toThrow(TypeError);
    await expect(repository.newBlobAbove([`${known}\n--all`], 1)).rejects.toThrow(TypeError);
  });
});
