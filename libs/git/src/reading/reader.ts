import type { Readable } from 'node:stream';
import type * as git from '../git';
import { isSha } from '../names';
import type { RepositoryContext } from '../repository-context';
import { archiveOf, type ArchiveOptions } from './archive';
import { blameOf } from './blame';
import { signedPayload } from './commit-object';
import { contributorsOf } from './contributors';
import { Differences } from './differences';
import { diskSize } from './disk-size';
import { Files } from './files';
import { History } from './history';
import { NewObjects } from './new-objects';
import { Refs } from './refs';
import { Revisions } from './revisions';

type Sha = git.Sha;

/** The reading part of a repository: each method stands with its like in a file of its own. */
export class RepositoryReader implements git.GitReader {
  private readonly revisions: Revisions;
  private readonly refs: Refs;
  private readonly history: History;
  private readonly differences: Differences;
  private readonly files: Files;
  private readonly fresh: NewObjects;

  constructor(private readonly context: RepositoryContext) {
    this.revisions = new Revisions(context);
    this.refs = new Refs(context, this.revisions);
    this.history = new History(context);
    this.differences = new Differences(context);
    this.files = new Files(context);
    this.fresh = new NewObjects(context);
  }

  headBranch(): Promise<string | null> {
    return this.revisions.headBranch();
  }

  resolve(revision: string): Promise<Sha | null> {
    return this.revisions.resolve(revision);
  }

  ref(name: string): Promise<Sha | null> {
    return this.revisions.ref(name);
  }

  async commit(sha: Sha): Promise<git.Commit | null> {
    return isSha(sha) ? this.context.objects.commit(sha.toLowerCase()) : null;
  }

  commits(shas: readonly Sha[]): Promise<git.Commit[]> {
    return this.history.commits(shas);
  }

  log(query: git.LogQuery): Promise<git.Commit[]> {
    return this.history.log(query);
  }

  countCommits(query: Omit<git.LogQuery, 'skip' | 'limit'>, most: number): Promise<number> {
    return this.history.countCommits(query, most);
  }

  async signature(sha: Sha): Promise<git.SignedPayload | null> {
    const commit = await this.commit(sha);
    if (!commit?.hasSignature) return null;
    const raw = await this.context.objects.read(commit.sha);
    return raw && signedPayload(raw.content);
  }

  stats(sha: Sha): Promise<git.Stats> {
    return this.differences.stats(sha);
  }

  statsOf(shas: readonly Sha[]): Promise<Map<Sha, git.Stats>> {
    return this.differences.statsOf(shas);
  }

  diff(sha: Sha): Promise<git.FileDiff[]> {
    return this.differences.diff(sha);
  }

  diffBetween(from: Sha, to: Sha): Promise<git.FileDiff[]> {
    return this.differences.diffBetween(from, to);
  }

  file(commit: Sha, path: string): Promise<git.FileEntry | null> {
    return this.files.file(commit, path);
  }

  blob(sha: Sha, most?: number): Promise<Buffer> {
    return this.files.blob(sha, most);
  }

  async blobSize(sha: Sha): Promise<number | null> {
    return isSha(sha) ? this.files.blobSize(sha.toLowerCase()) : null;
  }

  blobSha256(sha: Sha): Promise<string> {
    return this.files.blobSha256(sha);
  }

  blobStream(sha: Sha): Promise<Readable> {
    return this.files.blobStream(sha);
  }

  lastCommit(commit: Sha, path: string): Promise<Sha | null> {
    return this.history.lastCommit(commit, path);
  }

  blame(commit: Sha, path: string): Promise<git.BlameRange[]> {
    return blameOf(this.context, this.files, commit, path);
  }

  tree(commit: Sha, path: string, options: { recursive: boolean }): Promise<git.TreeEntry[] | null> {
    return this.files.tree(commit, path, options);
  }

  branches(): Promise<git.Branch[]> {
    return this.refs.branches();
  }

  branchesMergedInto(commit: Sha): Promise<Set<string>> {
    return this.refs.branchesMergedInto(commit);
  }

  tags(): Promise<git.Tag[]> {
    return this.refs.tags();
  }

  tag(name: string): Promise<git.Tag | null> {
    return this.refs.tag(name);
  }

  refsContaining(sha: Sha, type: 'branch' | 'tag' | 'all'): Promise<git.Reference[]> {
    return this.refs.refsContaining(sha, type);
  }

  mergeBase(shas: readonly Sha[]): Promise<Sha | null> {
    return this.history.mergeBase(shas);
  }

  isAncestor(ancestor: Sha, descendant: Sha): Promise<boolean> {
    return this.history.isAncestor(ancestor, descendant);
  }

  contributors(from: Sha): Promise<git.ContributorStats[]> {
    return contributorsOf(this.context, from);
  }

  newCommits(tips: readonly Sha[], most: number): Promise<Sha[]> {
    return this.fresh.commits(tips, most);
  }

  newPaths(commits: readonly Sha[]): AsyncIterable<git.NewPath> {
    return this.fresh.paths(commits);
  }

  newBlobAbove(tips: readonly Sha[], bytes: number): Promise<git.NewBlob | null> {
    return this.fresh.blobAbove(tips, bytes);
  }

  archive(commit: Sha, options: ArchiveOptions): Promise<Readable> {
    return archiveOf(this.context, this.files, commit, options);
  }

  isEmpty(): Promise<boolean> {
    return this.refs.isEmpty();
  }

  size(): Promise<number> {
    return diskSize(this.context.location.path, this.context.signal);
  }
}
