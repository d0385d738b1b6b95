import { PassThrough, type Readable } from 'node:stream';
import { finished as whenFinished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { GitCancelledError, GitProcessError, type PushHandler } from '../git';
import type { Running } from '../processes/spawn-broker';
import { removeQuarantine } from './abandoned-quarantines';
import type { HookDesk, HookVisit } from './hook-desk';
import { Judgement } from './judgement';
import { protocolEnvironment } from './protocol';
import { pushOptions, type TransportLimits } from './settings';
import { asError, type Interruption, Transfer } from './transfer';
import type { TransportContext } from './transport-context';

/** git's report on a push is taken in at once, so that a slow reader does not keep the repository locked. */
const ANSWER_BUFFER = 1024 * 1024;
/** How much longer the hook waits than the application may think. */
const HOOK_MARGIN_MS = 30_000;
/** How long git may take to clear up a push that nobody waits for, and to move the refs of an accepted one. */
const CLEAR_UP_MS = 10_000;
const MOVE_REFS_MS = 10 * 60_000;
const CHECK_MS = 20;

/** One push, from the request's first byte to the handler's `finished`. */
export class Push {
  private readonly judgement: Judgement;
  private interruption: Interruption | undefined;
  /** What went wrong on our side; the pusher sees a broken answer, the application the error. */
  private failure: Error | undefined;
  private lastStop: NodeJS.Timeout | undefined;

  constructor(
    private readonly context: TransportContext,
    private readonly desk: HookDesk,
    handler: PushHandler,
    private readonly limits: TransportLimits,
  ) {
    this.judgement = new Judgement(context, handler, limits);
  }

  /** Starts git and returns its answer, which ends only when the handler's `finished` is through. */
  async start(body: Readable, protocol: string | null): Promise<Readable> {
    if (this.context.signal?.aborted === true) throw new GitCancelledError('cancelled before it started');
    const visit = await this.desk.admit(
      (folder) => this.judgement.begin(folder),
      this.limits.decideMs + HOOK_MARGIN_MS,
    );
    const running = await this.run(visit, protocol).catch(async (error: unknown) => {
      await visit.end();
      throw error;
    });
    const output = new PassThrough({ highWaterMark: ANSWER_BUFFER });
    const transfer = new Transfer(running, output, (reason) => this.interrupt(running, reason), {
      ...this.limits,
      signal: this.context.signal,
    });
    running.stdout.pipe(output, { end: false });
    transfer.feed(body);
    void this.conclude(running, visit, output, transfer);
    return output;
  }

  private run(visit: HookVisit, protocol: string | null): Promise<Running> {
    const { path } = this.context.location;
    const options = pushOptions({ maxPushBytes: this.limits.maxPushBytes, hooksPath: visit.hooksPath });
    // Without the context's signal and the broker's limit, which kill: a killed git leaves its quarantine behind.
    return this.context.broker.stream({
      repository: path,
      args: [...options, 'receive-pack', '--stateless-rpc', path],
      env: { ...protocolEnvironment(protocol), ...visit.environment },
      timeoutMs: 0,
    });
  }

  /**
   * Lets git come to its own end, for only then does it clear up: a pack that breaks off is refused, a waiting hook
   * says no, and refs that are moving move to the end. What git writes must be read on, or SIGPIPE would kill it.
   */
  private interrupt(running: Running, reason: Interruption): void {
    this.interruption = reason;
    this.judgement.breakOff();
    running.stdin.destroy();
    running.stdout.unpipe();
    running.stdout.resume();
    const patience = this.judgement.isAccepted ? MOVE_REFS_MS : CLEAR_UP_MS;
    this.lastStop = setTimeout(() => running.kill(), patience);
  }

  private async conclude(
    running: Running,
    visit: HookVisit,
    output: PassThrough,
    transfer: Transfer,
  ): Promise<void> {
    await this.attempt(() => this.awaitExit(running));
    await this.attempt(() => this.judgement.settle());
    await this.attempt(() => whenFinished(running.stdout, { writable: false }));
    transfer.end();
    clearTimeout(this.lastStop);
    await this.attempt(() => visit.end());
    const failure = this.judgement.failure ?? this.failure ?? this.interruption;
    if (failure === undefined) output.end();
    else output.destroy(failure);
  }

  private async awaitExit(running: Running): Promise<void> {
    let bytes = 0;
    running.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length));
    const { code, stderr } = await running.finished.catch(async (error: unknown) => {
      await this.awaitOrphan();
      throw error;
    });
    if (code >= 128) await this.clearUp();
    // Below 128 git has told the pusher what is wrong, if it has said anything.
    const isExplained = code === 0 || (code > 0 && code < 128 && bytes > 0);
    if (!isExplained && this.interruption === undefined) {
      throw new GitProcessError('git receive-pack failed', code, stderr);
    }
  }

  /** When the broker dies, git outlives it: what became of the refs is only known once git has ended too. */
  private async awaitOrphan(): Promise<void> {
    const deadline = Date.now() + CLEAR_UP_MS;
    this.judgement.breakOff();
    for (
      let id = this.judgement.question?.processId;
      id !== undefined && isAlive(id);
      await delay(CHECK_MS)
    ) {
      if (Date.now() > deadline) process.kill(id, 'SIGKILL');
    }
    await this.clearUp();
  }

  private async clearUp(): Promise<void> {
    const quarantine = this.judgement.question?.quarantine['GIT_OBJECT_DIRECTORY'];
    if (quarantine !== undefined) await removeQuarantine(this.context.location, quarantine);
  }

  private async attempt(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.failure ??= asError(error);
    }
  }
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
