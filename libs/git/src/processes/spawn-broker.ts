import { availableParallelism } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { GitCancelledError, GitProcessError } from '../git';
import { BrokerLink } from './broker-link';
import { collectOutput, feed } from './command-output';
import { Gate } from './gate';
import { gitEnvironment } from './git-environment';
import { RunningCommand } from './running-command';

/** How many commands may run at once. Each lane has a gate of its own, so that none can starve another. */
export type Lane =
  /** Commands whose output is read at full speed: the default of `run`. */
  | 'short'
  /** Commands that wait for a client's network: the default of `stream`. */
  | 'long'
  /** Processes kept for many requests (see ProcessPool). */
  | 'resident';

export interface GitCommand {
  /** Absolute path of the bare repository; becomes --git-dir. */
  readonly repository: string;
  /** Subcommand and its arguments, made by the engine from constants and validated values. */
  readonly args: readonly string[];
  /** Added to the fixed environment of `git-environment.ts`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly input?: Buffer | Readable | undefined;
  /**
   * `run`: the whole time, default 30 s. `stream`: the longest time in which no byte passes either way, default
   * 5 min; 0 for no limit.
   */
  readonly timeoutMs?: number | undefined;
  /** Bytes of stdout, default 64 MiB (`run` only). */
  readonly maxOutput?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly lane?: Lane | undefined;
  /** MiB of address space that the command, and each process it starts, may have; no limit when not given. */
  readonly mostMemory?: number | undefined;
}

export interface Finished {
  readonly code: number;
  readonly stdout: Buffer;
  /** At most 64 KiB of it. */
  readonly stderr: string;
}

export interface Running {
  /** Errors of this stream (EPIPE when git stops reading) have a listener already: the outcome tells. */
  readonly stdin: Writable;
  /** Destroying it before its end ends the process. It is destroyed with the error when a limit is reached. */
  readonly stdout: Readable;
  /**
   * The exit code (128 + n after signal n), also after `kill`. Rejects with GitLimitError, GitCancelledError, or
   * GitProcessError when git could not be started or the broker ended. May be left unobserved.
   */
  readonly finished: Promise<{ code: number; stderr: string }>;
  kill(): void;
}

export interface SpawnBrokerOptions {
  /** Commands at once per lane. */
  readonly short?: number;
  readonly long?: number;
  readonly resident?: number;
  /** Commands waiting per lane before more are refused. */
  readonly mostWaiting?: number;
}

const RUN_TIMEOUT_MS = 30_000;
const STREAM_IDLE_MS = 300_000;
const MOST_OUTPUT = 64 * 1024 * 1024;

/**
 * Starts git processes through a small child process (`broker-child.ts`), so that a large server process never forks.
 * The child is started at the first command, and again after it has died; commands running then fail with
 * GitProcessError.
 */
export class SpawnBroker {
  private readonly lanes: Record<Lane, Gate>;
  private link: Promise<BrokerLink> | undefined;
  private nextId = 1;
  private closed = false;

  constructor(options: SpawnBrokerOptions = {}) {
    const mostWaiting = options.mostWaiting ?? 1_000;
    this.lanes = {
      short: new Gate(options.short ?? 2 * availableParallelism(), mostWaiting),
      long: new Gate(options.long ?? 64, mostWaiting),
      resident: new Gate(options.resident ?? 128, mostWaiting),
    };
  }

  /**
   * Runs a command to its end; resolves for any exit code.
   * Throws GitLimitError (time, output, or too many waiting), GitCancelledError, GitProcessError.
   */
  async run(command: GitCommand): Promise<Finished> {
    const { input } = command;
    const leave = await this.lanes[command.lane ?? 'short'].enter(command.signal);
    let running: RunningCommand | undefined;
    try {
      running = await this.start(command, input !== undefined);
      const ended = running;
      ended.limitTotalTime(command.timeoutMs ?? RUN_TIMEOUT_MS);
      if (input !== undefined) feed(ended, input);
      const output = collectOutput(ended, command.maxOutput ?? MOST_OUTPUT);
      const { code, stderr } = await ended.finished;
      return { code, stderr, stdout: await output };
    } finally {
      running?.kill();
      leave();
    }
  }

  /** Starts a command and hands its streams out. Throws as `run` does; see Running for what can happen later. */
  async stream(command: GitCommand): Promise<Running> {
    const leave = await this.lanes[command.lane ?? 'long'].enter(command.signal);
    try {
      const running = await this.start(command, true);
      running.limitIdleTime(command.timeoutMs ?? STREAM_IDLE_MS);
      void running.finished.then(leave, leave);
      if (command.input !== undefined) feed(running, command.input);
      return running;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** The broker child's process id, once it is started. */
  async childPid(): Promise<number | undefined> {
    return (await this.link)?.pid;
  }

  /** Ends every git process and the broker's child. Commands fail from now on. */
  async close(): Promise<void> {
    this.closed = true;
    const link = await this.link?.catch(() => undefined);
    await link?.close();
  }

  private async start(command: GitCommand, hasInput: boolean): Promise<RunningCommand> {
    const link = await this.liveLink();
    if (command.signal?.aborted) throw new GitCancelledError('cancelled before it started');
    const id = this.nextId;
    this.nextId = (id % 0xffff_ffff) + 1;
    const running = new RunningCommand(link, id, hasInput, command.signal);
    link.order(
      {
        type: 'spawn',
        id,
        args: [`--git-dir=${command.repository}`, ...command.args],
        env: gitEnvironment(command.env),
        hasInput,
        ...(command.mostMemory !== undefined && { memoryKib: command.mostMemory * 1024 }),
      },
      running,
    );
    await running.started;
    return running;
  }

  private async liveLink(): Promise<BrokerLink> {
    if (this.closed) throw new GitProcessError('the git engine is closed', null, '');
    this.link ??= BrokerLink.start();
    const current = this.link;
    const link = await current.catch((error: unknown) => {
      this.discard(current);
      throw new GitProcessError(`the spawn broker did not start: ${String(error)}`, null, '');
    });
    if (!link.isLost) return link;
    this.discard(current);
    return this.liveLink();
  }

  /** Whoever finds the broker gone first makes room for the next; the others find that one. */
  private discard(link: Promise<BrokerLink>): void {
    if (this.link === link) this.link = undefined;
  }
}
