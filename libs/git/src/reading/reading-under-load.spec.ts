import type { Readable } from 'node:stream';
import { GitFixture } from '../../../testing/src/git/git-fixture';
import { isSoonGone } from '../../../testing/src/git/process-list';
import { GitCancelledError, type GitRepository } from '../git';
import { GitEngine } from '../git-engine';

const MIB = 1024 * 1024;

describe('reading under load', () => {
  let fixture: GitFixture;
  let engine: GitEngine;
  let repository: GitRepository;
  let tip: string;
  let huge: string;

  beforeAll(async () => {
    fixture = await GitFixture.create();
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index}\n`);
    for (let index = 0; index < 30; index += 1) {
      lines[index * 3] = `changed by ${index}\n`;
      tip = await fixture.commit({
        files: { 'long.txt': lines.join(''), [`file-${index}.txt`]: `${index}\n` },
      });
    }
    huge = (await fixture.gitBytes(['hash-object', '-w', '--stdin'], Buffer.alloc(40 * MIB, 'y')))
      .toString()
      .trim();
  });
  beforeEach(() => {
    engine = new GitEngine();
    repository = engine.open({ path: fixture.path });
  });
  afterEach(() => engine.close());
  afterAll(() => fixture.remove());

  it('50 readers at once agree with one alone', async () => {
    const ask = async (): Promise<unknown> => ({
      head: await repository.resolve('main'),
      log: (await repository.log({ from: tip, path: 'long.txt', skip: 0, limit: 50 })).map(({ sha }) => sha),
      file: (await repository.blob((await repository.file(tip, 'long.txt'))?.sha ?? '')).length,
      diff: await repository.diff(tip),
      stats: await repository.stats(tip),
      blame: (await repository.blame(tip, 'long.txt')).length,
      last: await repository.lastCommit(tip, 'file-3.txt'),
      tree: await repository.tree(tip, '', { recursive: true }),
    });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    const other = new GitEngine();
    repository = other.open({ path: fixture.path });
    const alone = await ask();
    await other.close();
    for (const answer of answers) expect(answer).toEqual(alone);
  });

  it('a large blob streamed slowly does not hold up other reads', async () => {
    const stream = await repository.blobStream(huge);
    const [first] = await once(stream);
    expect(Buffer.byteLength(String(first))).toBeGreaterThan(0);
    stream.pause();
    expect(await repository.resolve('main')).toBe(tip);
    expect((await repository.diff(tip)).length).toBeGreaterThan(0);
    stream.destroy();
    expect(await isSoonGone(`--git-dir=${fixture.path} cat-file blob`)).toBe(true);
  });

  it('an aborted opening stops what it started and refuses more', async () => {
    const controller = new AbortController();
    const opened = engine.open({ path: fixture.path }, { signal: controller.signal });
    const stream = await opened.blobStream(huge);
    const failed = new Promise((resolve) => stream.once('error', resolve));
    stream.once('data', () => controller.abort());
    expect(await failed).toBeInstanceOf(GitCancelledError);
    expect(await isSoonGone(`--git-dir=${fixture.path} cat-file blob`)).toBe(true);
    await expect(opened.resolve('main')).rejects.toThrow(GitCancelledError);
    await expect(opened.blame(tip, 'long.txt')).rejects.toThrow(GitCancelledError);
    expect(await repository.resolve('main')).toBe(tip);
  });

  it('one who gives up does not spoil the answer that others share', async () => {
    const controller = new AbortController();
    const impatient = engine.open({ path: fixture.path }, { signal: controller.signal });
    const given = impatient.blame(tip, 'long.txt');
    const kept = repository.blame(tip, 'long.txt');
    setImmediate(() => controller.abort());
    await Promise.allSettled([given]);
    expect((await kept).length).toBeGreaterThan(10);
  });

  it('a diff above the limits tells the files and leaves their texts out', async () => {
    const wide = 'x'.repeat(99);
    const text = (lines: number): string => `${wide}\n`.repeat(lines);
    const files = Object.fromEntries(Array.from({ length: 22 }, (_, index) => [`big-${index}`, text(9_000)]));
    const sha = await fixture.commit({
      branch: 'big',
      files: { ...files, 'a-long': text(12_000), 'a-short': 'x\n' },
    });
    const diff = await repository.diff(sha);
    const byPath = new Map(diff.map((file) => [file.newPath, file]));
    expect(diff).toHaveLength(24);
    expect([byPath.get('a-long')?.isTooLarge, byPath.get('a-long')?.text]).toEqual([true, '']);
    expect(byPath.get('a-short')?.text).toBe('@@ -0,0 +1 @@\n+x\n');
    expect([byPath.get('big-0')?.isTooLarge, byPath.get('big-9')?.isTooLarge]).toEqual([false, true]);
    expect(await repository.stats(sha)).toEqual({ additions: 22 * 9_000 + 12_001, deletions: 0 });
  });

  it('a file of one line without end does not reach the text of a diff', async () => {
    const sha = await fixture.commit({ branch: 'wide', files: { wide: 'x'.repeat(5 * MIB), z: 'z\n' } });
    const [wide, z] = await repository.diff(sha);
    expect([wide?.isTooLarge, wide?.text, z?.text]).toEqual([true, '', '@@ -0,0 +1 @@\n+z\n']);
  });

  it('what git says of its own end of answers cannot be forged by content', async () => {
    const content = `diff --git a/x b/x\n@@ -1 +1 @@\nend-0123\n${'0'.repeat(40)} ${'0'.repeat(40)}\n\n:100644\n`;
    const sha = await fixture.commit({
      branch: 'forged',
      files: { 'b.txt': content, 'a\ndiff --git a/y b/y\n@@ -1 +1 @@\n': 'odd\n', 'c.txt': 'c\n' },
    });
    const diff = await repository.diff(sha);
    expect(diff.map(({ newPath }) => newPath)).toEqual([
      'a\ndiff --git a/y b/y\n@@ -1 +1 @@\n',
      'b.txt',
      'c.txt',
    ]);
    expect(diff[1]?.text.split('\n').filter((line) => line.startsWith('+'))).toHaveLength(6);
    expect(diff[2]?.text).toBe('@@ -0,0 +1 @@\n+c\n');
  });

  it('forgets a repository that is removed', async () => {
    const doomed = await GitFixture.create();
    const sha = await doomed.commit({ files: { a: 'a' } });
    const opened = engine.open({ path: doomed.path });
    expect(await opened.commit(sha)).not.toBeNull();
    await engine.remove({ path: doomed.path });
    await expect(opened.commit(sha)).rejects.toThrow();
    expect(await isSoonGone(`--git-dir=${doomed.path} cat-file`)).toBe(true);
    await doomed.remove();
  });
});

function once(stream: Readable): Promise<unknown[]> {
  return new Promise((resolve) => stream.once('data', (...chunks) => resolve(chunks)));
}
