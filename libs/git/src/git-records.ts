/** What the git engine is asked with and answers: plain data. */
/** A full object name: 40 lower-case hexadecimal digits. */
export type Sha = string;

/** The old or new value of a ref that does not exist. */
export const ZERO_SHA: Sha = '0'.repeat(40);

/** A bare repository: an absolute directory inside one of the storages. */
export interface RepositoryLocation {
  readonly path: string;
}

export interface Person {
  readonly name: string;
  readonly email: string;
  /** Unix time in seconds. */
  readonly time: number;
  /** The offset as git writes it: "+0200". */
  readonly offset: string;
}

export interface Commit {
  readonly sha: Sha;
  readonly tree: Sha;
  readonly parents: readonly Sha[];
  readonly author: Person;
  readonly committer: Person;
  /** The whole message, decoded to text (declared encoding honoured, invalid bytes replaced). */
  readonly message: string;
  /** Armored signature and the exact bytes it signs, when the commit carries a gpgsig header. */
  readonly hasSignature: boolean;
}

export interface SignedPayload {
  readonly signature: string;
  readonly payload: Buffer;
}

export interface Stats {
  readonly additions: number;
  readonly deletions: number;
}

export type EntryType = 'blob' | 'tree' | 'commit';

export interface TreeEntry {
  readonly sha: Sha;
  readonly name: string;
  /** Path from the repository's root. */
  readonly path: string;
  readonly type: EntryType;
  /** Six octal digits as `git ls-tree` prints them: "100644", "040000". */
  readonly mode: string;
}

/** A blob found at a path of a commit. */
export interface FileEntry {
  readonly sha: Sha;
  readonly mode: string;
  /** Bytes. */
  readonly size: number;
}

export interface FileDiff {
  readonly oldPath: string;
  readonly newPath: string;
  /** Octal modes; "0" for the missing side of a new or deleted file. */
  readonly oldMode: string;
  readonly newMode: string;
  readonly isNew: boolean;
  readonly isRenamed: boolean;
  readonly isDeleted: boolean;
  readonly isBinary: boolean;
  /** Unified diff from the first "@@" on; "Binary files a/x and b/x differ\n" for binaries; empty for a pure rename or mode change. */
  readonly text: string;
  /** The text was longer than the limit and is left out. */
  readonly isTooLarge: boolean;
}

export interface BlameRange {
  readonly commit: Commit;
  readonly lines: readonly string[];
}

export interface Branch {
  readonly name: string;
  readonly sha: Sha;
}

export interface Tag {
  readonly name: string;
  /** The ref's own object: the tag object of an annotated tag, else the commit. */
  readonly target: Sha;
  /** The commit it peels to, or null when it peels to something else. */
  readonly sha: Sha | null;
  /** The annotation, null for a lightweight tag. */
  readonly message: string | null;
}

export interface Reference {
  readonly type: 'branch' | 'tag';
  readonly name: string;
}

export interface LogQuery {
  /** Where the walk starts, or 'all' for every branch and tag. */
  readonly from: Sha | 'all';
  /** Commits reachable from here are left out. */
  readonly not?: Sha;
  /** Literal path; renames are not followed. */
  readonly path?: string;
  /** Inclusive bounds on the commit date. */
  readonly since?: Date;
  readonly until?: Date;
  /** Literal text looked for in "Name <email>". */
  readonly author?: string;
  readonly skip: number;
  readonly limit: number;
}

export interface ContributorStats extends Stats {
  readonly name: string;
  readonly email: string;
  readonly commits: number;
}

/** A path at which a commit has something and none of its parents has: added, moved or copied there. */
export interface NewPath {
  readonly commit: Sha;
  readonly path: string;
}

export interface NewBlob {
  /** One of its paths, '' for what no tree holds. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip';
