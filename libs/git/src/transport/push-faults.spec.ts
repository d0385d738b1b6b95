import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { PushRefusal } from '../git';
import { hookDeskOf } from './hook-desk';
import { packetLine } from './protocol';
import { GitSite } from './smart-http.fixture';

/** Resolves as soon as the condition holds; the test's own time limit ends a vain wait. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(10);
}

describe('pushes that go wrong', () => {
  let site: GitSite;
  let work: string;

  beforeEach(async () => {
    site = await GitSite.start();
    work = await site.workTree();
    await site.must(['push', '--quiet', 'origin', 'main'], work);
    site.decided = 0;
    site.moved.length = 0;
  });

  afterEach(async () => {
    try {
      await site.quiet();
      await until(async () => (await site.processIds()).length === 0);
      expect((await site.objects()).quarantines).toEqual([]);
      await site.inside('fsck', '--full', '--strict');
    } finally {
      await site.close();
    }
  });

  const killClient = (client: { pid?: number | undefined }): void => {
    if (client.pid !== undefined) process.kill(-client.pid, 'SIGKILL');
  };
  const branches = (): Promise<string> => site.inside('for-each-ref', '--format=%(refname:short)');
  /** The request of a push that makes `branch` at a commit the site already has. */
  const creation = async (branch: string): Promise<Buffer> => {
    const command = `${'0'.repeat(40)} ${await site.inside('rev-parse', 'main')} refs/heads/${branch}`;
    const emptyPack = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex');
    return Buffer.concat([
      packetLine(`${command}\0report-status side-band-64k`),
      Buffer.from('0000'),
      emptyPack,
    ]);
  };

  it('forgets a push whose client is killed while the objects come', async () => {
    const before = await site.objects();
    await site.commit(work, { 'large.bin': randomBytes(60_000_000) });
    const client = site.spawnClient(['-c', 'http.postBuffer=65536', 'push', 'origin', 'main'], work);
    await until(async () => (await site.objects()).quarantines.length > 0);
    killClient(client);
    await site.quiet();
    expect(site.decided).toBe(0);
    expect(site.moved).toEqual([]);
    expect(await site.objects()).toEqual(before);
    expect(site.failures).toHaveLength(1);
  }, 60_000);

  it('lets go of the lock when the client is killed while the application decides', async () => {
    let decide: (refusal: PushRefusal | null) => void = () => undefined;
    site.decide = () => new Promise((resolve) => (decide = resolve));
    await site.commit(work, { a: 'a' });
    const client = site.spawnClient(['push', 'origin', 'main:topic'], work);
    await until(() => site.decided === 1);
    killClient(client);
    await until(async () => (await site.processIds()).length === 0);
    await site.quiet();
    expect(site.moved).toEqual([]);
    decide(null);
    await until(() => site.moved.length === 1);
    expect(site.moved).toEqual([[]]);
    expect(await branches()).toBe('main');
  });

  it('tells the truth about what moved, whenever the request is cancelled', async () => {
    for (let i = 0; i < 20; i += 1) {
      const controller = new AbortController();
      const body = new PassThrough();
      const decide = (): Promise<null> => {
        void delay(i).then(() => controller.abort());
        return Promise.resolve(null);
      };
      const handler = { decide, finished: jest.fn(() => Promise.resolve()) };
      const answer = await site.transport(controller.signal).receivePack(body, null, handler);
      body.end(await creation(`at-${i}`));
      await new Promise((resolve) => answer.resume().once('error', resolve).once('end', resolve));
      const moved = (await branches()).split('\n').includes(`at-${i}`);
      expect(handler.finished.mock.calls).toEqual([
        [moved ? [expect.objectContaining({ ref: `refs/heads/at-${i}` })] : []],
      ]);
    }
  });

  it('refuses when the application takes too long, and tells it the end once it has decided', async () => {
    let decide: (refusal: PushRefusal | null) => void = () => undefined;
    site.decide = () => new Promise((resolve) => (decide = resolve));
    site.limits = { decideMs: 200 };
    const { code, stderr } = await site.git(['push', 'origin', 'main:late'], work);
    expect(code).toBe(1);
    expect(stderr).toContain('could not be checked in time');
    expect(site.moved).toEqual([]);
    decide(null);
    await until(() => site.moved.length === 1);
    expect(site.moved).toEqual([[]]);
    expect(await branches()).toBe('main');
  });

  it('refuses when the application fails, and passes the failure on', async () => {
    const failure = new Error('database is gone');
    site.decide = () => Promise.reject(failure);
    const { code, stderr } = await site.git(['push', 'origin', 'main:topic'], work);
    expect(code).not.toBe(0);
    expect(stderr).not.toContain('database');
    expect(site.failures[0]).toBe(failure);
    expect(site.moved.flat()).toEqual([]);
    expect(site.moved).toHaveLength(site.decided);
    expect(await branches()).toBe('main');
  });

  it('passes on what the application fails with after the refs have moved', async () => {
    const failure = new Error('queue is full');
    const body = new PassThrough();
    const handler = { decide: () => Promise.resolve(null), finished: () => Promise.reject(failure) };
    const answer = await site.transport().receivePack(body, null, handler);
    body.end(await creation('topic'));
    await expect(once(answer.resume(), 'end')).rejects.toBe(failure);
    expect(await branches()).toBe('main\ntopic');
  });

  it('tells the application when nobody knows what has moved', async () => {
    const failure = new Error('no process could be started');
    const run = site.broker.run.bind(site.broker);
    const isReadingRefs = ({ args }: { readonly args: readonly string[] }) => args[0] === 'for-each-ref';
    let looks = 0;
    const spy = jest.spyOn(site.broker, 'run').mockImplementation((command) => {
      if (isReadingRefs(command)) looks += 1;
      return looks > 1 ? Promise.reject(failure) : run(command);
    });
    const body = new PassThrough();
    const handler = { decide: () => Promise.resolve(null), finished: jest.fn(() => Promise.resolve()) };
    const answer = await site.transport().receivePack(body, null, handler);
    body.end(await creation('topic'));
    await expect(once(answer.resume(), 'end')).rejects.toBe(failure);
    spy.mockRestore();
    expect(handler.finished.mock.calls).toEqual([[null]]);
    expect(await branches()).toBe('main\ntopic');
  });

  it('asks the application even when the hook has been swept away or lost its permission', async () => {
    const desk = hookDeskOf(site.broker);
    const deskFolder = async (): Promise<string> => {
      const visit = await desk.admit(() => undefined, 1_000);
      await visit.end();
      return dirname(visit.folder);
    };
    const swept = await deskFolder();
    await rm(swept, { recursive: true });
    site.decide = () => Promise.resolve({ message: 'asked' });
    expect((await site.git(['push', 'origin', 'main:one'], work)).stderr).toContain('remote: asked');
    const disarmed = await deskFolder();
    expect(disarmed).not.toBe(swept);
    await rm(join(disarmed, 'hooks', 'pre-receive'));
    expect((await site.git(['push', 'origin', 'main:two'], work)).stderr).toContain('remote: asked');
    const deaf = await deskFolder();
    await chmod(join(deaf, 'hooks'), 0o500);
    await rm(join(deaf, 'bell'));
    expect((await site.git(['push', 'origin', 'main:three'], work)).stderr).toContain('remote: asked');
    await Promise.all([disarmed, deaf].map((folder) => rm(folder, { recursive: true })));
    expect(await branches()).toBe('main');
  });

  it('refuses a pack above the limit', async () => {
    site.limits = { maxPushBytes: 100_000 };
    const before = await site.objects();
    await site.commit(work, { 'large.bin': randomBytes(2_000_000) });
    const { code, stderr } = await site.git(['push', 'origin', 'main'], work);
    expect(code).not.toBe(0);
    expect(stderr).toContain('pack exceeds maximum allowed size');
    expect(site.decided).toBe(0);
    expect(await site.objects()).toEqual(before);
  });

  it('refuses a push of too many refs', async () => {
    site.limits = { maxPushRefs: 2 };
    const { stderr } = await site.git(['push', 'origin', 'main:a', 'main:b', 'main:c'], work);
    expect(stderr).toContain('at most 2 refs');
    expect(site.decided).toBe(0);
  });

  it('refuses hostile trees', async () => {
    const blob = await site.must(['rev-parse', 'main:README.md'], work);
    await site.must(['config', 'alias.evil', `!printf '100644 blob ${blob}\\t.git\\n' | git mktree`], work);
    const tree = await site.must(['evil'], work);
    const commit = await site.must(['commit-tree', '-m', 'evil', tree], work);
    const { code, stderr } = await site.git(['push', 'origin', `${commit}:refs/heads/evil`], work);
    expect(code).not.toBe(0);
    expect(stderr).toContain('hasDotgit');
    expect(site.decided).toBe(0);
  });

  it('ends when git crashes while the application decides', async () => {
    site.decide = async () => {
      for (const id of await site.processIds()) process.kill(id, 'SIGKILL');
      return null;
    };
    const { code } = await site.git(['push', 'origin', 'main:topic'], work);
    expect(code).not.toBe(0);
    await site.quiet();
    // The client may try again when not a byte was answered.
    expect(site.moved).toEqual(Array.from({ length: site.decided }, () => []));
    expect(await branches()).toBe('main');
  });

  it('ends when the broker dies while the application decides', async () => {
    site.decide = async () => {
      const id = await site.broker.childPid();
      if (id !== undefined) process.kill(id, 'SIGKILL');
      return null;
    };
    await site.commit(work, { a: 'a' });
    await site.git(['push', 'origin', 'main:topic'], work);
    await site.quiet();
    expect(site.decided).toBeGreaterThan(0);
    expect(site.moved).toHaveLength(site.decided);
    const isThere = (await branches()).includes('topic');
    expect(site.moved.flat()).toEqual(isThere ? [expect.objectContaining({ ref: 'refs/heads/topic' })] : []);
  });

  it('answers nonsense with an error and asks nobody', async () => {
    const body = new PassThrough();
    const handler = {
      decide: jest.fn(() => Promise.resolve(null)),
      finished: jest.fn(() => Promise.resolve()),
    };
    const answer = await site.transport().receivePack(body, null, handler);
    body.end('nonsense');
    await expect(once(answer.resume(), 'end')).rejects.toThrow('git receive-pack failed');
    expect(handler.decide).not.toHaveBeenCalled();
    expect(handler.finished).not.toHaveBeenCalled();
  });

  it('does not start for a request that is cancelled already', async () => {
    const handler = { decide: () => Promise.resolve(null), finished: () => Promise.resolve() };
    const push = site.transport(AbortSignal.abort()).receivePack(new PassThrough(), null, handler);
    await expect(push).rejects.toThrow('cancelled');
  });
});
