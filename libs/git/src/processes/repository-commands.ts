import { GitProcessError, type RepositoryLocation } from '../git';
import { checkedOutput } from './checked-output';
import type { Finished, GitCommand, SpawnBroker } from './spawn-broker';
import type { Readable } from 'node:stream';

export interface CommandOptions extends Pick<GitCommand, 'timeoutMs' | 'maxOutput' | 'signal' | 'input'> {
  /** Exit codes that are answers; others throw GitProcessError. Default: 0 alone. */
  readonly codes?: readonly number[];
}

const NOTHING = Buffer.alloc(0);

/** One-shot git commands of one repository. */
export class RepositoryCommands {
  constructor(
    private readonly source: {
      readonly location: RepositoryLocation;
      readonly broker: SpawnBroker;
      readonly env: Readonly<Record<string, string>> | undefined;
      readonly signal: AbortSignal | undefined;
    },
  ) {}

  /** `args`: the subcommand and its arguments, of constants and validated values. `options.signal` replaces the opening's. */
  async run(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
    const { codes = [0], ...rest } = options;
    const { location, env, signal } = this.source;
    const finished = await this.source.broker.run({ repository: location.path, args, env, signal, ...rest });
    if (!codes.includes(finished.code)) throw failure(args, finished.code, finished.stderr);
    return finished;
  }

  /** Lines of stdout, decoded; without the last newline. */
  async lines(args: readonly string[], options: CommandOptions = {}): Promise<string[]> {
    const { stdout } = await this.run(args, options);
    const text = stdout.toString('utf8');
    return text === '' ? [] : text.replace(/\n$/, '').split('\n');
  }

  /**
   * stdout as a stream that fails (GitProcessError, limits, cancellation) when the command, or a stream that is its
   * input, does.
   */
  async stream(args: readonly string[], input: Buffer | Readable = NOTHING): Promise<Readable> {
    const { location, env, signal } = this.source;
    const running = await this.source.broker.stream({ repository: location.path, args, env, signal, input });
    return checkedOutput(running, (code, stderr) => failure(args, code, stderr));
  }
}

function failure(args: readonly string[], code: number, stderr: string): GitProcessError {
  return new GitProcessError(`git ${args[0] ?? ''} ended with code ${code}`, code, stderr);
}
