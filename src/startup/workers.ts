import cluster, { type Worker } from 'node:cluster';
import type { Log } from '../logging/log';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A worker that lived this long was well: the pauses begin anew. */
const HEALTHY_MS = 60_000;

/** The server processes of this machine. A dead one is replaced, ever more slowly while they keep dying. */
export class WorkerGroup {
  private stopping = false;
  private everListened = false;
  private pauseMs = FIRST_PAUSE_MS;

  constructor(
    private readonly count: number,
    private readonly log: Log,
    /** No worker has ever listened: the settings or the port are at fault, starting again does not help. */
    private readonly hopeless: () => void,
  ) {}

  /** Resolves when all of them listen. */
  async start(): Promise<void> {
    const listening = Array.from(
      { length: this.count },
      () => new Promise<void>((resolve) => this.fork(resolve)),
    );
    await Promise.all(listening);
  }

  /** Tells all to finish and waits for their end. */
  async stop(): Promise<void> {
    this.stopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map((worker) => ended(worker)));
  }

  private fork(onListening?: () => void): void {
    const worker = cluster.fork();
    const startedAt = Date.now();
    worker.once('listening', () => {
      this.everListened = true;
      onListening?.();
    });
    worker.once('exit', (code, signal) => {
      if (this.stopping) return;
      if (!this.everListened) return this.hopeless();
      this.log.error({ pid: worker.process.pid, code, signal }, 'a server process died and is replaced');
      const pauseMs = Date.now() - startedAt > HEALTHY_MS ? FIRST_PAUSE_MS : this.pauseMs;
      this.pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      setTimeout(() => {
        if (!this.stopping) this.fork(onListening);
      }, pauseMs);
    });
  }
}

function ended(worker: Worker): Promise<void> {
  if (worker.isDead()) return Promise.resolve();
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });
}
