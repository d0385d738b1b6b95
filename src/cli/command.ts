import type { INestApplicationContext } from '@nestjs/common';

/** An option of a command, always with a value: `--name value`. */
export interface CommandOption {
  readonly meaning: string;
  /** Left out: the option must be given. */
  readonly default?: string;
}

/** What was typed; every declared option has a value. */
export interface Input {
  /** Throws for an option that the command does not declare. */
  option(name: string): string;
}

/** One thing that an operator can do. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Text for the terminal. */
  run(application: INestApplicationContext, input: Input): Promise<string>;
}

/** What was typed makes no sense; the message says why. */
export class UsageError extends Error {}
