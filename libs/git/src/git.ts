/**
 * The git engine's interface: what the application may ask of a bare repository.
 * It knows no users and no projects. Every method validates the names and paths it is given (see `names.ts`).
 */
import type { Readable } from 'node:stream';
import { DomainError } from '#libs/errors';
import type {
  ArchiveFormat,
  BlameRange,
  Branch,
  Commit,
  ContributorStats,
  FileDiff,
  FileEntry,
  LogQuery,
  NewBlob,
  NewPath,
  Person,
  Reference,
  RepositoryLocation,
  Sha,
  SignedPayload,
  Stats,
  Tag,
  TreeEntry,
} from './git-records';
import type { RemoteCopy, RemoteLimits, RemoteRepository } from './remotes/remote';

export * from './git-records';

/** Everything that only reads. Anything keyed by a full sha is immutable and cached within a bound. */
export interface GitReader {
  /** The branch that HEAD names, or null while that branch is unborn. */
  headBranch(): Promise<string | null>;
  /**
   * The commit a branch, tag, HEAD, full ref name or (abbreviated, ≥ 4 digits) sha means; null when there is none.
   * As git does, a tag wins over a branch of the same name, and a ref over an abbreviated sha.
   * Revision syntax (`~`, `^`, `:`, `@{`, ranges) means nothing here and answers null.
   */
  resolve(revision: string): Promise<Sha | null>;
  /** The value of one full ref name ("refs/heads/main"), not peeled; null when there is none. */
  ref(name: string): Promise<Sha | null>;
  commit(sha: Sha): Promise<Commit | null>;
  /** Commits in the order asked; throws when one is missing. */
  commits(shas: readonly Sha[]): Promise<Commit[]>;
  log(query: LogQuery): Promise<Commit[]>;
  /** How many commits the query has (skip and limit aside), counted up to `most`. */
  countCommits(query: Omit<LogQuery, 'skip' | 'limit'>, most: number): Promise<number>;
  /** The signature of a commit and what it signs; null for an unsigned one. */
  signature(sha: Sha): Promise<SignedPayload | null>;
  /** Added and removed lines against the first parent (the empty tree for a root commit). */
  stats(sha: Sha): Promise<Stats>;
  statsOf(shas: readonly Sha[]): Promise<Map<Sha, Stats>>;
  /** Differences against the first parent (the empty tree for a root commit), renames detected. */
  diff(sha: Sha): Promise<FileDiff[]>;
  /** Differences between two commits' trees. */
  diffBetween(from: Sha, to: Sha): Promise<FileDiff[]>;
  /** The blob at `path`; null when there is nothing or a directory or submodule. */
  file(commit: Sha, path: string): Promise<FileEntry | null>;
  /** A blob's bytes; throws GitLimitError above `most` bytes (default 20 MiB). */
  blob(sha: Sha, most?: number): Promise<Buffer>;
  /** Size in bytes, or null when there is no such blob. */
  blobSize(sha: Sha): Promise<number | null>;
  /** Hexadecimal SHA-256 of a blob's bytes, computed without holding a large blob in memory. */
  blobSha256(sha: Sha): Promise<string>;
  /** A blob's bytes as a stream that honours back-pressure; ending it early frees what stands behind it. */
  blobStream(sha: Sha): Promise<Readable>;
  /** The newest commit reachable from `commit` that changed `path`. */
  lastCommit(commit: Sha, path: string): Promise<Sha | null>;
  blame(commit: Sha, path: string): Promise<BlameRange[]>;
  /** Entries of a directory ('' for the root), or null when there is no such directory. Directories first, then files. */
  tree(commit: Sha, path: string, options: { recursive: boolean }): Promise<TreeEntry[] | null>;
  /** Branches by name. */
  branches(): Promise<Branch[]>;
  /** Names of the branches whose tip is reachable from the commit. */
  branchesMergedInto(commit: Sha): Promise<Set<string>>;
  tags(): Promise<Tag[]>;
  tag(name: string): Promise<Tag | null>;
  /** Branches first, then tags, each by name. */
  refsContaining(sha: Sha, type: 'branch' | 'tag' | 'all'): Promise<Reference[]>;
  mergeBase(shas: readonly Sha[]): Promise<Sha | null>;
  isAncestor(ancestor: Sha, descendant: Sha): Promise<boolean>;
  contributors(from: Sha): Promise<ContributorStats[]>;
  /** The commits that the tips reach and no ref does, `most` of them at most. A tip may be any object. */
  newCommits(tips: readonly Sha[], most: number): Promise<Sha[]>;
  /** What the commits put where their parents have nothing; ending it early frees what stands behind it. */
  newPaths(commits: readonly Sha[]): AsyncIterable<NewPath>;
  /** A blob of more than so many bytes that the tips reach and no ref does; null when there is none. */
  newBlobAbove(tips: readonly Sha[], bytes: number): Promise<NewBlob | null>;
  archive(commit: Sha, options: { format: ArchiveFormat; prefix: string; path?: string }): Promise<Readable>;
  /** No branch and no tag exists. */
  isEmpty(): Promise<boolean>;
  /** Bytes on disk. */
  size(): Promise<number>;
}

