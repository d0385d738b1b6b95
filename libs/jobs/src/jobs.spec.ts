import path from 'node:path';
import { Database, DatabaseModule } from '#libs/database';
import { createTestDatabase, startChild, until, type TestDatabase } from '#libs/testing';
import { Injectable, type LoggerService, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { defineQueue, JobHandler, Jobs, JobsModule, type JobRun, type JobsOptions } from './index';
import { RecurringJobs } from './recurring-jobs';

const SCENARIO = path.join(__dirname, 'scenarios/work-node.ts');

interface Task {
  readonly name: string;
}

const tasks = defineQueue<Task>('test.tasks', { expireInSeconds: 60, retryLimit: 2, retryDelaySeconds: 0 });
const refreshes = defineQueue<Task>('test.refreshes', { expireInSeconds: 60, onePerKey: true });
const hourly = defineQueue('test.hourly', { expireInSeconds: 60, everyMinutes: 60 });
const endless = defineQueue<Task>('test.endless', { expireInSeconds: 1, retryDelaySeconds: 0 });

type Work = (data: Task, job: JobRun) => Promise<void> | void;

/** What was run in this test, in order, by whichever node. */
let ran: string[] = [];
let work: Work = () => undefined;

@Injectable()
class Tasks extends JobHandler<Task> {
  readonly queue = tasks;

  async run(data: Task, job: JobRun): Promise<void> {
    ran.push(`${data.name} ${job.attempt}`);
    await work(data, job);
  }
}

@Injectable()
class Refreshes extends JobHandler<Task> {
  readonly queue = refreshes;

  run({ name }: Task): Promise<void> {
    ran.push(name);
    return Promise.resolve();
  }
}

@Injectable()
class Hourly extends JobHandler {
  readonly queue = hourly;

  run(): Promise<void> {
    ran.push('hourly');
    return Promise.resolve();
  }
}

@Injectable()
class Endless extends JobHandler<Task> {
  readonly queue = endless;

  run({ name }: Task, { attempt }: JobRun): Promise<void> {
    ran.push(`${name} ${attempt}`);
    return Promise.resolve();
  }
}

const nothing = (): void => undefined;
const SILENT: LoggerService = { log: nothing, error: nothing, warn: nothing };

let store: TestDatabase;
const nodes: TestingModule[] = [];

async function startNode(
  options: Partial<JobsOptions> = {},
  handlers: Type[] = [Tasks, Refreshes],
): Promise<TestingModule> {
  const { url } = store;
  const node = await Test.createTestingModule({
    imports: [
      DatabaseModule.forRoot({ url, poolSize: 3, lockPoolSize: 1 }),
      JobsModule.forRoot({ url, pollMs: 60_000, ...options }),
    ],
    providers: handlers,
  })
    .setLogger(SILENT)
    .compile();
  nodes.push(node);
  return node.init();
}

beforeEach(async () => {
  store = await createTestDatabase();
  ran = [];
  work = () => undefined;
});

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
  await store.drop();
});

/** Without the pause before a further attempt, which is a second at least. */
const retryAtOnce = (node: TestingModule): Promise<unknown> =>
  node.get(Database).manager.query('UPDATE pgboss.queue SET retry_delay = 0, retry_backoff = false');

const ranAre = (...expected: string[]): Promise<true> =>
  until(() => ran.length >= expected.length).then(() => {
    expect(ran).toEqual(expected);
    return true as const;
  });

