import { GitProcessError, ZERO_SHA, type RefUpdate } from '../git';
import { SessionKind, type Session } from '../processes/session-pool';
import type { Running } from '../processes/spawn-broker';

/** git waits this long for another writer's lock before it gives up, on loose and packed refs alike. */
const LOCK_WAIT_MS = 1_000;
/** Long enough for thousands of refs on a slow shared file system. */
const TRANSACTION_MS = 60_000;

const SETTINGS = [
  `core.filesRefLockTimeout=${LOCK_WAIT_MS}`,
  `core.packedRefsTimeout=${LOCK_WAIT_MS}`,
  'core.fsync=objects,derived-metadata,reference',
];

/** One process of a repository takes all its transactions: they would only wait for each other's locks. */
export const REF_SESSIONS = new SessionKind<RefSession>({
  args: [...SETTINGS.flatMap((setting) => ['-c', setting]), 'update-ref', '--stdin'],
  start: (running) => new RefSession(running),
  mostPerRepository: 1,
  crowdedAt: Number.MAX_SAFE_INTEGER,
});

/** The process ended over an earlier transaction; this one was not begun and may be put to a fresh process. */
export class NotBegunError extends Error {}

const DONE = 'commit: ok\n';

interface Transaction {
  resolve(): void;
  reject(error: Error): void;
}

/** One `git update-ref --stdin`: takes transactions one after another, until one fails, which ends it. */
export class RefSession implements Session {
  private answer = '';
  private current: Transaction | undefined;
  private ending: Error | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly running: Running) {
    running.stdout.on('data', (chunk: Buffer) => this.receive(chunk));
    // `finished` gives the reason; an unobserved stream error would end the server.
    running.stdout.on('error', () => undefined);
    void this.watchEnd();
  }

  get isBroken(): boolean {
    return this.ending !== undefined;
  }

  /**
   * Moves all refs or none, after the transactions before it. Throws NotBegunError; GitProcessError, with git's words
   * in `stderr`, when git refused.
   */
  transact(updates: readonly RefUpdate[]): Promise<void> {
    const turn = this.last.then(() => this.commit(updates));
    // Whether this one failed, the next learns from `isBroken`.
    this.last = turn.catch(() => undefined);
    return turn;
  }

  end(): void {
    this.running.stdin.end();
  }

  kill(): void {
    this.running.kill();
  }

  private async commit(updates: readonly RefUpdate[]): Promise<void> {
    if (this.isBroken) throw new NotBegunError('the process has ended');
    const timer = setTimeout(() => this.running.kill(), TRANSACTION_MS);
    try {
      await new Promise<void>((resolve, reject) => {
        this.answer = '';
        this.current = { resolve, reject };
        this.running.stdin.write(transactionText(updates));
      });
    } finally {
      clearTimeout(timer);
      this.current = undefined;
    }
  }

  private receive(chunk: Buffer): void {
    this.answer += chunk.toString('latin1');
    if (this.answer.endsWith(DONE)) this.current?.resolve();
  }

  private async watchEnd(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.running.stdout.once('close', () => resolve()));
    const end = await this.running.finished.then(
      ({ code, stderr }) => new GitProcessError('update-ref ended', code, stderr),
      (error: unknown) => (error instanceof Error ? error : new GitProcessError(String(error), null, '')),
    );
    // What git said last may still be on its way when its exit is reported.
    await closed;
    this.ending = end;
    this.current?.reject(end);
  }
}

function transactionText(updates: readonly RefUpdate[]): string {
  return ['start', ...updates.map(command), 'prepare', 'commit', ''].join('\n');
}

function command({ ref, oldSha, newSha }: RefUpdate): string {
  // Without this a symbolic ref would move, or delete, the ref it points to.
  const direct = 'option no-deref\n';
  return newSha === ZERO_SHA
    ? `${direct}delete ${ref} ${oldSha}`
    : `${direct}update ${ref} ${newSha} ${oldSha}`;
}
