import { PassThrough, type Readable } from 'node:stream';
import { finished as whenFinished } from 'node:stream/promises';
import {
  GitProcessError,
  type PushHandler,
  type PushProposal,
  type PushRefusal,
  type RefUpdate,
} from '../git';
import type { Running } from '../processes/spawn-broker';
import type { HookDesk, HookVisit } from './hook-desk';
import { answerQuestion, type HookQuestion, readQuestion } from './hook-question';
import { movedRefs, syncRefFolders } from './moved-refs';
import { protocolEnvironment } from './protocol';
import { refuseUnpushableRefs } from './pushable-refs';
import { pushOptions, type TransportLimits } from './settings';
import { type Interruption, Transfer } from './transfer';
import type { TransportContext } from './transport-context';

/** git's report on a push is taken in at once, so that a slow reader does not keep the repository locked. */
const ANSWER_BUFFER = 1024 * 1024;
/** How much longer the hook waits than the application may think. */
const HOOK_MARGIN_MS = 30_000;
/** How long an accepted push may take to move its refs once nobody waits for it any more. */
const LAST_STEPS_MS = 60_000;

const LATE: PushRefusal = { message: 'The push could not be checked in time. Try again later.' };
const BROKEN: PushRefusal = { message: 'The push could not be checked. Try again later.' };
const STOPPED: PushRefusal = { message: 'The push was broken off.' };

/** One push, from the request's first byte to the handler's `finished`. */
export class Push {
  private interruption: Interruption | undefined;
  /** What went wrong on our side; the pusher sees a broken answer, the application the error. */
  private failure: Error | undefined;
  private judgement: Promise<void> | undefined;
  private decision: Promise<PushRefusal | null> | undefined;
  private isDecisionLate = false;
  private isAccepted = false;
  private updates: readonly RefUpdate[] = [];
  private lastSteps: NodeJS.Timeout | undefined;

  constructor(
    private readonly context: TransportContext,
    private readonly desk: HookDesk,
    private readonly handler: PushHandler,
    private readonly limits: TransportLimits,
  ) {}

  /** Starts git and returns its answer, which ends only when the handler's `finished` is through. */
  async start(body: Readable, protocol: string | null): Promise<Readable> {
    const visit = await this.desk.admit((folder) => {
      this.judgement = this.judge(folder);
    }, this.limits.decideMs + HOOK_MARGIN_MS);
    const running = await this.run(visit, protocol).catch(async (error: unknown) => {
      await visit.end();
      throw error;
    });
    const output = new PassThrough({ highWaterMark: ANSWER_BUFFER });
    const transfer = new Transfer(running, output, (reason) => this.interrupt(running, reason), {
      wholeMs: this.limits.wholeMs,
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
    // Without the context's signal: once accepted, a push is not torn while its refs move.
    return this.context.broker.stream({
      repository: path,
      args: [...options, 'receive-pack', '--stateless-rpc', path],
      env: { ...protocolEnvironment(protocol), ...visit.environment },
      timeoutMs: this.limits.idleMs,
    });
  }

  private interrupt(running: Running, reason: Interruption): void {
    this.interruption = reason;
    running.stdout.unpipe();
    running.stdout.resume();
    if (this.isAccepted) this.lastSteps = setTimeout(() => running.kill(), LAST_STEPS_MS);
    else running.kill();
  }

  /** Answers the waiting hook. Never rejects: what fails is kept and refuses the push. */
  private async judge(folder: string): Promise<void> {
    let refusal: PushRefusal | null = BROKEN;
    try {
      const question = await readQuestion(folder);
      this.updates = question.updates;
      refusal = refuseUnpushableRefs(question, this.limits.maxPushRefs) ?? this.stopped();
      refusal ??= (await this.decide(question)) ?? this.stopped();
    } catch (error) {
      this.fail(error);
    }
    this.isAccepted = refusal === null;
    // A hook that is gone needs no answer; the state of the refs tells what became of the push.
    await answerQuestion(folder, refusal).catch((error: unknown) => {
      if (this.interruption === undefined) this.fail(error);
    });
  }

  private stopped(): PushRefusal | null {
    return this.interruption === undefined ? null : STOPPED;
  }

  private async decide({
    updates,
    pushOptions: options,
    quarantine,
  }: HookQuestion): Promise<PushRefusal | null> {
    const incoming = this.context.reader(quarantine);
    const proposal: ReceivedPush = { updates, pushOptions: options, incoming };
    this.decision = callHandler(() => this.handler.decide(proposal)).finally(() => incoming.close());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<PushRefusal>((resolve) => {
      timer = setTimeout(() => {
        this.isDecisionLate = true;
        resolve(LATE);
      }, this.limits.decideMs);
    });
    try {
      return await Promise.race([this.decision, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async conclude(
    running: Running,
    visit: HookVisit,
    output: PassThrough,
    transfer: Transfer,
  ): Promise<void> {
    try {
      await this.awaitExit(running);
      clearTimeout(this.lastSteps);
      await this.judgement;
      await this.settle();
      await whenFinished(running.stdout, { writable: false });
    } catch (error) {
      this.fail(error);
    }
    transfer.end();
    await visit.end().catch((error: unknown) => this.fail(error));
    const failure = this.failure ?? this.interruption;
    if (failure === undefined) output.end();
    else output.destroy(failure);
  }

  private async awaitExit(running: Running): Promise<void> {
    let bytes = 0;
    running.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length));
    try {
      const { code, stderr } = await running.finished;
      // Below 128 git has told the pusher what is wrong, if it has said anything.
      const isExplained = code === 0 || (code > 0 && code < 128 && bytes > 0);
      if (!isExplained && this.interruption === undefined) {
        throw new GitProcessError('git receive-pack failed', code, stderr);
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Calls the handler's `finished` exactly once if `decide` was called. */
  private async settle(): Promise<void> {
    const { decision } = this;
    if (decision === undefined) return;
    if (this.isDecisionLate) {
      // The handler may yet take its lock: it hears of the end as soon as it has decided, but nobody waits for that.
      void decision
        .catch(() => null)
        .then(() => this.handler.finished([]))
        .catch((error: unknown) => process.emitWarning(asError(error)));
      return;
    }
    let moved: readonly RefUpdate[] = [];
    try {
      if (this.isAccepted) moved = await this.readMoved();
    } finally {
      await this.handler.finished(moved);
    }
  }

  private async readMoved(): Promise<RefUpdate[]> {
    const { broker, location } = this.context;
    const moved = await movedRefs(broker, location, this.updates);
    await syncRefFolders(location, moved);
    return moved;
  }

  private fail(error: unknown): void {
    this.failure ??= asError(error);
  }
}

/** A proposal with the options that `git push -o` sent. */
export interface ReceivedPush extends PushProposal {
  readonly pushOptions: readonly string[];
}

/** Turns what is thrown at once into a rejection. */
async function callHandler<T>(call: () => Promise<T>): Promise<T> {
  return call();
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
