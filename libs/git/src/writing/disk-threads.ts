import type { Worker } from 'node:worker_threads';
import type { DiskAnswer, DiskOrder } from './disk-orders';
import { startDiskThread } from './disk-thread-start';
import { objectHeader, type NewObject } from './object-format';

/** A commit's flushes take about two milliseconds of waiting each thread spends for it alone. */
const THREADS = 4;

/** Objects of more bytes together are written piece by piece instead: copying them would hold the event loop. */
const MOST_BYTES = 1024 * 1024;

type NewOrder<Order> = Order extends DiskOrder ? Omit<Order, 'id'> : never;

interface Waiting {
  resolve(isDone: boolean): void;
  reject(error: Error): void;
}

/**
 * The threads of one server process that write small commits (see `disk-thread.ts`). Each is started when it is first
 * needed, and again after it has died; the orders it had then fail. They keep the process alive only while they work.
 */
export class DiskThreads {
  private readonly threads: (DiskThread | undefined)[] = Array.from({ length: THREADS });
  private isClosed = false;

  constructor(private readonly start: () => Promise<Worker> = startDiskThread) {}

  /** Whether `store` takes these objects. */
  takes(objects: readonly NewObject[]): boolean {
    return objects.reduce((sum, { body }) => sum + body.length, 0) <= MOST_BYTES;
  }

  /** Writes loose objects into an `objects` folder and resolves when they are durable. Throws system errors. */
  async store(directory: string, objects: readonly NewObject[]): Promise<void> {
    const parts = objects.flatMap(({ type, body }) => [objectHeader(type, body.length), body]);
    // Memory of its own, to be handed over: a view of the pool would take its neighbours along.
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let end = 0;
    for (const part of parts) {
      bytes.set(part, end);
      end += part.length;
    }
    const sizes = objects.map(({ sha, type, body }) => ({
      sha,
      size: objectHeader(type, body.length).length + body.length,
    }));
    await this.give({ type: 'store', directory, objects: sizes, bytes }, [bytes.buffer]);
  }

  /**
   * Moves a branch that lies in a file of its own and is at `oldSha`; durable when it resolves. Answers false, and
   * changes nothing, in every other case: git is to be asked then. Throws system errors.
   */
  move(file: string, oldSha: string, newSha: string): Promise<boolean> {
    return this.give({ type: 'move', file, oldSha, newSha });
  }

  /** Ends the threads; orders fail from now on. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const thread of this.threads) await thread?.end();
  }

  private give(order: NewOrder<DiskOrder>, transfer: readonly ArrayBuffer[] = []): Promise<boolean> {
    if (this.isClosed) return Promise.reject(new Error('the disk threads have ended'));
    return this.leastBusy().give(order, transfer);
  }

  private leastBusy(): DiskThread {
    let best: DiskThread | undefined;
    for (const [index, found] of this.threads.entries()) {
      let thread = found;
      if (!thread || thread.isBroken) this.threads[index] = thread = new DiskThread(this.start);
      if (thread.load === 0) return thread;
      if (!best || thread.load < best.load) best = thread;
    }
    return best ?? new DiskThread(this.start);
  }
}

class DiskThread {
  private readonly waiting = new Map<number, Waiting>();
  private readonly worker: Promise<Worker>;
  private nextId = 1;
  isBroken = false;

  constructor(start: () => Promise<Worker>) {
    this.worker = start().then((worker) => this.watched(worker));
    // Whoever gives an order learns of it.
    this.worker.catch((error: unknown) => this.fail(error));
  }

  /** Orders under way. */
  get load(): number {
    return this.waiting.size;
  }

  give(order: NewOrder<DiskOrder>, transfer: readonly ArrayBuffer[]): Promise<boolean> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      void this.worker.then(
        (worker) => {
          worker.ref();
          worker.postMessage({ ...order, id }, transfer);
        },
        (error: unknown) => this.fail(error),
      );
    });
  }

  async end(): Promise<void> {
    const worker = await this.worker.catch(() => undefined);
    await worker?.terminate();
  }

  private watched(worker: Worker): Worker {
    worker.on('message', (answer: DiskAnswer) => {
      this.settle(answer);
      if (this.waiting.size === 0) worker.unref();
    });
    worker.once('error', (error) => this.fail(error));
    worker.once('exit', () => this.fail(new Error('a disk thread has ended')));
    worker.unref();
    return worker;
  }

  private settle(answer: DiskAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if ('isDone' in answer) waiting?.resolve(answer.isDone);
    else waiting?.reject(Object.assign(new Error(answer.failure.message), { code: answer.failure.code }));
  }

  private fail(cause: unknown): void {
    this.isBroken = true;
    const error = new Error('a disk thread has died', { cause });
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}
