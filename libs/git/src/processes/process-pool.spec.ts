import { setTimeout as pause } from 'node:timers/promises';
import { GitFixture } from '../../../testing/src/git/git-fixture';
import { isSoonGone, processesWith } from '../../../testing/src/git/process-list';
import { GitProcessError } from '../git';
import { OBJECT_SESSIONS, type ObjectSession, type RawObject } from '../reading/object-session';
import { ProcessPool } from './process-pool';
import { SpawnBroker } from './spawn-broker';

describe('the process pool', () => {
  const fixtures: GitFixture[] = [];
  const tips: string[] = [];
  let broker: SpawnBroker;
  let pool: ProcessPool;

  beforeAll(async () => {
    for (let index = 0; index < 4; index += 1) {
      const fixture = await GitFixture.create();
      tips.push(
        await fixture.commit({ files: { 'file.txt': `content ${index}\n`, 'big.txt': 'x'.repeat(200_000) } }),
      );
      fixtures.push(fixture);
    }
  });
  beforeEach(() => (broker = new SpawnBroker()));
  afterEach(async () => {
    pool.close();
    await broker.close();
  });
  afterAll(async () => {
    for (const fixture of fixtures) await fixture.remove();
  });

  const path = (index: number): string => fixtures[index]?.path ?? '';
  const read = (index: number, name = 'main:file.txt'): Promise<RawObject | null> =>
    pool.use(OBJECT_SESSIONS, path(index), (session) => session.contents(name));
  const text = async (index: number): Promise<string | undefined> => (await read(index))?.content.toString();
  const pids = async (index: number): Promise<number[]> =>
    (await processesWith(`--git-dir=${path(index)} cat-file`)).map(({ pid }) => pid);

  it('keeps one process for many questions and answers each its own', async () => {
    pool = new ProcessPool(broker);
    for (let round = 0; round < 5; round += 1) expect(await text(0)).toBe('content 0\n');
    expect(await pids(0)).toHaveLength(1);
    const names = Array.from(
      { length: 50 },
      (_, index) => ['main:file.txt', 'main:none', 'main:big.txt'][index % 3],
    );
    const sizes = await Promise.all(names.map(async (name) => (await read(0, name))?.content.length));
    expect(sizes).toEqual(
      names.map((name) => ({ 'main:file.txt': 10, 'main:big.txt': 200_000 })[name ?? '']),
    );
  });

  it('replaces a process that was killed, also in the midst of answers', async () => {
    pool = new ProcessPool(broker);
    for (let round = 0; round < 3; round += 1) {
      await read(0);
      const answers = Array.from({ length: 40 }, () => read(0, 'main:big.txt'));
      for (const pid of await pids(0)) process.kill(pid, 'SIGKILL');
      for (const answer of await Promise.all(answers)) expect(answer?.content.length).toBe(200_000);
    }
    expect(await text(0)).toBe('content 0\n');
  });

  it('asks again only once, and never for work that must not be repeated', async () => {
    pool = new ProcessPool(broker);
    let runs = 0;
    const suicide = async (session: ObjectSession): Promise<unknown> => {
      runs += 1;
      return session.info('main@{upstream}');
    };
    await expect(pool.use(OBJECT_SESSIONS, path(0), suicide)).rejects.toThrow(GitProcessError);
    expect(runs).toBe(2);
    await expect(pool.useOnce(OBJECT_SESSIONS, path(0), suicide)).rejects.toThrow(GitProcessError);
    expect(runs).toBe(3);
    expect(await text(0)).toBe('content 0\n');
  });

  it('fails for a repository that is not there', async () => {
    pool = new ProcessPool(broker);
    const nowhere = pool.use(OBJECT_SESSIONS, `${path(0)}-none`, (session) => session.info('HEAD'));
    await expect(nowhere).rejects.toThrow(GitProcessError);
    expect(pool.size).toBe(0);
  });

  it('keeps a bounded number of processes: the least recently used repository goes', async () => {
    pool = new ProcessPool(broker, { mostProcesses: 2 });
    for (const index of [0, 1, 0, 2]) await read(index);
    expect(pool.size).toBe(2);
    expect(await isSoonGone(`--git-dir=${path(1)} cat-file`)).toBe(true);
    expect(await pids(0)).toHaveLength(1);
    expect(await text(1)).toBe('content 1\n');
  });

  it('lets idle and old processes go', async () => {
    pool = new ProcessPool(broker, { idleMs: 100 });
    await read(0);
    expect(await isSoonGone(`--git-dir=${path(0)} cat-file`)).toBe(true);
    expect(await text(0)).toBe('content 0\n');
    pool.close();
    pool = new ProcessPool(broker, { idleMs: 400, longestLifeMs: 1 });
    await read(1);
    const [before] = await pids(1);
    await pause(300);
    await read(1);
    expect(await pids(1)).not.toContain(before);
  });

  it('forgets a repository', async () => {
    pool = new ProcessPool(broker);
    await Promise.all([read(0), read(1)]);
    pool.forget(path(0));
    expect(await isSoonGone(`--git-dir=${path(0)} cat-file`)).toBe(true);
    expect(await pids(1)).toHaveLength(1);
  });

  it('starts a second process for a crowd and answers all', async () => {
    pool = new ProcessPool(broker);
    const answers = await Promise.all(Array.from({ length: 500 }, () => text(0)));
    expect(new Set(answers)).toEqual(new Set(['content 0\n']));
    expect((await pids(0)).length).toBe(2);
  });

  it('works on after the broker was killed', async () => {
    pool = new ProcessPool(broker);
    await read(0);
    process.kill((await broker.childPid()) ?? 0, 'SIGKILL');
    expect(await text(0)).toBe('content 0\n');
  });

  it('answers nobody once it is closed', async () => {
    pool = new ProcessPool(broker);
    await read(0);
    pool.close();
    expect(await isSoonGone(`--git-dir=${path(0)} cat-file`)).toBe(true);
    await expect(read(0)).rejects.toThrow(GitProcessError);
  });
});
