/**
 * What the server process and its spawn broker say to each other over the IPC channel: orders and outcomes only.
 * The bytes of a command's stdin and stdout never pass here (see `broker-child.ts`).
 */

/** The stdio streams that get a socket of their own. (`broker-child.ts` stands alone and repeats these figures.) */
export const STDIN_STREAM = 0;
export const STDOUT_STREAM = 1;

/** A socket announces itself by the command's id (unsigned 32 bits, big-endian) and the stream's number. */
export const ANNOUNCEMENT_BYTES = 5;

export interface SpawnOrder {
  readonly type: 'spawn';
  readonly id: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly hasInput: boolean;
  /** Of address space, for the command and each of its children; no limit when not given. */
  readonly memoryKib?: number;
}

/** Ends the whole process group: SIGTERM, and SIGKILL for what is left after a grace period. */
export interface KillOrder {
  readonly type: 'kill';
  readonly id: number;
}

export type BrokerOrder = SpawnOrder | KillOrder;

/** A command is over. `code` is 128 + n after signal n; `failure` says why it could not be started at all. */
export interface BrokerReport {
  readonly id: number;
  readonly code: number;
  readonly stderr: string;
  readonly failure?: string;
}
