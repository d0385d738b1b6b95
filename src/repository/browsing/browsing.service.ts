import type { Readable } from 'node:stream';
import { badRequest, notFound } from '#libs/errors';
import {
  isReadablePath,
  type Commit,
  type ContributorStats,
  type GitRepository,
  type Sha,
  type TreeEntry,
} from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { pageOf, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { withoutSurroundingSlashes } from '../paths/repository-path';
import type { Project } from '../projects/project.entity';
import { Repositories, STREAM_ABOVE } from '../storages/repositories';
import { archiveFormat, archiveName, type NamedArchive } from './archive';
import type { Blob, StreamedBlob } from './blob';
import type {
  BlobPath,
  Compare,
  DownloadArchive,
  FindMergeBase,
  ListContributors,
  ListTree,
} from './browsing.params';
import type { Comparison } from './comparison';

type BlobParams = ParamsOf<typeof BlobPath>;

/** More commits than this are not listed in a comparison. */
const MOST_COMPARED = 5_000;

/** Looks into a repository: directories, blobs, archives, comparisons, contributors. */
@Injectable()
export class BrowsingService {
  constructor(private readonly repositories: Repositories) {}

  /** Directories first, then files, then submodules. */
  async tree(
    project: Project,
    params: ParamsOf<typeof ListTree>,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<TreeEntry>> {
    const repository = this.repositories.open(project, signal);
    const { sha } = await requireRevision(repository, project, params.ref, 'Tree');
    const path = withoutSurroundingSlashes(params.path);
    const isReadable = path === '' || isReadablePath(path);
    const entries = isReadable ? await repository.tree(sha, path, { recursive: params.recursive }) : null;
    if (!entries) throw notFound('Tree');
    return pageOf(entries, page);
  }

  /** Whole when small, as a stream when large. */
  async blob(project: Project, params: BlobParams, signal: AbortSignal): Promise<Blob | StreamedBlob> {
    const sha = params.sha.toLowerCase();
    const size = await requireBlobSize(this.repositories.open(project), sha);
    if (size > STREAM_ABOVE)
      return { sha, size, bytes: await this.repositories.open(project, signal).blobStream(sha) };
    return { sha, size, content: await this.repositories.open(project).blob(sha) };
  }

  async blobSize(project: Project, { sha }: BlobParams): Promise<number> {
    return requireBlobSize(this.repositories.open(project), sha);
  }

  async rawBlob(
    project: Project,
    { sha }: BlobParams,
    signal: AbortSignal,
  ): Promise<{ size: number; bytes: Readable }> {
    const repository = this.repositories.open(project, signal);
    const size = await requireBlobSize(repository, sha);
    return { size, bytes: await repository.blobStream(sha.toLowerCase()) };
  }

  /** What the archive of a revision will be called. Throws "404 File Not Found" for an unknown one. */
  async archiveOf(
    project: Project,
    params: ParamsOf<typeof DownloadArchive>,
    suffix: string,
  ): Promise<NamedArchive> {
    const repository = this.repositories.open(project);
    const { sha, ref } = await requireRevision(repository, project, params.sha, 'File');
    return { name: archiveName(project.path, ref, sha), format: archiveFormat(suffix) };
  }

  async archive(
    project: Project,
    params: ParamsOf<typeof DownloadArchive>,
    suffix: string,
    signal: AbortSignal,
  ): Promise<{ archive: NamedArchive; bytes: Readable }> {
    const repository = this.repositories.open(project, signal);
    const { sha, ref } = await requireRevision(repository, project, params.sha, 'File');
    const name = archiveName(project.path, ref, sha);
    const format = archiveFormat(suffix);
    return {
      archive: { name, format },
      bytes: await repository.archive(sha, { format, prefix: `${name}/` }),
    };
  }

  async compare(
    project: Project,
    params: ParamsOf<typeof Compare>,
    signal: AbortSignal,
  ): Promise<Comparison> {
    const repository = this.repositories.open(project, signal);
    const [from, to] = await Promise.all([repository.resolve(params.from), repository.resolve(params.to)]);
    if (from === null || to === null) throw notFound('Ref');
    const base = params.straight ? from : await repository.mergeBase([from, to]);
    const [found, diffs] = await Promise.all([
      repository.log({ from: to, not: from, skip: 0, limit: MOST_COMPARED + 1 }),
      base === null ? [] : repository.diffBetween(base, to),
    ]);
    return {
      commits: found.slice(0, MOST_COMPARED).reverse(),
      diffs,
      isCut: found.length > MOST_COMPARED || diffs.some(({ isTooLarge }) => isTooLarge),
      isSameCommit: from === to,
    };
  }

  async contributors(
    project: Project,
    params: ParamsOf<typeof ListContributors>,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<ContributorStats>> {
    const repository = this.repositories.open(project, signal);
    const tip = project.defaultBranch === null ? null : await repository.resolve(project.defaultBranch);
    if (tip === null) return pageOf<ContributorStats>([], page);
    const ordered = (await repository.contributors(tip)).sort(contributorOrder(params.order_by));
    return pageOf(params.sort === 'asc' ? ordered : ordered.reverse(), page);
  }

  /** Throws 400 for fewer than two refs and for unknown ones, "404 Merge Base Not Found" where there is none. */
  async mergeBase(
    project: Project,
    { refs }: ParamsOf<typeof FindMergeBase>,
    signal: AbortSignal,
  ): Promise<Commit> {
    if (refs.length < 2) throw badRequest('Provide at least 2 refs');
    const repository = this.repositories.open(project, signal);
    const shas = await Promise.all(refs.map((ref) => repository.resolve(ref)));
    const unknown = refs.filter((_ref, index) => shas[index] === null);
    if (unknown.length > 0)
      throw badRequest(`Could not find ref${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`);
    const base = await repository.mergeBase(shas.flatMap((sha) => sha ?? []));
    const commit = base === null ? null : await repository.commit(base);
    if (!commit) throw notFound('Merge Base');
    return commit;
  }
}

/** The commit that a revision, or by default the default branch, means; `what` is told to be missing otherwise. */
async function requireRevision(
  repository: GitRepository,
  project: Project,
  given: string | undefined,
  what: string,
): Promise<{ sha: Sha; ref: string }> {
  const ref = given || project.defaultBranch;
  const sha = ref === null ? null : await repository.resolve(ref);
  if (ref === null || sha === null) throw notFound(what);
  return { sha, ref };
}

async function requireBlobSize(repository: GitRepository, sha: string): Promise<number> {
  const size = await repository.blobSize(sha);
  if (size === null) throw notFound('Blob');
  return size;
}

function contributorOrder(
  by: 'name' | 'email' | 'commits',
): (a: ContributorStats, b: ContributorStats) => number {
  const inTextOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return by === 'commits'
    ? (a, b) => a.commits - b.commits || inTextOrder(a.email, b.email)
    : (a, b) => inTextOrder(a[by], b[by]) || inTextOrder(a.email, b.email);
}
