import type { GitFixture } from '../../../testing/src/git/git-fixture';
import { randomHistory, type RandomHistory } from '../../../testing/src/git/random-history';
import type { FileDiff, GitRepository } from '../git';
import { GitEngine } from '../git-engine';

/** Whatever the engine answers must be what the git command line answers, over whole random repositories. */
describe.each([1, 2])('a random repository (seed %i)', (seed) => {
  let history: RandomHistory;
  let fixture: GitFixture;
  let engine: GitEngine;
  let repository: GitRepository;

  beforeAll(async () => {
    history = await randomHistory(seed, 45);
    fixture = history.fixture;
    engine = new GitEngine();
    repository = engine.open({ path: fixture.path });
  });
  afterAll(async () => {
    await engine.close();
    await fixture.remove();
  });

  const lines = async (...args: string[]): Promise<string[]> =>
    (await fixture.git('--literal-pathspecs', ...args)).split('\n').filter(Boolean);
  const shas = async (query: Parameters<GitRepository['log']>[0]): Promise<string[]> =>
    (await repository.log(query)).map(({ sha }) => sha);

  it('has the same history, page by page', async () => {
    for (const from of history.commits) {
      const all = await lines('rev-list', from);
      expect(await shas({ from, skip: 0, limit: 90 })).toEqual(all);
      expect(await shas({ from, skip: 3, limit: 5 })).toEqual(all.slice(3, 8));
      expect(await shas({ from, skip: 90, limit: 20 })).toEqual(all.slice(90, 110));
      expect(await repository.countCommits({ from }, 1_000)).toBe(all.length);
      expect(await repository.countCommits({ from }, 4)).toBe(Math.min(4, all.length));
    }
    expect(await shas({ from: 'all', skip: 0, limit: 500 })).toEqual(
      await lines('rev-list', '--branches', '--tags'),
    );
  });

  it('has the same history of each path, author and time', async () => {
    const from = history.commits.at(-1) ?? '';
    for (const path of [...history.paths, 'src', 'docs', 'moved']) {
      expect(await shas({ from, path, skip: 0, limit: 500 })).toEqual(
        await lines('rev-list', from, '--', path),
      );
      const [last = null] = await lines('log', '-1', '--format=%H', from, '--', path);
      expect(await repository.lastCommit(from, path)).toBe(last);
    }
    const since = new Date(1_500_000_400_000);
    const until = new Date(1_500_000_900_000);
    expect(await shas({ from, since, until, skip: 0, limit: 500 })).toEqual(
      await lines(
        'rev-list',
        `--max-age=${since.getTime() / 1000}`,
        `--min-age=${until.getTime() / 1000}`,
        from,
      ),
    );
    expect(await shas({ from, author: 'bob (BUILD', skip: 0, limit: 500 })).toEqual(
      await lines('rev-list', '-F', '-i', '--author=bob (build', from),
    );
    const not = history.commits[10] ?? '';
    expect(await shas({ from, not, skip: 0, limit: 500 })).toEqual(await lines('rev-list', from, `^${not}`));
  });

  it('has the same statistics against the first parent', async () => {
    const stats = await repository.statsOf(history.commits);
    for (const sha of history.commits) {
      const [parent = null] = (await fixture.git('log', '-1', '--format=%P', sha)).split(' ').filter(Boolean);
      const numstat = await lines('diff-tree', '-r', '-M', '--numstat', parent ?? '--root', sha);
      const counts = numstat.map((line) => line.split('\t').map((count) => Number(count.replace('-', '0'))));
      const sum = (column: number): number =>
        counts.reduce((total, count) => total + (count[column] || 0), 0);
      expect(stats.get(sha)).toEqual({ additions: sum(0), deletions: sum(1) });
    }
  });

  it('has the same differences', async () => {
    for (const [index, sha] of history.commits.entries()) {
      const [parent] = (await fixture.git('log', '-1', '--format=%P', sha)).split(' ').filter(Boolean);
      expect(await repository.diff(sha)).toEqual(await oracleDiff(fixture, parent ?? null, sha));
      const other = history.commits[(index * 7) % history.commits.length] ?? sha;
      expect(await repository.diffBetween(other, sha)).toEqual(await oracleDiff(fixture, other, sha));
    }
  });

  it('has the same files and directories', async () => {
    for (const commit of history.commits.filter((_, index) => index % 4 === 0)) {
      for (const recursive of [false, true]) {
        const listing = await fixture.gitBytes(['ls-tree', '-z', ...(recursive ? ['-r', '-t'] : []), commit]);
        const entries = listing.toString().split('\0').filter(Boolean);
        const found = (await repository.tree(commit, '', { recursive })) ?? [];
        expect(found.map(({ mode, type, sha, path }) => `${mode} ${type} ${sha}\t${path}`).sort()).toEqual(
          entries.sort(),
        );
        for (const entry of found.slice(0, 20))
          await expectSameFile(commit, entry.path, entry.type === 'blob');
      }
    }
  });

  async function expectSameFile(commit: string, path: string, isFile: boolean): Promise<void> {
    const file = await repository.file(commit, path);
    if (!isFile) return expect(file).toBeNull();
    const bytes = await fixture.gitBytes(['cat-file', 'blob', `${commit}:${path}`]);
    expect(file?.size).toBe(bytes.length);
    expect((await repository.blob(file?.sha ?? '')).equals(bytes)).toBe(true);
  }

  it('blames the same', async () => {
    const commit = history.commits.at(-1) ?? '';
    for (const { path } of (await repository.tree(commit, '', { recursive: true }))?.filter(isBlob) ?? []) {
      const oracle = (await lines('blame', '-l', '-s', '--root', commit, '--', path)).map((line) =>
        line.slice(0, 40),
      );
      const ranges = await repository.blame(commit, path);
      expect(ranges.flatMap((range) => range.lines.map(() => range.commit.sha))).toEqual(oracle);
      ranges.slice(1).forEach((range, index) => expect(range.commit.sha).not.toBe(ranges[index]?.commit.sha));
    }
  });

  it('has the same branches, tags and what contains what', async () => {
    const listed = (...folder: string[]): Promise<string[]> =>
      lines('for-each-ref', '--format=%(refname:strip=2)', ...folder);
    expect((await repository.branches()).map(({ name }) => name)).toEqual(await listed('refs/heads'));
    expect((await repository.tags()).map(({ name }) => name)).toEqual(await listed('refs/tags'));
    for (const tag of await repository.tags()) {
      expect(tag.sha).toBe(await fixture.git('rev-parse', `refs/tags/${tag.name}^{commit}`));
      expect(tag.target).toBe(await fixture.git('rev-parse', `refs/tags/${tag.name}`));
      expect(await repository.resolve(tag.name)).toBe(tag.sha);
    }
    for (const sha of history.commits.filter((_, index) => index % 5 === 0)) {
      const names = (await repository.refsContaining(sha, 'all')).map(({ name }) => name);
      const contains = `--contains=${sha}`;
      expect(names).toEqual([
        ...(await listed(contains, 'refs/heads')),
        ...(await listed(contains, 'refs/tags')),
      ]);
    }
  });

  it('has the same merge bases', async () => {
    for (const [index, sha] of history.commits.entries()) {
      const other = history.commits[(index * 5 + 1) % history.commits.length] ?? sha;
      const base = await fixture.git('merge-base', sha, other).catch(() => null);
      expect(await repository.mergeBase([sha, other])).toBe(base);
      expect(await repository.isAncestor(sha, other)).toBe(base === sha);
    }
  });
});

