import { PROJECT_POLICY, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import { COUNT_LIMIT, offsetOf, pageOf, type Page, type PageRequest } from '#libs/paging';
import type { ParamsOf } from '#libs/http';
import type { FileDiff, GitRepository, LogQuery, Reference, Sha, Stats } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { withoutSurroundingSlashes } from '../paths/repository-path';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';
import type { CommitDetails, ListedCommit } from './commit';
import { requireCommit } from './commit-lookup';
import { CommitPipelines } from './commit-pipelines';
import type { CommitPath, CommitRefs, ListCommits, ReadCommit } from './commit.params';

const EMPTY: Page<ListedCommit> = { rows: [], total: 0, hasNext: false };

/** Reads of commits. */
@Injectable()
export class CommitsService {
  constructor(
    private readonly repositories: Repositories,
    private readonly pipelines: CommitPipelines,
  ) {}

  /** Newest first. An empty repository has an empty list; an unknown ref is a 404. */
  async list(
    project: Project,
    params: ParamsOf<typeof ListCommits>,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<ListedCommit>> {
    const repository = this.repositories.open(project, signal);
    const from = params.all ? 'all' : await startOf(repository, project, params.ref_name);
    if (from === null) return EMPTY;
    const query = queryOf(from, params);
    const [found, count] = await Promise.all([
      repository.log({ ...query, skip: offsetOf(page), limit: page.perPage + 1 }),
      repository.countCommits(query, COUNT_LIMIT + 1),
    ]);
    const shown = found.slice(0, page.perPage);
    const stats = params.with_stats
      ? await repository.statsOf(shown.map(({ sha }) => sha))
      : new Map<Sha, Stats>();
    return {
      rows: shown.map((commit) => ({ commit, stats: stats.get(commit.sha) ?? null })),
      total: count > COUNT_LIMIT ? null : count,
      hasNext: found.length > page.perPage,
    };
  }

  async find(actor: Actor, project: Project, params: ParamsOf<typeof ReadCommit>): Promise<CommitDetails> {
    const repository = this.repositories.open(project);
    const commit = await requireCommit(repository, params.sha);
    const [stats, lastPipeline] = await Promise.all([
      params.stats ? repository.stats(commit.sha) : null,
      PROJECT_POLICY.read_pipelines(actor, project) ? this.pipelines.latest(project.id, commit.sha) : null,
    ]);
    return { commit, stats, projectId: project.id, lastPipeline };
  }

  async refs(
    project: Project,
    params: ParamsOf<typeof CommitRefs>,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<Reference>> {
    const repository = this.repositories.open(project, signal);
    const commit = await requireCommit(repository, params.sha);
    return pageOf(await repository.refsContaining(commit.sha, params.type), page);
  }

  async diff(
    project: Project,
    params: ParamsOf<typeof CommitPath>,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<FileDiff>> {
    const repository = this.repositories.open(project, signal);
    const commit = await requireCommit(repository, params.sha);
    return pageOf(await repository.diff(commit.sha), page);
  }
}

/** Where a history walk begins; null in an empty repository. */
async function startOf(
  repository: GitRepository,
  project: Project,
  refName: string | undefined,
): Promise<Sha | null> {
  const revision = refName || project.defaultBranch;
  if (revision === null) return null;
  const sha = await repository.resolve(revision);
  if (sha === null && refName && project.defaultBranch !== null) throw notFound('Commit');
  return sha;
}

function pathIn(given: string | undefined): { path?: string } {
  const path = withoutSurroundingSlashes(given ?? '');
  return path === '' ? {} : { path };
}

const queryOf = (
  from: Sha | 'all',
  params: ParamsOf<typeof ListCommits>,
): Omit<LogQuery, 'skip' | 'limit'> => ({
  from,
  ...pathIn(params.path),
  ...(params.since && { since: params.since }),
  ...(params.until && { until: params.until }),
  ...(params.author && { author: params.author }),
});
