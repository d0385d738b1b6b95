import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitFixture } from '../../../testing/src/git/git-fixture';
import { processesWith } from '../../../testing/src/git/process-list';
import type { GitRepository } from '../git';
import { GitEngine } from '../git-engine';

/** The rules G1 to G6 and G8 of the design page on hostile input, as far as reading goes. */
describe('hostile input', () => {
  let fixture: GitFixture;
  let engine: GitEngine;
  let repository: GitRepository;
  let tip: string;

  beforeAll(async () => {
    fixture = await GitFixture.create();
    await fixture.commit({ files: { 'a.txt': 'one\n', 'dir/b.txt': 'b\n' }, message: 'first text' });
    tip = await fixture.commit({
      files: { 'a.txt': 'two\n', link: { link: 'a.txt' }, out: { link: '/etc/passwd' } },
    });
    engine = new GitEngine();
    repository = engine.open({ path: fixture.path });
  });
  afterAll(async () => {
    await engine.close();
    await fixture.remove();
  });

  const reader = async (): Promise<number[]> =>
    (await processesWith(`--git-dir=${fixture.path} cat-file`)).map(({ pid }) => pid);

  it.each([
    '../x',
    './x',
    'a/../../x',
    '/a.txt',
    'dir//b.txt',
    'dir/',
    '',
    '.',
    '..',
    'no\nmain:a.txt',
    'a.txt\0',
  ])('G1, G2: the path %j finds nothing and leaves the shared process alone', async (path) => {
    await repository.file(tip, 'a.txt');
    const before = await reader();
    expect(await repository.file(tip, path)).toBeNull();
    expect(await repository.blame(tip, path)).toEqual([]);
    expect(before.length).toBeGreaterThan(0);
    expect(await reader()).toEqual(before);
  });

  it.each([
    'main@{upstream}',
    '@{1.day.ago}',
    '@',
    'main..main',
    'main:a.txt',
    'main\nHEAD',
    'main\0',
    ':/text',
    'main^{/first}',
    'main~1',
    'main^',
    '^main',
    '--all',
    '-1',
    'refs/heads/main~1',
    'HEAD^',
    ' main',
    'main ',
    '',
  ])('G1, G2, G3: the revision %j means nothing', async (revision) => {
    const before = await reader();
    expect(await repository.resolve(revision)).toBeNull();
    expect(await repository.ref(revision)).toBeNull();
    expect(await reader()).toEqual(before);
    expect(await repository.resolve('main')).toBe(tip);
  });

  it('G4: no text of a user becomes an option', async () => {
    const outside = join(tmpdir(), `written-by-git-${process.pid}`);
    const option = `--output=${outside}`;
    expect(await repository.resolve(option)).toBeNull();
    expect(await repository.log({ from: tip, path: option, skip: 0, limit: 5 })).toEqual([]);
    expect(await repository.log({ from: tip, author: option, skip: 0, limit: 5 })).toEqual([]);
    expect(await repository.lastCommit(tip, option)).toBeNull();
    expect(await repository.blame(tip, option)).toEqual([]);
    await expect(repository.log({ from: option, skip: 0, limit: 5 })).rejects.toThrow(TypeError);
    await expect(repository.log({ from: tip, not: option, skip: 0, limit: 5 })).rejects.toThrow(TypeError);
    await expect(repository.diff(option)).rejects.toThrow(TypeError);
    await expect(repository.archive(tip, { format: 'tar', prefix: '', path: option })).rejects.toThrow();
    await expect(repository.mergeBase([tip, option])).rejects.toThrow(TypeError);
    expect(existsSync(outside)).toBe(false);
  });

  it.each(['*', ':/', ':(glob)**', ':(exclude)a.txt', 'a.*', ':!a.txt', 'dir/*'])(
    'G5: the path %j is a name and no pattern',
    async (path) => {
      expect(await repository.log({ from: tip, path, skip: 0, limit: 5 })).toEqual([]);
      expect(await repository.countCommits({ from: tip, path }, 10)).toBe(0);
      expect(await repository.lastCommit(tip, path)).toBeNull();
    },
  );

  it('G5: an author is a text and no pattern', async () => {
    expect(await repository.log({ from: tip, author: '.*', skip: 0, limit: 5 })).toEqual([]);
    expect(await repository.log({ from: tip, author: 'none\nAnn', skip: 0, limit: 5 })).toEqual([]);
    expect(await repository.log({ from: tip, author: 'aNN@example', skip: 0, limit: 5 })).toHaveLength(2);
  });

  it('G6: a branch in the shape of a sha or an option is not looked up as a branch', async () => {
    const shaLike = 'ab'.repeat(20);
    await fixture.git('update-ref', `refs/heads/${shaLike}`, tip);
    await fixture.git('update-ref', 'refs/heads/--output=x', tip);
    expect(await repository.resolve(shaLike)).toBeNull();
    expect(await repository.resolve('--output=x')).toBeNull();
    await fixture.git('update-ref', '-d', `refs/heads/${shaLike}`);
    await fixture.git('update-ref', '-d', 'refs/heads/--output=x');
  });

  it('G8: a link is its text, never its target', async () => {
    const link = await repository.file(tip, 'out');
    expect(link?.mode).toBe('120000');
    expect((await repository.blob(link?.sha ?? '')).toString()).toBe('/etc/passwd');
    expect(await repository.file(tip, 'link/x')).toBeNull();
  });

  it('a name with a rest is not taken for an object', async () => {
    expect(await repository.commit(`${tip}:a.txt`)).toBeNull();
    expect(await repository.commit('HEAD')).toBeNull();
    expect(await repository.blobSize('HEAD:a.txt')).toBeNull();
  });
});
