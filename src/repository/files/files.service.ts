import { signedIn, type Actor } from '#libs/access';
import { badRequest, notFound, type DomainError } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { isReadablePath, type FileAction, type FileEntry, type GitRepository, type Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { BranchCommits } from '../changes/branch-commits.service';
import { PushRights } from '../changes/push-rights';
import type { PushCheck } from '../changes/ref-moves.service';
import { sentContent } from '../changes/sent-content';
import { withoutLeadingSlashes } from '../paths/repository-path';
import type { Project } from '../projects/project.entity';
import { Repositories, STREAM_ABOVE } from '../storages/repositories';
import type { BlamedFile, FileChange, FileMetadata, FileWithContent, RawFile, StreamedFile } from './file';
import type { CreateFile, DeleteFile, ReadFile, UpdateFile } from './file.params';

type Located = { sha: Sha; path: string; entry: FileEntry };

const STALE_UPDATE = 'You are attempting to update a file that has changed since you started editing it.';
const STALE_DELETE = 'You are attempting to delete a file that has been previously updated.';

/** Repository files: reads of one file at a ref, and commits that change one file. */
@Injectable()
export class FilesService {
  constructor(
    private readonly repositories: Repositories,
    private readonly commits: BranchCommits,
    private readonly rights: PushRights,
  ) {}

  async metadata(project: Project, params: ParamsOf<typeof ReadFile>): Promise<FileMetadata> {
    const repository = this.repositories.open(project);
    return this.describe(repository, await locate(repository, params), params.ref);
  }

  /** With the content whole when small, as a stream when large: only then the signal is asked for, which is not free. */
  async withContent(
    project: Project,
    params: ParamsOf<typeof ReadFile>,
    signal: () => AbortSignal,
  ): Promise<FileWithContent | StreamedFile> {
    const repository = this.repositories.open(project);
    const located = await locate(repository, params);
    const { sha, size } = located.entry;
    if (size > STREAM_ABOVE) {
      const file = await this.describe(repository, located, params.ref);
      return { ...file, bytes: await this.repositories.open(project, signal()).blobStream(sha) };
    }
    const [file, content] = await Promise.all([
      this.describe(repository, located, params.ref),
      repository.blob(sha),
    ]);
    return { ...file, content };
  }

  /** As `withContent`. */
  async raw(
    project: Project,
    params: ParamsOf<typeof ReadFile>,
    signal: () => AbortSignal,
  ): Promise<RawFile> {
    const repository = this.repositories.open(project);
    const located = await locate(repository, params);
    const file = await this.describe(repository, located, params.ref);
    const { sha, size } = located.entry;
    const isLarge = size > STREAM_ABOVE;
    const bytes = isLarge
      ? await this.repositories.open(project, signal()).blobStream(sha)
      : await repository.blob(sha);
    return {
      ...file,
      bytes,
      isBinary: looksBinary(Buffer.isBuffer(bytes) ? bytes : await beginningOf(bytes)),
    };
  }

  async blame(project: Project, params: ParamsOf<typeof ReadFile>, signal: AbortSignal): Promise<BlamedFile> {
    const repository = this.repositories.open(project, signal);
    const located = await locate(repository, params);
    const [file, ranges] = await Promise.all([
      this.describe(repository, located, params.ref),
      repository.blame(located.sha, located.path),
    ]);
    return { file, ranges };
  }

  create(actor: Actor, project: Project, params: ParamsOf<typeof CreateFile>): Promise<FileChange> {
    return this.change(actor, project, params, async (path) => ({
      action: 'create',
      path,
      content: await sentContent(params.content, params.encoding),
    }));
  }

  update(actor: Actor, project: Project, params: ParamsOf<typeof UpdateFile>): Promise<FileChange> {
    const action = async (path: string): Promise<FileAction> => ({
      action: 'update',
      path,
      content: await sentContent(params.content, params.encoding),
      ...lastCommit(params),
    });
    return this.change(actor, project, params, action, STALE_UPDATE);
  }

  delete(actor: Actor, project: Project, params: ParamsOf<typeof DeleteFile>): Promise<FileChange> {
    const action = (path: string): Promise<FileAction> =>
      Promise.resolve({ action: 'delete', path, ...lastCommit(params) });
    return this.change(actor, project, params, action, STALE_DELETE);
  }

  private async change(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof DeleteFile>,
    actionOn: (path: string) => Promise<FileAction>,
    staleMessage?: string,
  ): Promise<FileChange> {
    const { branch } = params;
    const refusal = (): DomainError => badRequest('You are not allowed to push into this branch');
    await this.rights.requireEntry(actor, project, branch, refusal);
    const action = await actionOn(withoutLeadingSlashes(params.file_path));
    const requirePush: PushCheck = async (current, rules) => {
      if (!(await this.rights.mayPush(actor, current, branch, rules))) throw refusal();
    };
    await this.commits.commit(project, signedIn(actor), {
      branch,
      requirePush,
      message: params.commit_message,
      actions: [action],
      start: params.start_branch ? { project, branch: params.start_branch } : null,
      force: false,
      allowEmpty: false,
      authorName: params.author_name,
      authorEmail: params.author_email,
      ...(staleMessage !== undefined && { staleMessage }),
    });
    return { path: action.path, branch };
  }

  private async describe(
    repository: GitRepository,
    { sha, path, entry }: Located,
    ref: string,
  ): Promise<FileMetadata> {
    const [contentSha256, lastCommitId] = await Promise.all([
      repository.blobSha256(entry.sha),
      repository.lastCommit(sha, path),
    ]);
    return {
      path,
      ref,
      commitId: sha,
      lastCommitId: lastCommitId ?? sha,
      blobId: entry.sha,
      size: entry.size,
      contentSha256,
    };
  }
}

/** Finds the blob at the path of the ref. Throws "404 Commit Not Found", then "404 File Not Found". */
async function locate(repository: GitRepository, params: ParamsOf<typeof ReadFile>): Promise<Located> {
  const sha = await repository.resolve(params.ref);
  if (sha === null) throw notFound('Commit');
  const path = withoutLeadingSlashes(params.file_path);
  const entry = isReadablePath(path) ? await repository.file(sha, path) : null;
  if (!entry) throw notFound('File');
  return { sha, path, entry };
}

const lastCommit = ({
  last_commit_id: id,
}: {
  last_commit_id?: string | undefined;
}): { lastCommit?: string } => (id ? { lastCommit: id } : {});

/** The first bytes that a stream has, which stay in it. */
async function beginningOf(stream: Readable): Promise<Buffer> {
  await once(stream, 'readable');
  const first: unknown = stream.read();
  if (!Buffer.isBuffer(first)) return Buffer.alloc(0);
  stream.unshift(first);
  return first;
}

/** git's own rule: a NUL among the first 8,000 bytes. */
const looksBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8000).includes(0);
