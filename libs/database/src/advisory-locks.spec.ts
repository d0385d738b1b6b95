import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '#libs/errors';
import { createTestDatabase, startChild, until, type TestDatabase } from '#libs/testing';
import pg from 'pg';
import { AdvisoryLocks } from './advisory-locks';
import { lockId } from './lock-id';

const SCENARIO = path.join(__dirname, 'scenarios/hold-lock.ts');
const POOL_SIZE = 2;

let store: TestDatabase;
let locks: AdvisoryLocks;

beforeAll(async () => {
  store = await createTestDatabase();
  locks = new AdvisoryLocks(store.url, POOL_SIZE, 'test');
});

afterAll(async () => {
  await locks.onApplicationShutdown();
  await store.drop();
});

const OF_LOCK = 'FROM pg_locks WHERE locktype = $1 AND (classid::bigint << 32) | objid::bigint = $2';
const HOLDER = `SELECT pid ${OF_LOCK} AND granted`;
const WAITING = `SELECT pid ${OF_LOCK} AND NOT granted`;

async function onServer(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  return client.query(text, values).finally(() => client.end());
}

describe('a lock', () => {
  it('lets one at a time in, in order of arrival, and gives each its result', async () => {
    const steps: string[] = [];
    const visit = (name: string) =>
      locks.hold('one', async () => {
        steps.push(`${name} in`);
        await sleep(5);
        steps.push(`${name} out`);
        return name;
      });
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(visit))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(steps).toEqual(['a', 'b', 'c', 'd', 'e'].flatMap((name) => [`${name} in`, `${name} out`]));
  });

  it('is free again after a failure', async () => {
    await expect(locks.hold('fails', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await locks.hold('fails', () => Promise.resolve('next'))).toBe('next');
  });

  it('does not keep holders of other keys out, however many wait for one', async () => {
    let finish: () => void = () => undefined;
    const busy = locks.hold('hot', () => new Promise<void>((resolve) => (finish = resolve)));
    const waiting = Array.from({ length: POOL_SIZE * 5 }, () => locks.hold('hot', () => Promise.resolve()));
    expect(await locks.hold('other', () => Promise.resolve('free'))).toBe('free');
    finish();
    await Promise.all([busy, ...waiting]);
  });

  it('that is not had in time is a service unavailable, and the line moves on without the one who left', async () => {
    let finish: () => void = () => undefined;
    const busy = locks.hold('slow', () => new Promise<void>((resolve) => (finish = resolve)));
    const late: unknown = await locks
      .hold('slow', () => Promise.resolve(), { timeoutMs: 30 })
      .catch((error: unknown) => error);
    const patient = locks.hold('slow', () => Promise.resolve('had it'));
    finish();
    await busy;
    expect(late).toBeInstanceOf(DomainError);
    expect(late).toMatchObject({ detail: { kind: 'unavailable' } });
    expect(await patient).toBe('had it');
  });

  it('is handed on within this process, and comes to another one soon all the same', async () => {
    const steps: string[] = [];
    const backends = new Set<unknown>();
    const visit = (name: string) =>
      locks.hold('handed on', async () => {
        const { rows } = await onServer(HOLDER, ['advisory', lockId('handed on')]);
        backends.add(rows[0]?.pid);
        steps.push(name);
      });
    let other: Promise<unknown> = Promise.resolve();
    const first = locks.hold('handed on', async () => {
      const client = new pg.Client({ connectionString: store.url });
      await client.connect();
      other = client
        .query('SELECT pg_advisory_lock($1::bigint)', [lockId('handed on')])
        .then(() => steps.push('other'))
        .finally(() => client.end());
      await until(async () => (await onServer(WAITING, ['advisory', lockId('handed on')])).rowCount);
    });
    const mine = Array.from({ length: 20 }, (_, number) => visit(String(number)));
    await Promise.all([first, other, ...mine]);
    expect(steps.filter((step) => step !== 'other')).toEqual(mine.map((_, number) => String(number)));
    expect(steps.indexOf('other')).toBe(8);
    expect(backends.size).toBeLessThanOrEqual(POOL_SIZE);
  });

  it('held by another process keeps this one out until released', async () => {
    const other = startChild(SCENARIO, [store.url, 'shared']);
    expect(await other.line()).toBe('waiting');
    expect(await other.line()).toBe('held');
    await expect(locks.hold('shared', () => Promise.resolve(), { timeoutMs: 50 })).rejects.toThrow(
      DomainError,
    );
    const mine = locks.hold('shared', () => Promise.resolve('mine'));
    other.tell('release');
    expect(await mine).toBe('mine');
    expect(await other.line()).toBe('released');
    expect(await other.ended()).toBe(0);
  });

  it('is free again when the process that held it was killed', async () => {
    const other = startChild(SCENARIO, [store.url, 'crash']);
    await other.line();
    expect(await other.line()).toBe('held');
    const mine = locks.hold('crash', () => Promise.resolve('mine'));
    await other.kill();
    expect(await mine).toBe('mine');
  });

  it('tells its holder when the connection is lost', async () => {
    const told = locks.hold('lost', async (signal) => {
      await onServer(`SELECT pg_terminate_backend(pid) ${OF_LOCK}`, ['advisory', lockId('lost')]);
      await until(() => signal.aborted);
      return 'told';
    });
    expect(await told).toBe('told');
    expect(await locks.hold('lost', () => Promise.resolve('again'))).toBe('again');
  });

  it('has the same number for the same name, and numbers as they are', () => {
    expect(lockId('repository:1')).toBe(lockId('repository:1'));
    expect(lockId('repository:1')).not.toBe(lockId('repository:2'));
    expect(lockId(42n)).toBe('42');
    expect(lockId(2n ** 63n)).toBe(String(-(2n ** 63n)));
  });
});
