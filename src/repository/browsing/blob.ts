import type { Readable } from 'node:stream';
import type { Sha } from '#libs/git';

interface BlobIdentity {
  readonly sha: Sha;
  /** Bytes. */
  readonly size: number;
}

export interface Blob extends BlobIdentity {
  readonly content: Buffer;
}

/** A blob too large to be held in memory. */
export interface StreamedBlob extends BlobIdentity {
  readonly bytes: Readable;
}