export type FileAction =
  | { action: 'create'; path: string; content: Buffer; executable?: boolean }
  | { action: 'update'; path: string; content: Buffer; lastCommit?: string }
  | { action: 'delete'; path: string; lastCommit?: string }
  /** Without `content` the blob and its mode move as they are. */
  | { action: 'move'; path: string; previousPath: string; content?: Buffer; lastCommit?: string }
  | { action: 'chmod'; path: string; executable: boolean; lastCommit?: string };

export interface NewCommit {
  /** Parent and starting tree; null makes a root commit. */
  readonly base: Sha | null;
  /** Applied in order against one index. */
  readonly actions: readonly FileAction[];
  /** A commit whose tree equals its base's is refused with MergeConflictError('empty') unless this is true. */
  readonly allowEmpty?: boolean;
  readonly message: string;
  readonly author: Person;
  readonly committer: Person;
}

/** Why an action cannot be applied; nothing was written that a ref can reach. */
export type FileActionProblem =
  | 'exists' // create or move target is there already
  | 'missing' // update, delete, chmod or move source is not there
  | 'stale' // the file changed since lastCommit
  | 'traversal' // "..", absolute or otherwise hostile path
  | 'invalid_path'; // a component git must never hold: ".git" in any spelling, NUL, too long, a file where a directory is needed

export class FileActionError extends Error {
  constructor(
    readonly problem: FileActionProblem,
    readonly path: string,
    /** Position of the offending action. */
    readonly index: number,
  ) {
    super(`${problem}: ${path}`);
  }
}

/** The change could not be merged onto its target, or there would be nothing to commit. */
export class MergeConflictError extends Error {
  constructor(
    readonly reason: 'conflict' | 'empty',
    readonly paths: readonly string[],
  ) {
    super(reason);
  }
}

/** A ref was not where it was expected: another writer came first. Nothing was moved. */
export class RefConflictError extends Error {
  constructor(readonly ref: string) {
    super(`${ref} has moved`);
  }
}

/** A limit on time or output was reached; the process was stopped. Clients see that the service is unavailable. */
export class GitLimitError extends DomainError {
  constructor(readonly limit: string) {
    super({ kind: 'unavailable', message: 'The repository did not answer within its limits' });
  }
}

/** The caller's signal was aborted; the process was stopped. */
export class GitCancelledError extends Error {}

/** git failed in a way nobody foresaw. `stderr` is for the log only, never for a client. */
export class GitProcessError extends Error {
  constructor(
    message: string,
    readonly exitCode: number | null,
    readonly stderr: string,
  ) {
    super(message);
  }
}

