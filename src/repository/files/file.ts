import type { BlameRange, Sha } from '#libs/git';

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

export interface BlamedFile {
  readonly file: FileMetadata;
  readonly ranges: readonly BlameRange[];
}

/** The answer to a write: where the file now is. */
export interface FileChange {
  readonly path: string;
  readonly branch: string;
}
