import type { PushHandler, PushProposal, PushRefusal, RefUpdate, Sha } from '../git';
import { answerQuestion, type HookQuestion, readQuestion } from './hook-question';
import { movedUpdates, refValues, syncRefFolders } from './moved-refs';
import { refuseUnpushableRefs } from './pushable-refs';
import type { TransportLimits } from './settings';
import { clearRefLocks } from '../writing/stale-locks';
import { asError } from './transfer';
import type { TransportContext } from './transport-context';

const LATE: PushRefusal = { message: 'The push could not be checked in time. Try again later.' };
const BROKEN: PushRefusal = { message: 'The push could not be checked. Try again later.' };
const STOPPED: PushRefusal = { message: 'The push was broken off.' };

/** A proposal with the options that `git push -o` sent. */
export interface ReceivedPush extends PushProposal {
  readonly pushOptions: readonly string[];
}

/** The application's part in one push: its decision, given to the waiting hook, and its `finished`. */
export class Judgement {
  /** What the hook asked, once it has. */
  question: HookQuestion | undefined;
  /** The hook was told to go on: refs may be moving. */
  isAccepted = false;
  /** What went wrong on our side. */
  failure: Error | undefined;
  private answered: Promise<void> | undefined;
  private decision: Promise<PushRefusal | null> | undefined;
  private before: ReadonlyMap<string, Sha> = new Map();
  private isDecided = false;
  private isBrokenOff = false;
  private giveUp: (refusal: PushRefusal) => void = () => undefined;
  private readonly givenUp = new Promise<PushRefusal>((resolve) => (this.giveUp = resolve));

  constructor(
    private readonly context: TransportContext,
    private readonly handler: PushHandler,
    private readonly limits: Pick<TransportLimits, 'decideMs' | 'maxPushRefs'>,
  ) {}

  /** Takes up the question that a hook has left in `folder`. */
  begin(folder: string): void {
    this.answered = this.answer(folder);
  }

  /** Nobody waits for the push any more: unless it is accepted already, it is refused. */
  breakOff(): void {
    this.isBrokenOff = true;
    this.giveUp(STOPPED);
  }

  /**
   * For when git has ended: calls the handler's `finished` exactly once if `decide` was called. A decision still
   * pending is not waited for; the handler hears of the end when it is made. Throws what the handler throws, and what
   * keeps the refs of an accepted push from being read: the handler then is told that nobody knows.
   */
  async settle(): Promise<void> {
    this.breakOff();
    await this.answered;
    const { decision, handler } = this;
    if (decision === undefined) return;
    if (!this.isDecided) {
      void decision
        .catch(() => null)
        .then(() => handler.finished([]))
        .catch((error: unknown) => process.emitWarning(asError(error)));
      return;
    }
    let moved: readonly RefUpdate[] | null = this.isAccepted ? null : [];
    try {
      if (this.isAccepted) moved = await this.readMoved();
    } finally {
      await handler.finished(moved);
    }
  }

  /** Never rejects: what fails is kept and refuses the push. */
  private async answer(folder: string): Promise<void> {
    const refusal = await this.judge(folder).catch((error: unknown) => {
      this.failure ??= asError(error);
      return BROKEN;
    });
    this.isAccepted = refusal === null;
    // A hook that is gone needs no answer; the state of the refs tells what became of the push.
    await answerQuestion(folder, refusal).catch((error: unknown) => {
      if (!this.isBrokenOff) this.failure ??= asError(error);
    });
  }

  private async judge(folder: string): Promise<PushRefusal | null> {
    const question = await readQuestion(folder);
    this.question = question;
    const refusal = refuseUnpushableRefs(question, this.limits.maxPushRefs) ?? this.stopped();
    if (refusal !== null) return refusal;
    const late = setTimeout(() => this.giveUp(LATE), this.limits.decideMs);
    try {
      const decided = await Promise.race([this.decide(question), this.givenUp]);
      if (decided !== null) return decided;
      // The handler has its lock by now.
      await clearRefLocks(
        this.context.location.path,
        question.updates.map(({ ref }) => ref),
      );
      this.before = await refValues(this.context.broker, this.context.location, question.updates);
      return this.stopped();
    } finally {
      clearTimeout(late);
    }
  }

  private stopped(): PushRefusal | null {
    return this.isBrokenOff ? STOPPED : null;
  }

  private decide({ updates, pushOptions, quarantine }: HookQuestion): Promise<PushRefusal | null> {
    const incoming = this.context.reader(quarantine);
    const proposal: ReceivedPush = { updates, pushOptions, incoming };
    this.decision = callHandler(() => this.handler.decide(proposal)).finally(() => {
      this.isDecided = true;
      incoming.close();
    });
    return this.decision;
  }

  private async readMoved(): Promise<RefUpdate[]> {
    const { broker, location } = this.context;
    const updates = this.question?.updates ?? [];
    const moved = movedUpdates(updates, this.before, await refValues(broker, location, updates));
    await syncRefFolders(location, moved);
    return moved;
  }
}

/** Turns what is thrown at once into a rejection. */
async function callHandler<T>(call: () => Promise<T>): Promise<T> {
  return call();
}