describe('a job', () => {
  it('runs at once on the node that queued it, without waiting for the next look', async () => {
    const node = await startNode();
    await node.get(Jobs).enqueue(tasks, { name: 'a' });
    await ranAre('a 1');
  });

  it('runs on another node when the one that queued it does not work', async () => {
    const web = await startNode({ work: false });
    await startNode({ pollMs: 20 });
    await web.get(Jobs).enqueue(tasks, { name: 'a' });
    await ranAre('a 1');
  });

  it('is there once its transaction is committed', async () => {
    const node = await startNode({ pollMs: 20 });
    await node.get(Database).transaction(async () => {
      await node.get(Jobs).enqueue(tasks, { name: 'a' });
      await node.get(Database).manager.query('SELECT pg_sleep(0.1)');
      expect(ran).toEqual([]);
    });
    await ranAre('a 1');
  });

  it('never was when its transaction is rolled back', async () => {
    const node = await startNode();
    const change = node.get(Database).transaction(async () => {
      await node.get(Jobs).enqueue(tasks, { name: 'undone' });
      throw new Error('no');
    });
    await expect(change).rejects.toThrow('no');
    await node.get(Jobs).enqueue(tasks, { name: 'done' });
    await ranAre('done 1');
  });

  it('runs on one node only, and all of many run', async () => {
    const [one] = await Promise.all([startNode({ pollMs: 20 }), startNode({ pollMs: 20 })]);
    const names = Array.from({ length: 40 }, (_, n) => `job${n}`);
    await one.get(Jobs).enqueueAll(names.map((name) => ({ queue: tasks, data: { name } })));
    await until(() => ran.length >= names.length);
    expect([...ran].sort()).toEqual(names.map((name) => `${name} 1`).sort());
  });

  it('is tried again after a failure, as often as its queue says', async () => {
    work = (_, { isLastAttempt }) => {
      throw new Error(isLastAttempt ? 'final' : 'again');
    };
    const node = await startNode({ pollMs: 20 });
    await retryAtOnce(node);
    await node.get(Jobs).enqueue(tasks, { name: 'a' });
    const failed = () =>
      node.get(Database).manager.query("SELECT output FROM pgboss.job WHERE state = 'failed'");
    const rows = await until(async () => {
      const found: unknown[] = await failed();
      return found.length > 0 && found;
    });
    expect(ran).toEqual(['a 1', 'a 2', 'a 3']);
    expect(rows).toEqual([{ output: { message: 'Error: final' } }]);
  });

  it('does not run before its time', async () => {
    const node = await startNode({ pollMs: 20 });
    await node.get(Jobs).enqueue(tasks, { name: 'later' }, { startAfter: new Date(Date.now() + 3_600_000) });
    await node.get(Jobs).enqueue(tasks, { name: 'now' });
    await ranAre('now 1');
  });

  it('with an id is queued once', async () => {
    const id = '00000000-0000-0000-0000-000000000001';
    const node = await startNode();
    await node.get(Jobs).enqueue(tasks, { name: 'first' }, { id });
    await node.get(Jobs).enqueue(tasks, { name: 'second' }, { id });
    await node.get(Jobs).enqueue(tasks, { name: 'end' });
    await ranAre('first 1', 'end 1');
  });

  it('with a key is not queued while another with that key waits', async () => {
    const node = await startNode({ work: false });
    for (const key of ['a', 'a', 'b', 'a']) await node.get(Jobs).enqueue(refreshes, { name: key }, { key });
    await expect(node.get(Jobs).enqueue(refreshes, { name: 'x' })).rejects.toThrow('needs a key');
    await startNode({ pollMs: 20 });
    await ranAre('a', 'b');
  });

  it('that runs may end before its node stops', async () => {
    let end: () => void = () => undefined;
    work = () => new Promise((resolve) => (end = resolve));
    const node = await startNode();
    await node.get(Jobs).enqueue(tasks, { name: 'a' });
    await until(() => ran.length === 1);
    const stopped = node.close();
    end();
    await stopped;
    nodes.splice(0);
    const reader = await startNode({ work: false });
    expect(await reader.get(Database).manager.query('SELECT name, state FROM pgboss.job')).toEqual([
      { name: 'test.tasks', state: 'completed' },
    ]);
  });

  it('that does not end in time when its node stops is told so, and runs again on another node', async () => {
    work = (_, { attempt, signal }) =>
      attempt > 1
        ? undefined
        : new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('told'))),
          );
    const node = await startNode({ stopLimitMs: 20 });
    await retryAtOnce(node);
    await node.get(Jobs).enqueue(tasks, { name: 'a' });
    await until(() => ran.length === 1);
    await node.close();
    nodes.splice(0);
    await startNode({ pollMs: 20 });
    await ranAre('a 1', 'a 2');
  });

  it('of a process that was killed runs again on another node', async () => {
    const web = await startNode({ work: false }, [Endless]);
    await retryAtOnce(web);
    const child = startChild(SCENARIO, [store.url]);
    expect(await child.line()).toBe('ready');
    await web.get(Jobs).enqueue(endless, { name: 'a' });
    expect(await child.line()).toBe('working on a, attempt 1');
    await child.kill();
    await startNode({ pollMs: 20, recoverySeconds: 1 }, [Endless]);
    await ranAre('a 2');
  });
});

describe('a recurring job', () => {
  it('runs once per period on all nodes together', async () => {
    await Promise.all([
      startNode({ pollMs: 20 }, [Hourly, Tasks]),
      startNode({ pollMs: 20 }, [Hourly, Tasks]),
    ]);
    await until(() => ran.length > 0);
    await nodes[0]?.get(RecurringJobs).queueDue([hourly]);
    await nodes[0]?.get(Jobs).enqueue(tasks, { name: 'end' });
    await until(() => ran.includes('end 1'));
    expect(ran).toEqual(['hourly', 'end 1']);
  });

  it('runs again in the next period', async () => {
    const node = await startNode({ pollMs: 20 }, [Hourly]);
    await until(() => ran.length === 1);
    await node.get(Database).manager.query('UPDATE job_periods SET period = period - 1');
    await node.get(RecurringJobs).queueDue([hourly]);
    await ranAre('hourly', 'hourly');
  });
});

describe('a queue without a handler', () => {
  it('takes no jobs, as they would be lost', async () => {
    const node = await startNode({}, [Refreshes]);
    await expect(node.get(Jobs).enqueue(tasks, { name: 'a' })).rejects.toThrow(
      'queue test.tasks has no handler',
    );
  });
});

describe('two handlers of one queue', () => {
  it('are refused at start', async () => {
    class Double extends Tasks {}
    await expect(startNode({}, [Tasks, Double])).rejects.toThrow('queue test.tasks has two handlers');
  });
});
