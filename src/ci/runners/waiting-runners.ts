import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { JobQueueRepository } from '../jobs/job-queue.repository';

/** Jobs that other nodes queue are seen within this time. */
const LOOK_EVERY_MS = 1_000;
/** More runners do not wait here: they are told at once that there is nothing, and come again. */
const MOST_WAITING = 10_000;

interface Waiting {
  readonly runnerId: number;
  readonly end: (mayHaveJob: boolean) => void;
}

/**
 * Requests of runners for which there was no job. None of them holds a connection to the database: one statement a
 * second looks for all of this process, and jobs that are queued here are told at once.
 */
@Injectable()
export class WaitingRunners implements OnModuleDestroy {
  private readonly waiting = new Set<Waiting>();
  private readonly stopping = new AbortController();
  private looking: Promise<void> | undefined;
  private lookAgain: AbortController = new AbortController();
  private readonly logger = new Logger(WaitingRunners.name);

  constructor(private readonly queue: JobQueueRepository) {}

  /** True once there may be a job; false when the time is up, the client has gone or this process stops. */
  wait(runnerId: number, limitMs: number, signal: AbortSignal): Promise<boolean> {
    const isFutile = signal.aborted || this.stopping.signal.aborted || limitMs <= 0;
    if (isFutile || this.waiting.size >= MOST_WAITING) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (mayHaveJob: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        this.waiting.delete(entry);
        resolve(mayHaveJob);
      };
      const giveUp = (): void => end(false);
      const timer = setTimeout(giveUp, limitMs);
      const entry: Waiting = { runnerId, end };
      signal.addEventListener('abort', giveUp, { once: true });
      this.waiting.add(entry);
      this.looking ??= this.lookWhileAwaited();
    });
  }

  /** Jobs were queued: look now. */
  tell(): void {
    this.lookAgain.abort();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    for (const { end } of this.waiting) end(false);
    this.tell();
    await this.looking;
  }

  private async lookWhileAwaited(): Promise<void> {
    while (this.waiting.size > 0 && !this.stopping.signal.aborted) {
      await this.pause();
      await this.look();
    }
    this.looking = undefined;
  }

  private async pause(): Promise<void> {
    this.lookAgain = new AbortController();
    try {
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.lookAgain.signal });
    } catch (error) {
      if (!this.lookAgain.signal.aborted) throw error;
    }
  }

  /** Wakes no more runners than there are jobs: the others would come in vain. */
  private async look(): Promise<void> {
    const ids = [...new Set([...this.waiting].map(({ runnerId }) => runnerId))];
    if (ids.length === 0 || this.stopping.signal.aborted) return;
    try {
      const served = new Set(await this.queue.served(ids));
      for (const entry of this.waiting) if (served.delete(entry.runnerId)) entry.end(true);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not look for jobs; runners wait on');
    }
  }
}
