import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { GitFixture } from '../../../testing/src/git/git-fixture';
import { isSoonGone } from '../../../testing/src/git/process-list';
import { GitCancelledError, GitLimitError, GitProcessError } from '../git';
import { SpawnBroker } from './spawn-broker';

/** git runs this through the shell as an alias: the way to a process that does what a test needs. */
const shell = (script: string): string[] => ['-c', `alias.play=!${script}`, 'play'];
const TREE_BYTES = 5 * 1024 * 1024;

describe('the spawn broker', () => {
  let fixture: GitFixture;
  let broker: SpawnBroker;

  beforeAll(async () => {
    fixture = await GitFixture.create();
    await fixture.commit({ files: { 'big.bin': Buffer.alloc(TREE_BYTES, 'x') } });
  });
  beforeEach(() => (broker = new SpawnBroker({ short: 4 })));
  afterEach(() => broker.close());
  afterAll(() => fixture.remove());

  const run = (args: string[], options = {}) => broker.run({ repository: fixture.path, args, ...options });

  it('gives output, errors and exit code of a command', async () => {
    expect(await run(['rev-parse', '--is-bare-repository'])).toEqual({
      code: 0,
      stdout: Buffer.from('true\n'),
      stderr: '',
    });
    const failed = await run(['rev-parse', '--verify', 'refs/heads/none']);
    expect(failed.code).toBe(128);
    expect(failed.stderr).toContain('Needed a single revision');
  });

  it('tells a signal as 128 and its number', async () => {
    expect((await run(shell('kill -9 $$'))).code).toBe(137);
  });

  it('passes large input and output unchanged', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
    expect((await run(shell('cat'), { input: bytes })).stdout.equals(bytes)).toBe(true);
    const pieces = Readable.from(Array.from({ length: 50 }, () => bytes));
    expect((await run(shell('wc -c'), { input: pieces })).stdout.toString().trim()).toBe('15000000');
  });

  it('does not mind a command that reads only a part of its input', async () => {
    const { code, stdout } = await run(shell('head -c 3'), { input: Buffer.alloc(3_000_000, 'abc') });
    expect([code, stdout.toString()]).toEqual([0, 'abc']);
  });

  it('lets nothing of the server process through to git but PATH', async () => {
    process.env['SECRET_OF_THE_SERVER'] = 'hush';
    const { stdout } = await run(shell('env'));
    delete process.env['SECRET_OF_THE_SERVER'];
    expect(stdout.toString()).not.toContain('hush');
    expect(stdout.toString()).toContain('GIT_LITERAL_PATHSPECS=1');
  });

  it('ends a command and its children after the time limit', async () => {
    const token = `4${process.pid}1`;
    await expect(run(shell(`sleep ${token} & sleep ${token}`), { timeoutMs: 200 })).rejects.toThrow(
      GitLimitError,
    );
    expect(await isSoonGone(`sleep ${token}`)).toBe(true);
  });

  it('ends a command that ignores SIGTERM', async () => {
    const token = `4${process.pid}2`;
    const script = `trap "" TERM; while true; do sleep ${token}; done`;
    await expect(run(shell(script), { timeoutMs: 200 })).rejects.toThrow(GitLimitError);
    expect(await isSoonGone(`sleep ${token}`)).toBe(true);
  });

  it('ends a command that writes more than the limit', async () => {
    await expect(run(shell('yes'), { maxOutput: 100_000 })).rejects.toThrow(GitLimitError);
    expect((await run(shell('printf 12345'), { maxOutput: 5 })).stdout.toString()).toBe('12345');
  });

  it('ends a command when its signal aborts', async () => {
    const token = `4${process.pid}3`;
    const controller = new AbortController();
    const running = run(shell(`sleep ${token}`), { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    await expect(running).rejects.toThrow(GitCancelledError);
    expect(await isSoonGone(`sleep ${token}`)).toBe(true);
    await expect(run(['version'], { signal: controller.signal })).rejects.toThrow(GitCancelledError);
  });

  it('runs no more than its width at once and refuses when too many wait', async () => {
    const narrow = new SpawnBroker({ short: 1, mostWaiting: 2 });
    const ask = (): Promise<unknown> => narrow.run({ repository: fixture.path, args: shell('sleep 0.2') });
    try {
      const outcomes = await Promise.allSettled([ask(), ask(), ask(), ask()]);
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'fulfilled',
        'fulfilled',
        'rejected',
      ]);
    } finally {
      await narrow.close();
    }
  });

  it('streams both ways at once', async () => {
    const running = await broker.stream({ repository: fixture.path, args: shell('cat') });
    running.stdin.write('ping');
    const [answer] = await once(running.stdout);
    expect(String(answer)).toBe('ping');
    running.stdin.end();
    running.stdout.resume();
    expect(await running.finished).toEqual({ code: 0, stderr: '' });
  });

  it('ends a stream nobody reads to its end', async () => {
    const running = await broker.stream({ repository: fixture.path, args: shell('yes') });
    await once(running.stdout);
    running.stdout.destroy();
    expect((await running.finished).code).not.toBe(0);
  });

  it('ends a stream on which nothing moves', async () => {
    const running = await broker.stream({ repository: fixture.path, args: shell('cat'), timeoutMs: 200 });
    const failed = new Promise((resolve) => running.stdout.once('error', resolve));
    await expect(running.finished).rejects.toThrow(GitLimitError);
    expect(await failed).toBeInstanceOf(GitLimitError);
  });

  it('waits for a slow reader without losing a byte', async () => {
    const running = await broker.stream({
      repository: fixture.path,
      args: ['cat-file', 'blob', 'main:big.bin'],
    });
    let bytes = 0;
    for await (const chunk of running.stdout) {
      bytes += Buffer.byteLength(chunk);
      if (bytes < 1_000_000) await pause(5);
    }
    expect(bytes).toBe(TREE_BYTES);
  });

  it('fails what runs when the broker is killed, and starts another', async () => {
    const running = run(shell('sleep 30'));
    running.catch(() => undefined);
    await run(['version']);
    process.kill((await broker.childPid()) ?? 0, 'SIGKILL');
    await expect(running).rejects.toThrow(GitProcessError);
    expect((await run(['version'])).code).toBe(0);
  });

  it('ends every git when it is closed', async () => {
    const token = `4${process.pid}4`;
    const running = run(shell(`sleep ${token}`));
    running.catch(() => undefined);
    await run(['version']);
    await broker.close();
    await expect(running).rejects.toThrow(GitProcessError);
    expect(await isSoonGone(`sleep ${token}`)).toBe(true);
    await expect(run(['version'])).rejects.toThrow(GitProcessError);
  });

  it('serves many commands at once', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => run(shell(`echo ${index}`))));
    expect(answers.map(({ stdout }) => Number(stdout))).toEqual(
      Array.from({ length: 60 }, (_, index) => index),
    );
  });
});

function once(stream: Readable): Promise<unknown[]> {
  return new Promise((resolve) => stream.once('data', (...chunks) => resolve(chunks)));
}