const isBlob = ({ type }: { type: string }): boolean => type === 'blob';

/** The same from one `git diff-tree` each for the list and the patches, taken apart in another way. */
async function oracleDiff(fixture: GitFixture, from: string | null, to: string): Promise<FileDiff[]> {
  const base = from ?? '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
  const fields = (await fixture.gitBytes(['diff-tree', '-r', '-M', '-z', '--raw', base, to]))
    .toString()
    .split('\0');
  const expected: FileDiff[] = [];
  const patch = (await fixture.gitBytes(['diff-tree', '-r', '-M', '-p', base, to])).toString();
  const texts = patch
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map(textOf);
  const add = (diff: Pick<FileDiff, 'oldPath' | 'newPath' | 'oldMode' | 'newMode'>, status: string): void => {
    const text = texts[expected.length] ?? 'none';
    const isBinary = text.startsWith('Binary files ');
    const [isNew, isDeleted, isRenamed] = ['A', 'D', 'R'].map((letter) => status === letter);
    expected.push({
      ...diff,
      text,
      isBinary,
      isNew: isNew === true,
      isDeleted: isDeleted === true,
      isRenamed: isRenamed === true,
      isTooLarge: false,
    });
  };
  for (let at = 0; at < fields.length - 1; at += 2) {
    const [oldMode = '', newMode = '', , , status = ''] = (fields[at] ?? '').slice(1).split(' ');
    const oldPath = fields[at + 1] ?? '';
    if (status.startsWith('R')) at += 1;
    const newPath = fields[at + 1] ?? '';
    const modes = { oldMode: oldMode.replace('000000', '0'), newMode: newMode.replace('000000', '0') };
    if (status === 'T') {
      add({ oldPath, newPath, ...modes, newMode: '0' }, 'D');
      add({ oldPath, newPath, ...modes, oldMode: '0' }, 'A');
    } else add({ oldPath, newPath, ...modes }, status.charAt(0));
  }
  return expected;
}

function textOf(section: string): string {
  return /^(?:@@|Binary files )[^]*/m.exec(section)?.[0] ?? '';
}