/** One ref's move; ZERO_SHA as `oldSha` creates, as `newSha` deletes. */
export interface RefUpdate {
  /** Full name: "refs/heads/main". */
  readonly ref: string;
  readonly oldSha: Sha;
  readonly newSha: Sha;
}

/** One commit brought into another; `ours` is the one that goes on. */
export interface NewMerge {
  readonly ours: Sha;
  readonly theirs: Sha;
  readonly message: string;
  readonly author: Person;
  readonly committer: Person;
}

/** A branch, named by its tip, that is to go on from another commit than the one it began at. */
export interface NewRebase {
  readonly branch: Sha;
  readonly onto: Sha;
  /** Of the commits that are written anew; their authors stay. */
  readonly committer: Person;
}

/** Everything that makes objects or moves refs. Objects are durable before a method returns. */
export interface GitWriter {
  /** Writes a commit made by actions on a base; moves no ref. Throws FileActionError, MergeConflictError('empty'). */
  createCommit(commit: NewCommit): Promise<Sha>;
  /** Applies the change of `commit` (against its first parent) onto `onto`. Throws MergeConflictError. */
  cherryPick(pick: {
    commit: Sha;
    onto: Sha;
    message: string;
    author: Person;
    committer: Person;
  }): Promise<Sha>;
  /** Undoes the change of `commit` on `onto`. Throws MergeConflictError. */
  revert(revert: {
    commit: Sha;
    onto: Sha;
    message: string;
    author: Person;
    committer: Person;
  }): Promise<Sha>;
  /**
   * Whether the two merge without conflict; false also where they have no commit in common, as for git itself. Nothing
   * is written that stays.
   */
  canMerge(ours: Sha, theirs: Sha): Promise<boolean>;
  /**
   * A commit with both as its parents, in this order, even where one could simply move on to the other.
   * Throws MergeConflictError: 'conflict', and 'empty' where `ours` has all of `theirs` already.
   */
  merge(merge: NewMerge): Promise<Sha>;
  /** One commit upon `ours` with everything that `theirs` would bring. Throws MergeConflictError as `merge`. */
  squash(squash: NewMerge): Promise<Sha>;
  /**
   * Writes the commits that `branch` has and `onto` lacks anew on top of `onto`, each by its author, and answers the new
   * tip; merges are flattened, changes that are there already left out. Throws MergeConflictError('conflict'),
   * GitLimitError for too many commits.
   */
  rebase(rebase: NewRebase): Promise<Sha>;
  /** An annotated tag object; returns its sha and moves no ref. */
  tagObject(tag: { target: Sha; name: string; message: string; tagger: Person }): Promise<Sha>;
  /**
   * Moves all refs, or none: each is compared with its `oldSha` first. Throws RefConflictError.
   * The caller holds the repository's lock.
   */
  updateRefs(updates: readonly RefUpdate[]): Promise<void>;
  /** Points HEAD at a branch, born or not. */
  setHead(branch: string): Promise<void>;
  /**
   * Copies in what the shas reach in another repository. With `check` every object passes the test a push has to pass;
   * without (the default), as for forks and cross-project bases, it must have passed when it came to this service.
   * Throws GitProcessError.
   */
  fetchObjects(
    from: RepositoryLocation,
    shas: readonly Sha[],
    options?: { readonly check: boolean },
  ): Promise<void>;
}

export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** What a push asks for, shown before any ref moves. Objects are readable through `incoming`, still in quarantine. */
export interface PushProposal {
  readonly updates: readonly RefUpdate[];
  readonly incoming: GitReader;
  /** What `git push -o` sent. */
  readonly pushOptions: readonly string[];
}

/** Why a push is refused as a whole; each line reaches the pusher's terminal. */
export interface PushRefusal {
  readonly message: string;
}

export interface PushHandler {
  /**
   * Called once, after the objects came and before refs move. The implementation takes the repository's lock here
   * and keeps it until `finished` is called.
   */
  decide(proposal: PushProposal): Promise<PushRefusal | null>;
  /**
   * Called exactly once if `decide` was, whatever happened; `moved` holds the updates that took effect, and is null
   * where refs may have moved and nobody could find out which.
   */
  finished(moved: readonly RefUpdate[] | null): Promise<void>;
}

