import type { Readable } from 'node:stream';
import type * as git from './git';

type Sha = git.Sha;

/** The three parts of a repository behind one face; each method is its part's. */
export class OpenedRepository implements git.GitRepository {
  constructor(
    private readonly reader: git.GitReader,
    private readonly writer: git.GitWriter,
    private readonly transport: git.GitTransport,
  ) {}

  headBranch(): Promise<string | null> {
    return this.reader.headBranch();
  }

  resolve(revision: string): Promise<Sha | null> {
    return this.reader.resolve(revision);
  }

  ref(name: string): Promise<Sha | null> {
    return this.reader.ref(name);
  }

  commit(sha: Sha): Promise<git.Commit | null> {
    return this.reader.commit(sha);
  }

  commits(shas: readonly Sha[]): Promise<git.Commit[]> {
    return this.reader.commits(shas);
  }

  log(query: git.LogQuery): Promise<git.Commit[]> {
    return this.reader.log(query);
  }

  countCommits(query: Omit<git.LogQuery, 'skip' | 'limit'>, most: number): Promise<number> {
    return this.reader.countCommits(query, most);
  }

  signature(sha: Sha): Promise<git.SignedPayload | null> {
    return this.reader.signature(sha);
  }

  stats(sha: Sha): Promise<git.Stats> {
    return this.reader.stats(sha);
  }

  statsOf(shas: readonly Sha[]): Promise<Map<Sha, git.Stats>> {
    return this.reader.statsOf(shas);
  }

  diff(sha: Sha): Promise<git.FileDiff[]> {
    return this.reader.diff(sha);
  }

  diffBetween(from: Sha, to: Sha): Promise<git.FileDiff[]> {
    return this.reader.diffBetween(from, to);
  }

  file(commit: Sha, path: string): Promise<git.FileEntry | null> {
    return this.reader.file(commit, path);
  }

  blob(sha: Sha, most?: number): Promise<Buffer> {
    return this.reader.blob(sha, most);
  }

  blobSize(sha: Sha): Promise<number | null> {
    return this.reader.blobSize(sha);
  }

  blobSha256(sha: Sha): Promise<string> {
    return this.reader.blobSha256(sha);
  }

  blobStream(sha: Sha): Promise<Readable> {
    return this.reader.blobStream(sha);
  }

  lastCommit(commit: Sha, path: string): Promise<Sha | null> {
    return this.reader.lastCommit(commit, path);
  }

  blame(commit: Sha, path: string): Promise<git.BlameRange[]> {
    return this.reader.blame(commit, path);
  }

  tree(commit: Sha, path: string, options: { recursive: boolean }): Promise<git.TreeEntry[] | null> {
    return this.reader.tree(commit, path, options);
  }

  branches(): Promise<git.Branch[]> {
    return this.reader.branches();
  }

  branchesMergedInto(commit: Sha): Promise<Set<string>> {
    return this.reader.branchesMergedInto(commit);
  }

  tags(): Promise<git.Tag[]> {
    return this.reader.tags();
  }

  tag(name: string): Promise<git.Tag | null> {
    return this.reader.tag(name);
  }

  refsContaining(sha: Sha, type: 'branch' | 'tag' | 'all'): Promise<git.Reference[]> {
    return this.reader.refsContaining(sha, type);
  }

  mergeBase(shas: readonly Sha[]): Promise<Sha | null> {
    return this.reader.mergeBase(shas);
  }

  isAncestor(ancestor: Sha, descendant: Sha): Promise<boolean> {
    return this.reader.isAncestor(ancestor, descendant);
  }

  contributors(from: Sha): Promise<git.ContributorStats[]> {
    return this.reader.contributors(from);
  }

  newCommits(tips: readonly Sha[], most: number): Promise<Sha[]> {
    return this.reader.newCommits(tips, most);
  }

  newPaths(commits: readonly Sha[]): AsyncIterable<git.NewPath> {
    return this.reader.newPaths(commits);
  }

  newBlobAbove(tips: readonly Sha[], bytes: number): Promise<git.NewBlob | null> {
    return this.reader.newBlobAbove(tips, bytes);
  }

  archive(commit: Sha, options: Parameters<git.GitReader['archive']>[1]): Promise<Readable> {
    return this.reader.archive(commit, options);
  }

  isEmpty(): Promise<boolean> {
    return this.reader.isEmpty();
  }

  size(): Promise<number> {
    return this.reader.size();
  }

  createCommit(commit: git.NewCommit): Promise<Sha> {
    return this.writer.createCommit(commit);
  }

  cherryPick(pick: Parameters<git.GitWriter['cherryPick']>[0]): Promise<Sha> {
    return this.writer.cherryPick(pick);
  }

  revert(revert: Parameters<git.GitWriter['revert']>[0]): Promise<Sha> {
    return this.writer.revert(revert);
  }

  canMerge(ours: Sha, theirs: Sha): Promise<boolean> {
    return this.writer.canMerge(ours, theirs);
  }

  merge(merge: git.NewMerge): Promise<Sha> {
    return this.writer.merge(merge);
  }

  squash(squash: git.NewMerge): Promise<Sha> {
    return this.writer.squash(squash);
  }

  rebase(rebase: git.NewRebase): Promise<Sha> {
    return this.writer.rebase(rebase);
  }

  tagObject(tag: Parameters<git.GitWriter['tagObject']>[0]): Promise<Sha> {
    return this.writer.tagObject(tag);
  }

  updateRefs(updates: readonly git.RefUpdate[]): Promise<void> {
    return this.writer.updateRefs(updates);
  }

  setHead(branch: string): Promise<void> {
    return this.writer.setHead(branch);
  }

  fetchObjects(...args: Parameters<git.GitWriter['fetchObjects']>): Promise<void> {
    return this.writer.fetchObjects(...args);
  }

  advertise(service: git.GitService, protocol: string | null): Promise<Readable> {
    return this.transport.advertise(service, protocol);
  }

  uploadPack(body: Readable, protocol: string | null): Promise<Readable> {
    return this.transport.uploadPack(body, protocol);
  }

  receivePack(body: Readable, protocol: string | null, handler: git.PushHandler): Promise<Readable> {
    return this.transport.receivePack(body, protocol, handler);
  }
}
