import type { Sha } from '#libs/git';

export interface Blob {
  readonly sha: Sha;
  /** Bytes. */
  readonly size: number;
  readonly content: Buffer;
}