/** Smart HTTP, stateless: the application streams a request body in and the answer out. */
export interface GitTransport {
  /** The body of GET info/refs, service banner included (none for protocol version 2 fetches). */
  advertise(service: GitService, protocol: string | null): Promise<Readable>;
  uploadPack(body: Readable, protocol: string | null): Promise<Readable>;
  receivePack(body: Readable, protocol: string | null, handler: PushHandler): Promise<Readable>;
}

/** One repository. Cheap to make; `signal` stops whatever it has started. */
export interface GitRepository extends GitReader, GitWriter, GitTransport {}

/** What a look at a whole repository says. */
export interface Verification {
  /** Of all refs and what they point at, in whatever order they are kept; null where they cannot be read. */
  readonly checksum: Buffer | null;
  /** Why the repository is not whole, for operators alone; null where it is, and where it was not looked for. */
  readonly problem: string | null;
}

export interface VerificationOptions {
  readonly signal?: AbortSignal;
  /** With refs of this sum, objects are not looked at again. */
  readonly unless?: Buffer | null;
}

/** The engine. One instance per process. */
export abstract class Git {
  abstract open(location: RepositoryLocation, options?: { signal?: AbortSignal }): GitRepository;
  /** Makes an empty bare repository whose HEAD names `defaultBranch`. Idempotent. */
  abstract create(location: RepositoryLocation, defaultBranch: string): Promise<void>;
  abstract exists(location: RepositoryLocation): Promise<boolean>;
  /** Removes the repository's directory and forgets every process and cache entry of it. Idempotent. */
  abstract remove(location: RepositoryLocation): Promise<void>;
  /** Copies a bare repository from anywhere on this machine (for import); refs and objects, no hooks, no configuration. */
  abstract importFrom(sourcePath: string, location: RepositoryLocation): Promise<void>;
  /** Brings the commit-graph up to date with new tips; cheap, for after each write. */
  abstract refreshCommitGraph(location: RepositoryLocation, tips: readonly Sha[]): Promise<void>;
  /** Packs refs and objects with a grace period for unreachable ones. The caller holds the repository's lock. */
  abstract maintain(location: RepositoryLocation): Promise<void>;
  /** Whether a repository is whole, see verifyRepository. Throws GitLimitError, GitCancelledError. */
  abstract verify(location: RepositoryLocation, options?: VerificationOptions): Promise<Verification>;
  /** Removes what killed processes left half made or half removed below a storage's directory; returns how many. */
  abstract sweep(directory: string, signal: AbortSignal): Promise<number>;
  /**
   * Runs `work` with a copy of what a remote repository has, which is removed afterwards. The copy borrows the objects
   * of `location`, so that only new ones are fetched; what `work` wants of them it takes by `fetchObjects` with a check.
   * Throws RemoteError, GitCancelledError, GitProcessError, and what `work` throws.
   */
  abstract withRemote<T>(
    location: RepositoryLocation,
    remote: RemoteRepository,
    limits: RemoteLimits,
    work: (copy: RemoteCopy) => Promise<T>,
  ): Promise<T>;
  /**
   * A bare repository as a tar archive, whole and of one moment whatever is written meanwhile (see snapshotOf).
   * `keepingWritersOut` runs work under the repository's lock; it is asked for only where refs move all the time.
   */
  abstract snapshot(
    location: RepositoryLocation,
    options: {
      readonly signal?: AbortSignal;
      readonly keepingWritersOut: <T>(work: () => Promise<T>) => Promise<T>;
    },
  ): Promise<Readable>;
  /** The same archive for a repository that nobody has written to. */
  abstract emptySnapshot(): Readable;
  /** Stops every child process. */
  abstract close(): Promise<void>;
}
