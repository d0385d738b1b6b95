import { AsyncLocalStorage } from 'node:async_hooks';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Order } from './scenarios/thread.fixture';
import { ThreadPool, type PoolLimits } from './thread-pool';
import { startThread } from './thread-start';

const PROGRAM = path.join(__dirname, 'scenarios/thread.fixture');
const LIMITS = { threads: 1, waiting: 10, waitingOfOne: 10, milliseconds: 30_000, idleMilliseconds: 30_000 };
/** Long enough for a thread that has next to nothing to do, on a machine that has much. */
const SHORT = 1_500;
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

let started: Worker[];
let pool: ThreadPool<Order, string, string, string>;
const open = (limits: Partial<PoolLimits> = {}): void => {
  started = [];
  pool = new ThreadPool(
    () => {
      const worker = startThread(PROGRAM, MEMORY);
      started.push(worker);
      return worker;
    },
    { ...LIMITS, ...limits },
  );
};
afterEach(() => pool.close());

const silence = (): Promise<string> => Promise.reject(new Error('nobody should ask'));
const run = (order: Order): Promise<string> => pool.run(order, 'me', silence);

describe('threads', () => {
  it('start when they are needed, do one order after another, and have their questions answered', async () => {
    open();
    expect(started).toHaveLength(0);
    const reply = (question: string): Promise<string> => Promise.resolve(question.toUpperCase());
    const all = [run('echo'), pool.run('ask', 'me', reply), run('echo')];
    expect(await Promise.all(all)).toEqual(['echo', 'FIRST SECOND', 'echo']);
    expect(started).toHaveLength(1);
  });

  it('tell a defect to whoever gave the order, and an answer that failed, and go on', async () => {
    open();
    await expect(run('fail')).rejects.toMatchObject({ problem: 'broken', message: /a defect/ });
    const lost = new Error('the file is gone');
    await expect(pool.run('ask', 'me', () => Promise.reject(lost))).rejects.toBe(lost);
    expect(await run('echo')).toBe('echo');
    expect(started).toHaveLength(1);
  });

  it('are ended when they take too long or too much memory, and have successors', async () => {
    open({ milliseconds: SHORT });
    const behind = [run('spin'), run('echo')];
    await expect(behind[0]).rejects.toMatchObject({ problem: 'time' });
    expect(await behind[1]).toBe('echo');
    open();
    await expect(run('grow')).rejects.toMatchObject({ problem: 'memory' });
    await expect(run('exit')).rejects.toMatchObject({ problem: 'broken' });
    expect(await run('echo')).toBe('echo');
    expect(started).toHaveLength(3);
  });

  it('have no time counted while others answer', async () => {
    open({ milliseconds: SHORT });
    const late = (question: string): Promise<string> =>
      new Promise((resolve) => setTimeout(() => resolve(question), question === 'first' ? SHORT + 500 : 0));
    expect(await pool.run('ask', 'me', late)).toBe('first second');
  });

  it('have so many orders wait and no more, until they end', async () => {
    open({ waiting: 1 });
    const [first, second, third] = [run('spin'), run('echo'), run('echo')];
    await expect(third).rejects.toMatchObject({ problem: 'busy' });
    const ended = [
      expect(first).rejects.toMatchObject({ problem: 'closed' }),
      expect(second).rejects.toMatchObject({ problem: 'closed' }),
    ];
    await pool.close();
    await Promise.all(ended);
    await expect(run('echo')).rejects.toMatchObject({ problem: 'closed' });
  });
  it('refuse what is no plain data, and say so where none starts', async () => {
    const closure = new ThreadPool<Order, string, () => string, string>(
      () => startThread(PROGRAM, MEMORY),
      LIMITS,
    );
    const reply = () => Promise.resolve(() => 'x');
    await expect(closure.run('ask', 'me', reply)).rejects.toMatchObject({ problem: 'broken' });
    expect(await closure.run('echo', 'me', reply)).toBe('echo');
    await closure.close();
    pool = new ThreadPool(() => {
      throw new Error('no memory');
    }, LIMITS);
    await expect(run('echo')).rejects.toMatchObject({ problem: 'broken' });
  });

  it('leave nobody waiting where the last one has died and none starts', async () => {
    let starts = 0;
    pool = new ThreadPool(() => {
      starts += 1;
      if (starts > 1) throw new Error('no memory');
      return startThread(PROGRAM, MEMORY);
    }, LIMITS);
    const all = await Promise.allSettled([run('exit'), run('echo'), run('echo'), run('echo')]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  });

  it('end when nobody needs them, and start again', async () => {
    open({ idleMilliseconds: 50 });
    await run('echo');
    // The pool no longer listens to a thread that it ends.
    const [first] = started;
    while (first && first.threadId !== -1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await run('echo')).toBe('echo');
    expect(started).toHaveLength(2);
  });

  it('have questions answered where the order was given, not where the thread was started', async () => {
    open();
    const place = new AsyncLocalStorage<string>();
    const here = (): Promise<string> => Promise.resolve(place.getStore() ?? 'nowhere');
    const ask = (name: string): Promise<string> => place.run(name, () => pool.run('ask', 'me', here));
    expect(await ask('one')).toBe('one one');
    expect(await ask('two')).toBe('two two');
    expect(await Promise.all([ask('three'), ask('four')])).toEqual(['three three', 'four four']);
  });
});
