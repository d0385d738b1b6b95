import { Database, DatabaseModule } from '#libs/database';
import { JobsModule } from '#libs/jobs';
import { createTestDatabase, until, type TestDatabase } from '#libs/testing';
import { Injectable, type LoggerService } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { defineEvent, Events, EventsModule, EventSubscriber, on } from './index';
import type { NewEvent } from './outbox';
import { deliveryId } from './event-delivery';
import { Outbox } from './outbox';
import { OutboxClearing } from './outbox-clearing';

interface Opened {
  readonly id: number;
  readonly labels: readonly string[];
}

const opened = defineEvent<Opened>()('test.opened');
const closed = defineEvent<{ readonly id: number }>()('test.closed');
const placed = defineEvent<{ readonly place: number }>()('test.placed');
const ignored = defineEvent<{ readonly id: number }>()('test.ignored');

/** What subscribers got in this test, by whichever node. */
let got: string[] = [];
let failures = 0;
/** Places that a subscriber was asked about. */
let asked: number[] = [];

@Injectable()
class Mailer extends EventSubscriber {
  readonly name = 'mailer';
  readonly reactions = [on(opened, ({ payload }) => this.tell(payload))];

  private tell({ id, labels }: Opened): Promise<void> {
    got.push(`mail ${id} ${labels.join('+')}`);
    return Promise.resolve();
  }
}

@Injectable()
class Counter extends EventSubscriber {
  readonly name = 'counter';
  override readonly delivery = { retryLimit: 1 };
  readonly reactions = [
    on(opened, ({ payload }) => this.count('opened', payload.id)),
    on(closed, ({ payload }) => this.count('closed', payload.id)),
  ];

  private count(what: string, id: number): Promise<void> {
    if (failures-- > 0) return Promise.reject(new Error('not now'));
    got.push(`${what} ${id}`);
    return Promise.resolve();
  }
}

const nothing = (): void => undefined;
const SILENT: LoggerService = { log: nothing, error: nothing, warn: nothing };

/** Is told of odd places alone. */
@Injectable()
class Chooser extends EventSubscriber {
  readonly name = 'chooser';
  readonly reactions = [on(placed, ({ payload }) => Promise.resolve(void got.push(`at ${payload.place}`)))];

  override concerns(event: NewEvent): Promise<boolean> {
    const place = this.concernOf(event) ?? 0;
    asked.push(place);
    return Promise.resolve(place % 2 === 1);
  }

  override concernOf({ payload }: NewEvent): number | undefined {
    return 'place' in payload && typeof payload.place === 'number' ? payload.place : undefined;
  }
}

let store: TestDatabase;
const nodes: TestingModule[] = [];

async function startNode(work = true): Promise<TestingModule> {
  const { url } = store;
  const node = await Test.createTestingModule({
    imports: [
      DatabaseModule.forRoot({ url, poolSize: 3, lockPoolSize: 1 }),
      JobsModule.forRoot({ url, pollMs: 20, work }),
      EventsModule,
    ],
    providers: [Mailer, Counter, Chooser],
  })
    .setLogger(SILENT)
    .compile();
  nodes.push(node);
  return node.init();
}

beforeEach(async () => {
  store = await createTestDatabase();
  got = [];
  asked = [];
  failures = 0;
});

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
  await store.drop();
});

async function gotAre(...expected: string[]): Promise<void> {
  await until(() => got.length >= expected.length);
  expect([...got].sort()).toEqual([...expected].sort());
}

