import type { Runner } from './runner.entity';

/** Something that a runner serves. */
export interface Served {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly fullName: string;
}

/** A runner with whom it serves, as far as the caller may see them. */
export interface RunnerDetails {
  readonly runner: Runner;
  readonly projects: readonly Served[];
  readonly groups: readonly Served[];
}

/** A new runner with the secret that it is told this once. */
export interface RegisteredRunner {
  readonly runner: Runner;
  readonly token: string;
}
