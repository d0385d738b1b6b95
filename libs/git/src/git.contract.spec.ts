import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { GitFixture } from '../../testing/src/git/git-fixture';
import { hasBzip2 } from '../../testing/src/git/installed';
import { GitLimitError, type Git, type GitRepository } from './git';
import { GitEngine } from './git-engine';

const NOWHERE = 'e'.repeat(40);

/**
 * What every engine behind the interface must do: the reading part. (The writing and transporting parts have their
 * own contract beside their code.)
 */
describe('the git interface, reading', () => {
  let fixture: GitFixture;
  let git: Git;
  let repository: GitRepository;
  const commits: Record<'first' | 'second' | 'side' | 'merge' | 'last', string> = {
    first: '',
    second: '',
    side: '',
    merge: '',
    last: '',
  };

  beforeAll(async () => {
    fixture = await GitFixture.create();
    commits.first = await fixture.commit({
      files: {
        'README.md': 'one\ntwo\nthree\n',
        'src/a.ts': 'a\n',
        'src/deep/b.ts': 'b\n',
        'src-extra.txt': 'x',
        'run.sh': { content: '#!/bin/sh\n', mode: '100755' },
        'data.bin': Buffer.from([0, 1, 2, 3]),
        'empty.txt': '',
      },
      rawFiles: [[Buffer.from([0x66, 0xfc, 0x72]), 'latin name\n']],
      message: 'first\n\nwith a body\n',
    });
    commits.second = await fixture.commit({
      files: {
        'README.md': 'one\n2\nthree\n',
        'src/renamed.ts': { renamedFrom: 'src/a.ts' },
        'run.sh': { content: '#!/bin/sh\n', mode: '100644' },
        'data.bin': Buffer.from([0, 9]),
        'üml"aut.txt': 'ü\n',
      },
      author: 'Bob',
      email: 'bob@example.com',
      message: 'second',
    });
    commits.side = await fixture.commit({
      branch: 'side/branch',
      parents: [commits.first],
      files: { 'side.txt': 'side\n', vendor: { submodule: 'd'.repeat(40) }, link: { link: 'README.md' } },
    });
    commits.merge = await fixture.merge([commits.side], { files: { 'side.txt': 'side\n' } });
    commits.last = await fixture.commit({ files: { 'empty.txt': null, 'src/deep/b.ts': 'b\nno newline' } });
    await fixture.tag('light', commits.first);
    await fixture.tag('annotated', commits.second, 'Release one');
    await fixture.git('tag', '-a', '-m', 'tag of a tag', 'nested', 'annotated');
    await fixture.tag('side/branch', commits.second);
    await fixture.git('tag', 'of-a-blob', `${commits.first}:README.md`);
    git = new GitEngine();
    repository = git.open({ path: fixture.path });
  });
  afterAll(async () => {
    await git.close();
    await fixture.remove();
  });

  describe('names', () => {
    it('resolves branches, tags, full refs, HEAD, full and short shas', async () => {
      const { first, second, side, last } = commits;
      expect(await repository.resolve('main')).toBe(last);
      expect(await repository.resolve('HEAD')).toBe(last);
      expect(await repository.resolve('light')).toBe(first);
      expect(await repository.resolve('annotated')).toBe(second);
      expect(await repository.resolve('nested')).toBe(second);
      expect(await repository.resolve('refs/heads/side/branch')).toBe(side);
      expect(await repository.resolve(first)).toBe(first);
      expect(await repository.resolve(first.toUpperCase())).toBe(first);
      expect(await repository.resolve(first.slice(0, 9))).toBe(first);
    });

    it('prefers a tag to a branch, and a branch to a short sha', async () => {
      expect(await repository.resolve('side/branch')).toBe(commits.second);
      const short = commits.first.slice(0, 6);
      await fixture.git('update-ref', `refs/heads/${short}`, commits.last);
      expect(await repository.resolve(short)).toBe(commits.last);
      await fixture.git('update-ref', '-d', `refs/heads/${short}`);
      expect(await repository.resolve(short)).toBe(commits.first);
    });

    it('answers null for what is not there or no commit', async () => {
      const blob = await fixture.git('rev-parse', 'main:README.md');
      for (const name of ['none', NOWHERE, 'ffff', 'of-a-blob', blob, 'refs/heads/none', 'abc']) {
        expect(await repository.resolve(name)).toBeNull();
      }
    });

    it('gives a ref as it stands', async () => {
      expect(await repository.ref('refs/tags/annotated')).toBe(await fixture.git('rev-parse', 'annotated'));
      expect(await repository.ref('refs/heads/main')).toBe(commits.last);
      expect(await repository.ref('main')).toBeNull();
    });

    it('sees a ref that has just moved', async () => {
      await fixture.git('update-ref', 'refs/heads/moving', commits.first);
      expect(await repository.resolve('moving')).toBe(commits.first);
      await fixture.git('update-ref', 'refs/heads/moving', commits.second);
      expect(await repository.resolve('moving')).toBe(commits.second);
      await fixture.git('pack-refs', '--all');
      await fixture.git('update-ref', '-d', 'refs/heads/moving');
      expect(await repository.resolve('moving')).toBeNull();
    });

    it('lists branches and tags', async () => {
      expect(await repository.branches()).toEqual([
        { name: 'main', sha: commits.last },
        { name: 'side/branch', sha: commits.side },
      ]);
      const tags = await repository.tags();
      expect(tags.map(({ name, sha, message }) => [name, sha, message])).toEqual([
        ['annotated', commits.second, 'Release one\n'],
        ['light', commits.first, null],
        ['nested', commits.second, 'tag of a tag\n'],
        ['of-a-blob', null, null],
        ['side/branch', commits.second, null],
      ]);
      expect(await repository.tag('annotated')).toEqual(tags[0]);
      expect(await repository.tag('none')).toBeNull();
    });

    it('says which refs contain a commit, branches first', async () => {
      expect(await repository.refsContaining(commits.side, 'all')).toEqual([
        { type: 'branch', name: 'main' },
        { type: 'branch', name: 'side/branch' },
      ]);
      expect(await repository.refsContaining(commits.second, 'tag')).toEqual(
        ['annotated', 'nested', 'side/branch'].map((name) => ({ type: 'tag', name })),
      );
      expect(await repository.refsContaining(NOWHERE, 'all')).toEqual([]);
    });

    it('knows HEAD and emptiness', async () => {
      expect([await repository.headBranch(), await repository.isEmpty()]).toEqual(['main', false]);
      const empty = await GitFixture.create('trunk');
      const opened = git.open({ path: empty.path });
      expect([await opened.headBranch(), await opened.isEmpty()]).toEqual([null, true]);
      expect([await opened.branches(), await opened.tags(), await opened.resolve('HEAD')]).toEqual([
        [],
        [],
        null,
      ]);
      expect(await opened.log({ from: 'all', skip: 0, limit: 5 })).toEqual([]);
      await empty.commit({ branch: 'other' });
      expect([await opened.headBranch(), await opened.isEmpty()]).toEqual([null, false]);
      await empty.remove();
    });
  });

  describe('commits', () => {
    it('gives a commit, or null', async () => {
      expect(await repository.commit(commits.second)).toEqual({
        sha: commits.second,
        tree: await fixture.git('rev-parse', `${commits.second}^{tree}`),
        parents: [commits.first],
        author: { name: 'Bob', email: 'bob@example.com', time: 1_500_000_120, offset: '+0200' },
        committer: { name: 'Carl', email: 'carl@example.com', time: 1_500_000_120, offset: '+0000' },
        message: 'second',
        hasSignature: false,
      });
      expect(await repository.commit(NOWHERE)).toBeNull();
      expect(await repository.commit(await fixture.git('rev-parse', 'main^{tree}'))).toBeNull();
    });

    it('gives commits in the order asked, and fails when one is missing', async () => {
      const asked = [commits.last, commits.first, commits.last];
      expect((await repository.commits(asked)).map(({ sha }) => sha)).toEqual(asked);
      await expect(repository.commits([commits.last, NOWHERE])).rejects.toThrow();
    });

    it('counts up to a bound', async () => {
      expect(await repository.countCommits({ from: commits.last }, 100)).toBe(5);
      expect(await repository.countCommits({ from: commits.last }, 3)).toBe(3);
      expect(await repository.countCommits({ from: 'all', path: 'src' }, 100)).toBe(3);
    });

    it('gives the signature of a signed commit and what it signs', async () => {
      const plain = await fixture.gitBytes(['cat-file', 'commit', commits.last]);
      const [headers = '', message = ''] = plain.toString().split(/\n\n([^]*)/);
      const signature = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----';
      const signed = `${headers}\ngpgsig ${signature.replaceAll('\n', '\n ')}\n\n${message}`;
      const sha = await fixture.gitBytes(['hash-object', '-w', '-t', 'commit', '--stdin'], signed);
      expect(await repository.signature(sha.toString().trim())).toEqual({
        signature: `${signature}\n`,
        payload: plain,
      });
      expect(await repository.signature(commits.last)).toBeNull();
    });

    it('finds merge bases and ancestors', async () => {
      const { first, second, side, merge, last } = commits;
      expect(await repository.mergeBase([second, side])).toBe(first);
      expect(await repository.mergeBase([last, merge, side])).toBe(side);
      expect(await repository.mergeBase([last, second, side])).toBe(first);
      expect(await repository.isAncestor(side, last)).toBe(true);
      expect(await repository.isAncestor(last, side)).toBe(false);
      const root = await fixture.commit({ branch: 'unrelated', parents: [] });
      expect(await repository.mergeBase([root, last])).toBeNull();
      await fixture.git('update-ref', '-d', 'refs/heads/unrelated');
    });

    it('counts what contributors did, merges left out', async () => {
      const [ann, bob] = await repository.contributors(commits.last);
      expect(ann).toEqual({
        name: 'Ann Author',
        email: 'ann@example.com',
        commits: 3,
        additions: 12,
        deletions: 0,
      });
      expect(bob).toMatchObject({ name: 'Bob', commits: 1, additions: 2, deletions: 1 });
    });
  });

  describe('differences', () => {
    it('tells what a commit changed', async () => {
      const files = await repository.diff(commits.second);
      expect(
        files.map(({ oldPath, newPath, oldMode, newMode }) => [oldPath, newPath, oldMode, newMode]),
      ).toEqual([
        ['README.md', 'README.md', '100644', '100644'],
        ['data.bin', 'data.bin', '100644', '100644'],
        ['run.sh', 'run.sh', '100755', '100644'],
        ['src/a.ts', 'src/renamed.ts', '100644', '100644'],
        ['üml"aut.txt', 'üml"aut.txt', '0', '100644'],
      ]);
      const [readme, binary, mode, renamed, added] = files;
      expect(readme?.text).toBe('@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n');
      expect([binary?.isBinary, binary?.text]).toEqual([
        true,
        'Binary files a/data.bin and b/data.bin differ\n',
      ]);
      expect(mode?.text).toBe('');
      expect([renamed?.isRenamed, renamed?.text]).toEqual([true, '']);
      expect([added?.isNew, added?.text]).toEqual([true, '@@ -0,0 +1 @@\n+ü\n']);
    });

    it('compares a merge with its first parent and a root commit with nothing', async () => {
      expect((await repository.diff(commits.merge)).map(({ newPath }) => newPath)).toEqual(['side.txt']);
      expect((await repository.diff(commits.first)).every(({ isNew }) => isNew)).toBe(true);
      expect(await repository.stats(commits.merge)).toEqual({ additions: 1, deletions: 0 });
      expect(await repository.stats(commits.first)).toEqual({ additions: 8, deletions: 0 });
    });

    it('tells submodules, links, deletions and missing newlines', async () => {
      const [link, , vendor] = await repository.diff(commits.side);
      expect([link?.newMode, vendor?.newMode]).toEqual(['120000', '160000']);
      expect(vendor?.text).toContain(`+Subproject commit ${'d'.repeat(40)}`);
      const [deleted, changed] = await repository.diff(commits.last);
      expect([deleted?.isDeleted, deleted?.newMode, deleted?.text]).toEqual([true, '0', '']);
      expect(changed?.text).toBe('@@ -1 +1,2 @@\n b\n+no newline\n\\ No newline at end of file\n');
    });

    it('compares any two commits', async () => {
      const there = await repository.diffBetween(commits.side, commits.second);
      expect(there.filter(({ isDeleted }) => isDeleted).map(({ oldPath }) => oldPath)).toEqual([
        'link',
        'side.txt',
        'vendor',
      ]);
      expect(await repository.diffBetween(commits.last, commits.last)).toEqual([]);
    });

    it('gives statistics of many commits', async () => {
      const stats = await repository.statsOf([commits.second, commits.side, commits.second]);
      expect([...stats]).toEqual([
        [commits.second, { additions: 2, deletions: 1 }],
        [commits.side, { additions: 3, deletions: 0 }],
      ]);
    });

    it('fails for a commit that is not there', async () => {
      await expect(repository.diff(NOWHERE)).rejects.toThrow();
      await expect(repository.stats(NOWHERE)).rejects.toThrow();
    });
  });

  describe('files', () => {
    it('gives a file with mode and size', async () => {
      const file = await repository.file(commits.first, 'run.sh');
      expect(file).toEqual({
        sha: await fixture.git('rev-parse', `${commits.first}:run.sh`),
        mode: '100755',
        size: 10,
      });
      expect((await repository.blob(file?.sha ?? '')).toString()).toBe('#!/bin/sh\n');
    });

    it('has no file where a directory, a submodule or nothing is', async () => {
      for (const path of ['src', 'none', 'src/none', 'README.md/x', '']) {
        expect(await repository.file(commits.last, path)).toBeNull();
      }
      expect(await repository.file(commits.side, 'vendor')).toBeNull();
      expect(await repository.file(NOWHERE, 'README.md')).toBeNull();
    });

    it('gives a blob whole, as a stream, its size and checksum, whatever its size', async () => {
      for (const size of [0, 10, 300_000, 3_000_000]) {
        const bytes = Buffer.alloc(size, 'abcdefg');
        const sha = (await fixture.gitBytes(['hash-object', '-w', '--stdin'], bytes)).toString().trim();
        expect((await repository.blob(sha)).equals(bytes)).toBe(true);
        expect((await read(await repository.blobStream(sha))).equals(bytes)).toBe(true);
        expect(await repository.blobSize(sha)).toBe(size);
        expect(await repository.blobSha256(sha)).toBe(createHash('sha256').update(bytes).digest('hex'));
        if (size > 0) await expect(repository.blob(sha, size - 1)).rejects.toThrow(GitLimitError);
      }
      expect(await repository.blobSize(NOWHERE)).toBeNull();
      expect(await repository.blobSize(commits.first)).toBeNull();
      await expect(repository.blob(NOWHERE)).rejects.toThrow();
    });

    it('lists a directory: directories first, then files, then submodules', async () => {
      const root = await repository.tree(commits.side, '', { recursive: false });
      expect(root?.map(({ name, type, mode }) => [name, type, mode])).toEqual([
        ['src', 'tree', '040000'],
        ['README.md', 'blob', '100644'],
        ['data.bin', 'blob', '100644'],
        ['empty.txt', 'blob', '100644'],
        ['f\ufffdr', 'blob', '100644'],
        ['link', 'blob', '120000'],
        ['run.sh', 'blob', '100755'],
        ['side.txt', 'blob', '100644'],
        ['src-extra.txt', 'blob', '100644'],
        ['vendor', 'commit', '160000'],
      ]);
      const below = await repository.tree(commits.last, 'src', { recursive: true });
      expect(below?.map(({ path, name }) => [path, name])).toEqual([
        ['src/deep', 'deep'],
        ['src/deep/b.ts', 'b.ts'],
        ['src/renamed.ts', 'renamed.ts'],
      ]);
    });

    it('has no directory where a file or nothing is', async () => {
      for (const path of ['README.md', 'none', '../..', 'src/']) {
        expect(await repository.tree(commits.last, path, { recursive: false })).toBeNull();
      }
      expect(await repository.tree(NOWHERE, '', { recursive: false })).toBeNull();
    });

    it('knows who changed a path last', async () => {
      expect(await repository.lastCommit(commits.last, 'README.md')).toBe(commits.second);
      expect(await repository.lastCommit(commits.last, 'src')).toBe(commits.last);
      expect(await repository.lastCommit(commits.last, '')).toBe(commits.last);
      expect(await repository.lastCommit(commits.last, 'none')).toBeNull();
    });

    it('blames in ranges', async () => {
      const ranges = await repository.blame(commits.last, 'README.md');
      expect(ranges.map(({ commit, lines }) => [commit.sha, lines])).toEqual([
        [commits.first, ['one']],
        [commits.second, ['2']],
        [commits.first, ['three']],
      ]);
      expect(await repository.blame(commits.first, 'empty.txt')).toEqual([]);
      expect(await repository.blame(commits.last, 'none')).toEqual([]);
    });

    it('archives as tar.bz2 where bzip2 is installed, and says so where it is not', async () => {
      const archive = repository.archive(commits.last, { format: 'tar.bz2', prefix: '' });
      if (hasBzip2()) expect((await read(await archive)).toString('latin1', 0, 3)).toBe('BZh');
      else await expect(archive).rejects.toMatchObject({ detail: { kind: 'unavailable' } });
    });

    it.each(['tar', 'tar.gz', 'zip'] as const)('archives as %s', async (format) => {
      const whole = await read(await repository.archive(commits.last, { format, prefix: 'p-1/' }));
      const part = await read(
        await repository.archive(commits.last, { format, prefix: '', path: 'src/deep' }),
      );
      const magic = { tar: 'p-1/', 'tar.gz': '\x1f\x8b', zip: 'PK' }[format];
      const start = whole.toString('latin1', 0, 2_048);
      expect(format === 'tar' ? start.includes(magic) : start.startsWith(magic)).toBe(true);
      expect(part.length).toBeLessThan(whole.length);
    });

    it('refuses to archive a path that is not there', async () => {
      await expect(
        repository.archive(commits.last, { format: 'tar', prefix: '', path: 'none' }),
      ).rejects.toThrow();
    });

    it('measures the disk', async () => {
      const before = await repository.size();
      const noise = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * index * 31) % 251));
      await fixture.gitBytes(['hash-object', '-w', '--stdin'], noise);
      expect(await repository.size()).toBeGreaterThan(before);
    });
  });
});

async function read(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