describe('an event', () => {
  it('comes to each of its subscribers with its data', async () => {
    const node = await startNode();
    await node.get(Events).emit(opened, { id: 1, labels: ['a', 'b'] });
    await gotAre('mail 1 a+b', 'opened 1');
  });

  it('comes once to each subscriber when two nodes work', async () => {
    const [one, other] = await Promise.all([startNode(), startNode()]);
    const ids = Array.from({ length: 20 }, (_, n) => n + 1);
    const emitted = ids.map((id) => (id % 2 ? one : other).get(Events).emit(opened, { id, labels: [] }));
    await Promise.all(emitted);
    await gotAre(...ids.flatMap((id) => [`mail ${id} `, `opened ${id}`]));
    const clearing = 1;
    expect(await rowsIn(one, 'pgboss.job')).toBe(2 * ids.length + clearing);
  });

  it('comes to nobody when the change it tells of is rolled back', async () => {
    const node = await startNode();
    const change = node.get(Database).transaction(async () => {
      await node.get(Events).emit(closed, { id: 1 });
      throw new Error('no');
    });
    await expect(change).rejects.toThrow('no');
    await node.get(Events).emit(closed, { id: 2 });
    await gotAre('closed 2');
    expect(await rowsIn(node, 'outbox_events')).toBe(1);
  });

  it('waits for a node that works, also when the one that told of it is gone', async () => {
    const node = await startNode(false);
    await node.get(Events).emit(closed, { id: 1 });
    await node.close();
    nodes.splice(0);
    await startNode();
    await gotAre('closed 1');
  });

  it('comes again when its subscriber failed, and only to that one', async () => {
    failures = 1;
    const node = await startNode();
    await node.get(Database).manager.query('UPDATE pgboss.queue SET retry_delay = 0, retry_backoff = false');
    await node.get(Events).emit(opened, { id: 1, labels: [] });
    await gotAre('mail 1 ', 'opened 1');
  });

  it('comes in order with others of one transaction', async () => {
    const node = await startNode();
    const ids = Array.from({ length: 20 }, (_, n) => n + 1);
    await node.get(Events).emitAll(ids.map((id) => ({ name: closed.name, payload: { id } })));
    await until(() => got.length >= ids.length);
    expect(got).toEqual(ids.map((id) => `closed ${id}`));
  });

  it('is asked about once a batch for all that the answer is the same for, and anew in the next', async () => {
    const node = await startNode();
    const places = Array.from({ length: 2_000 }, (_, number) => number % 4);
    const events = places.map((place) => ({ name: placed.name, payload: { place } }));
    await node.get(Events).emitAll(events);
    await node.get(Events).emitAll(events.slice(0, 2));
    expect(asked).toEqual([0, 1, 2, 3, 0, 1]);
    expect(await rowsIn(node, "pgboss.job WHERE name = 'events.chooser'")).toBe(1_001);
  });

  it('without subscribers is kept and does no harm', async () => {
    const node = await startNode();
    await node.get(Events).emit(ignored, { id: 1 });
    expect(await rowsIn(node, 'outbox_events')).toBe(1);
  });
});

describe('the outbox', () => {
  it('is cleared of old events only', async () => {
    const node = await startNode(false);
    await node.get(Events).emitAll([1, 2, 3].map((id) => ({ name: ignored.name, payload: { id } })));
    await node
      .get(Database)
      .manager.query("UPDATE outbox_events SET created_at = now() - interval '16 days' WHERE id <= 2");
    const signal = new AbortController().signal;
    await node.get(OutboxClearing).run({}, { id: '', attempt: 1, isLastAttempt: false, signal });
    expect(await node.get(Outbox).read(2)).toBeNull();
    expect(await node.get(Outbox).read(3)).toMatchObject({ payload: { id: 3 }, createdAt: expect.any(Date) });
  });
});

describe('the id of a delivery', () => {
  it('is a UUID that sorts as the event does', () => {
    const ids = [1, 255, 4_294_967_296, Number.MAX_SAFE_INTEGER].map(deliveryId);
    expect(ids[0]).toBe('00000000-0000-0000-0000-000000000001');
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))).toBe(true);
  });
});

async function rowsIn(node: TestingModule, table: string): Promise<number> {
  const [row]: { count: number }[] = await node
    .get(Database)
    .manager.query(`SELECT count(*)::int FROM ${table}`);
  return row?.count ?? 0;
}
