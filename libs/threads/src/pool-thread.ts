import type { Worker } from 'node:worker_threads';
import type { FromThread, ToThread } from './messages';
import { ThreadError } from './thread-error';

/** An order with whoever waits for it. */
export interface Assignment<Order, Question, Reply, Answer> {
  readonly order: Order;
  readonly owner: string;
  readonly reply: (question: Question) => Promise<Reply>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export interface ThreadTimes {
  /** Of a thread's time for one order, between two questions; then the thread is ended. */
  readonly milliseconds: number;
  /** A thread without orders ends after so long, and gives back the memory that its largest order took. */
  readonly idleMilliseconds: number;
}

/** Loading a program takes a moment, and several on a machine that is busy. */
const MOST_MILLISECONDS_TO_START = 60_000;

/** One thread of a pool, with the one order that it works on. */
export class PoolThread<Order, Question, Reply, Answer> {
  private assignment: Assignment<Order, Question, Reply, Answer> | null = null;
  private isReady = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly worker: Worker,
    private readonly times: ThreadTimes,
    /** It may have another order, or has ended. */
    private readonly onFree: (thread: PoolThread<Order, Question, Reply, Answer>, hasEnded: boolean) => void,
  ) {
    worker.on('message', (message: FromThread<Question, Answer>) => this.hear(message));
    worker.once('error', (error) => this.end(deathOf(error)));
    worker.once('exit', () => this.end(new ThreadError('broken', 'a thread has ended')));
  }

  give(assignment: Assignment<Order, Question, Reply, Answer>): void {
    this.assignment = assignment;
    // It keeps the process alive only while it works.
    this.worker.ref();
    if (this.isReady) this.begin();
    else this.limit(MOST_MILLISECONDS_TO_START);
  }

  async terminate(): Promise<void> {
    this.end(new ThreadError('closed', 'the threads have ended'));
    await this.worker.terminate();
  }

  private hear(message: FromThread<Question, Answer>): void {
    switch (message.is) {
      case 'ready':
        this.isReady = true;
        return this.begin();
      case 'question':
        return void this.answer(message.question);
      case 'answer':
        return this.finish(({ resolve }) => resolve(message.answer));
      case 'failure':
        return this.finish(({ reject }) => reject(new ThreadError('broken', message.message)));
    }
  }

  private begin(): void {
    if (this.assignment) this.say({ is: 'order', order: this.assignment.order });
  }

  /** What others take to answer is not the thread's time. */
  private async answer(question: Question): Promise<void> {
    clearTimeout(this.timer);
    const { assignment } = this;
    if (!assignment) return;
    try {
      const reply = await assignment.reply(question);
      if (this.assignment === assignment) this.say({ is: 'reply', reply });
    } catch (error) {
      assignment.reject(error);
      // The thread says that it has failed, and is free then.
      if (this.assignment === assignment) this.say({ is: 'nothing' });
    }
  }

  private say(message: ToThread<Order, Reply>): void {
    this.limit(this.times.milliseconds);
    try {
      this.worker.postMessage(message);
    } catch (error) {
      this.end(new ThreadError('broken', 'what a thread is told is no plain data', { cause: error }));
      void this.worker.terminate();
    }
  }

  private limit(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.end(new ThreadError('time', 'a thread took too long'));
      void this.worker.terminate();
    }, milliseconds);
  }

  private finish(settle: (assignment: Assignment<Order, Question, Reply, Answer>) => void): void {
    const { assignment } = this;
    this.assignment = null;
    this.limit(this.times.idleMilliseconds);
    this.timer?.unref();
    this.worker.unref();
    if (assignment) settle(assignment);
    this.onFree(this, false);
  }

  /** Once, whatever is heard of it later. */
  private end(error: ThreadError): void {
    const { assignment } = this;
    this.assignment = null;
    clearTimeout(this.timer);
    this.worker.removeAllListeners();
    // A thread that is being ended may still complain.
    this.worker.on('error', () => undefined);
    assignment?.reject(error);
    this.onFree(this, true);
  }
}

const deathOf = (error: Error): ThreadError =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new ThreadError('memory', 'a thread took too much memory', { cause: error })
    : new ThreadError('broken', 'a thread has died', { cause: error });
