/**
 * What the server's event loop and its disk threads say to each other. (`disk-thread.ts` stands alone: only types may
 * come from here.)
 */

/** Loose objects to be written so that they survive a crash of the machine. */
export interface StoreOrder {
  readonly type: 'store';
  readonly id: number;
  /** Absolute path of the repository's `objects` folder. */
  readonly directory: string;
  /** The objects' names, each with how many of `bytes` are its header and body, in order. */
  readonly objects: readonly { readonly sha: string; readonly size: number }[];
  readonly bytes: Uint8Array;
}

/** A branch to be moved by compare-and-swap, under git's own lock on it. */
export interface MoveOrder {
  readonly type: 'move';
  readonly id: number;
  /** Absolute path of the ref's file. */
  readonly file: string;
  readonly oldSha: string;
  readonly newSha: string;
}

export type DiskOrder = StoreOrder | MoveOrder;

/** `isDone` is false where git has to be asked instead; then nothing has changed. */
export type DiskAnswer =
  | { readonly id: number; readonly isDone: boolean }
  | {
      readonly id: number;
      readonly failure: { readonly message: string; readonly code: string | undefined };
    };
