import { availableParallelism } from 'node:os';
import path from 'node:path';
import { DomainError } from '#libs/errors';
import { startThread, ThreadError, ThreadPool } from '#libs/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ReadingAnswer, ReadingOrder, ReadingQuestion, ReadingReply } from './reading';

const PROGRAM = path.join(__dirname, 'reading-thread');
/** Of a thread. The largest file that is accepted takes a third of it. */
const MEMORY = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64 };
/**
 * The worst files end within two seconds, by limits of their own and with a sentence that says which. A thread that is
 * at it for longer, on however slow a machine, is ended.
 */
const MILLISECONDS = 10_000;
const TIMES = { milliseconds: MILLISECONDS, idleMilliseconds: 60_000 };
/** A thread waits for what git answers to it, too. */
const OF_PIPELINES = {
  threads: Math.min(4, availableParallelism()),
  waiting: 200,
  waitingOfOne: 50,
  ...TIMES,
};
/** Anybody may have files looked over: those that do so wait for each other alone. */
const OF_CHECKS = { threads: 1, waiting: 100, waitingOfOne: 20, ...TIMES };

type Threads = ThreadPool<ReadingOrder, ReadingQuestion, ReadingReply, ReadingAnswer>;

const threads = (limits: typeof OF_PIPELINES): Threads =>
  new ThreadPool(() => startThread(PROGRAM, MEMORY), limits);

/** Has configurations be read beside the event loop. */
@Injectable()
export class ConfigurationReading implements OnApplicationShutdown {
  private readonly ofPipelines = threads(OF_PIPELINES);
  private readonly ofChecks = threads(OF_CHECKS);

  /**
   * What is wrong with it, or the jobs that there are to be. Of many at once those of each `owner` take turns. Throws `unavailable` where too many are read at once, and
   * what `reply` throws.
   */
  async read(
    order: ReadingOrder,
    owner: string,
    reply: (question: ReadingQuestion) => Promise<ReadingReply>,
  ): Promise<ReadingAnswer> {
    const pool = order.target ? this.ofPipelines : this.ofChecks;
    try {
      return await pool.run(order, owner, reply);
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      return insteadOfAnswer(error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.ofPipelines.close(), this.ofChecks.close()]);
  }
}

function insteadOfAnswer(error: ThreadError): ReadingAnswer {
  switch (error.problem) {
    case 'time':
      return { problem: 'The configuration takes too long to be looked at' };
    case 'memory':
      return { problem: 'The parsed YAML is too big' };
    case 'busy':
      throw new DomainError(
        { kind: 'unavailable', message: '503 Service Unavailable - too many configurations are being read' },
        { cause: error },
      );
    default:
      throw error;
  }
}
