import { GitLimitError, GitProcessError } from '../git';
import type { Running } from './spawn-broker';

/** Reads one answer out of a process's output, which comes in pieces of any size. */
export interface AnswerReader<T> {
  /**
   * Takes what belongs to this answer from `chunk`; returns the rest once the answer is complete, null while it is
   * not. Throwing means the output makes no sense: the process is then given up.
   */
  read(chunk: Buffer): Buffer | null;
  /** The complete answer, asked once. May throw what the asker shall see; the process stays in use. */
  result(): T;
}

interface Question {
  readonly askedAt: number;
  read(chunk: Buffer): Buffer | null;
  settle(): void;
  fail(error: Error): void;
}

const WATCH_MS = 1_000;
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Questions and answers with one long-lived git process: questions are written at once, answers come in their order.
 * After anything unexpected (end, time limit, output that does not parse) the conversation is broken for good: every
 * open question fails with GitProcessError, and nobody may ask again.
 */
export class Conversation {
  private readonly questions: Question[] = [];
  private broken: Error | undefined;
  private watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly running: Running,
    private readonly timeoutMs = ANSWER_TIMEOUT_MS,
  ) {
    running.stdout.on('data', (chunk: Buffer) => this.take(chunk));
    running.stdout.once('close', () => void this.explainEnd());
  }

  get isBroken(): boolean {
    return this.broken !== undefined;
  }

  /**
   * Writes `request` and reads its answer.
   * Throws GitProcessError when the process is lost, GitLimitError when the answer does not come in time.
   */
  ask<T>(request: string | Buffer, reader: AnswerReader<T>): Promise<T> {
    if (this.broken) return Promise.reject(this.broken);
    return new Promise((resolve, reject) => {
      this.questions.push({
        askedAt: Date.now(),
        read: (chunk) => reader.read(chunk),
        settle: () => settle(reader, resolve, reject),
        fail: reject,
      });
      this.write(request);
      this.watch ??= setInterval(() => this.checkTime(), WATCH_MS).unref();
    });
  }

  /** Questions of the same moment go to the process in one piece: each piece costs a system call and wakes it up. */
  private write(request: string | Buffer): void {
    const { stdin } = this.running;
    if (stdin.writableCorked === 0) {
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    stdin.write(request);
  }

  /** Lets the process end after the answers it owes. */
  end(): void {
    this.running.stdin.end();
  }

  /** Ends the process now; open questions fail. */
  kill(): void {
    this.breakOff(new GitProcessError('the git process was stopped', null, ''));
  }

  private take(chunk: Buffer): void {
    let rest: Buffer | null = chunk;
    while (rest !== null && rest.length > 0) {
      const question = this.questions[0];
      if (question === undefined) return this.breakOff(new GitProcessError('git answered unasked', null, ''));
      try {
        rest = question.read(rest);
      } catch (error) {
        return this.refuse(question, error);
      }
      if (rest !== null) {
        this.questions.shift();
        question.settle();
      }
    }
  }

  /** The answer cannot be used: its asker gets the reason when it is a limit, everybody else may ask a new process. */
  private refuse(question: Question, error: unknown): void {
    if (error instanceof GitLimitError) {
      this.questions.shift();
      question.fail(error);
    }
    this.breakOff(new GitProcessError(`git answered nonsense: ${String(error)}`, null, ''));
  }

  private checkTime(): void {
    const oldest = this.questions[0];
    if (oldest === undefined || Date.now() - oldest.askedAt <= this.timeoutMs) return;
    this.refuse(oldest, new GitLimitError(`git took longer than ${this.timeoutMs} ms`));
  }

  private async explainEnd(): Promise<void> {
    clearInterval(this.watch);
    const { code, stderr } = await this.running.finished.catch((error: unknown) => ({
      code: null,
      stderr: String(error),
    }));
    this.breakOff(new GitProcessError('the git process ended', code, stderr));
  }

  private breakOff(error: Error): void {
    if (this.broken) return;
    this.broken = error;
    clearInterval(this.watch);
    this.running.kill();
    this.running.stdout.destroy();
    for (const question of this.questions.splice(0)) question.fail(error);
  }
}

function settle<T>(
  reader: AnswerReader<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): void {
  try {
    resolve(reader.result());
  } catch (error) {
    reject(error);
  }
}
