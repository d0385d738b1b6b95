import { AsyncResource } from 'node:async_hooks';
import type { Worker } from 'node:worker_threads';
import { FairQueue, type QueueLimits } from './fair-queue';
import { PoolThread, type Assignment, type ThreadTimes } from './pool-thread';
import { ThreadError } from './thread-error';

export interface PoolLimits extends ThreadTimes, QueueLimits {
  /** That work at once. */
  readonly threads: number;
}

/**
 * Threads for work that would hold the event loop. Each does one order at a time, is started when it is first needed
 * and again after it has died, and keeps the process alive only while it works. Orders, questions, replies and answers
 * are plain data.
 */
export class ThreadPool<Order, Question, Reply, Answer> {
  private readonly all = new Set<PoolThread<Order, Question, Reply, Answer>>();
  private readonly idle: PoolThread<Order, Question, Reply, Answer>[] = [];
  private readonly waiting: FairQueue<Assignment<Order, Question, Reply, Answer>>;
  private isClosed = false;
  /** Threads outlive the request that first needs them, and have nothing of its context. */
  private readonly context = new AsyncResource('ThreadPool');

  constructor(
    private readonly start: () => Worker,
    private readonly limits: PoolLimits,
  ) {
    this.waiting = new FairQueue(limits);
  }

  /**
   * Owners take turns where threads are lacking. Throws ThreadError, and whatever `reply` throws to a question of the
   * thread.
   */
  run(order: Order, owner: string, reply: (question: Question) => Promise<Reply>): Promise<Answer> {
    // Questions come out of the thread's context; who answers them has that of the order.
    const replyHere = AsyncResource.bind(reply);
    return new Promise((resolve, reject) => this.take({ order, owner, reply: replyHere, resolve, reject }));
  }

  /** Ends the threads; orders fail from now on. */
  async close(): Promise<void> {
    this.isClosed = true;
    const error = new ThreadError('closed', 'the threads have ended');
    for (const { reject } of this.waiting.clear()) reject(error);
    await Promise.all([...this.all].map((thread) => thread.terminate()));
  }

  private take(assignment: Assignment<Order, Question, Reply, Answer>): void {
    if (this.isClosed) return assignment.reject(new ThreadError('closed', 'the threads have ended'));
    try {
      const thread = this.idle.pop() ?? this.another();
      if (thread) return thread.give(assignment);
    } catch (error) {
      return this.giveUp(assignment, new ThreadError('broken', 'no thread starts', { cause: error }));
    }
    if (!this.waiting.add(assignment.owner, assignment))
      assignment.reject(new ThreadError('busy', 'too many orders wait for a thread'));
  }

  /** Where no thread is left, nobody would come for those that wait. */
  private giveUp({ reject }: Assignment<Order, Question, Reply, Answer>, error: ThreadError): void {
    reject(error);
    if (this.all.size === 0) for (const waiting of this.waiting.clear()) waiting.reject(error);
  }

  private another(): PoolThread<Order, Question, Reply, Answer> | null {
    if (this.all.size >= this.limits.threads) return null;
    const thread = this.context.runInAsyncScope(
      () =>
        new PoolThread<Order, Question, Reply, Answer>(this.start(), this.limits, (free, hasEnded) =>
          this.release(free, hasEnded),
        ),
    );
    this.all.add(thread);
    return thread;
  }

  private release(thread: PoolThread<Order, Question, Reply, Answer>, hasEnded: boolean): void {
    if (hasEnded) this.forget(thread);
    else this.idle.push(thread);
    const next = this.isClosed ? undefined : this.waiting.next();
    if (next) this.take(next);
  }

  private forget(thread: PoolThread<Order, Question, Reply, Answer>): void {
    this.all.delete(thread);
    const place = this.idle.indexOf(thread);
    if (place >= 0) this.idle.splice(place, 1);
  }
}
