import type { BlameRange, Sha } from '#libs/git';
import type { Readable } from 'node:stream';

/** A file of a repository at a commit: what is known without its content. */
export interface FileMetadata {
  readonly path: string;
  /** The ref as the caller named it. */
  readonly ref: string;
  readonly commitId: Sha;
  readonly lastCommitId: Sha;
  readonly blobId: Sha;
  /** Bytes. */
  readonly size: number;
  readonly contentSha256: string;
}

export interface FileWithContent extends FileMetadata {
  readonly content: Buffer;
}

/** A file too large to be held in memory, its content not yet read. */
export interface StreamedFile extends FileMetadata {
  readonly bytes: Readable;
}

/** A file whose bytes are sent as they are. */
export interface RawFile extends FileMetadata {
  /** Whole when small, a stream when large. */
  readonly bytes: Buffer | Readable;
  readonly isBinary: boolean;
}

export interface BlamedFile {
  readonly file: FileMetadata;
  readonly ranges: readonly BlameRange[];
}

/** The answer to a write: where the file now is. */
export interface FileChange {
  readonly path: string;
  readonly branch: string;
}
