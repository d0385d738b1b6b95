import { signedIn, type Actor, type ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { invalid, notFound } from '#libs/errors';
import type { GitRepository, Sha } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import { Repositories, requireCommit, type Project } from '../../repository/repository.api';
import type { Pipeline } from '../pipelines/pipeline.entity';
import { PipelinesRepository } from '../pipelines/pipelines.repository';
import type { ListStatuses, ReportStatus } from './commit-status.params';
import type { AuthoredStatus } from './commit-status.presenter';
import { CommitStatusesRepository } from './commit-statuses.repository';

type Report = ParamsOf<typeof ReportStatus>;

const LONGEST_URL = 255;

/** Statuses that external systems report for commits, and the pipelines they belong to. */
@Injectable()
export class CommitStatuses {
  constructor(
    private readonly database: Database,
    private readonly repositories: Repositories,
    private readonly statuses: CommitStatusesRepository,
    private readonly pipelines: PipelinesRepository,
    private readonly users: UserDirectory,
  ) {}

  async list(project: Project, params: ParamsOf<typeof ListStatuses>, page: PageRequest): Promise<Page<AuthoredStatus>> {
    const commit = await requireCommit(this.repositories.open(project), params.sha);
    // Specification, Commits: `ref` is the default branch by default; `all` looks at every ref.
    const ref = params.ref || (params.all ? undefined : (project.defaultBranch ?? undefined));
    const found = await this.statuses.ofCommit(project.id, commit.sha, { ...params, ref }, page);
    const authors = await this.users.byIds(found.rows.map(({ authorId }) => authorId));
    return mapPage(found, (status) => ({ status, author: authors.get(status.authorId ?? 0) ?? null }));
  }

  /** Adds a status, or updates the one of the same name, and recounts its pipeline. */
  async report(actor: Actor, project: Project, params: Report): Promise<AuthoredStatus> {
    const user = signedIn(actor);
    requireWebUrl(params.target_url);
    const repository = this.repositories.open(project);
    const { sha } = await requireCommit(repository, params.sha);
    const ref = params.ref || (await firstBranchOf(repository, sha));
    const isTag = (await repository.ref(`refs/tags/${ref}`)) !== null;
    const status = await this.database.transaction(async () => {
      await this.pipelines.lockCommit(project.id, sha);
      const pipeline = await this.pipelineFor(project, user, sha, ref, isTag, params.pipeline_id);
      return this.record(pipeline, user, params);
    });
    const authors = await this.users.byIds([status.authorId]);
    return { status, author: authors.get(status.authorId ?? 0) ?? null };
  }

  private async record(pipeline: Pipeline, user: ActorUser, params: Report) {
    const name = params.name || params.context || 'default';
    const now = new Date();
    const known = await this.statuses.ofPipeline(pipeline.id);
    const { projectId, sha, ref } = pipeline;
    const status =
      known.find((other) => other.name === name) ??
      this.statuses.create({ projectId, sha, ref, pipelineId: pipeline.id, name, authorId: user.id });
    const { state, target_url: targetUrl, description, coverage } = params;
    status.report({ state, targetUrl, description, coverage }, now);
    const saved = await this.statuses.save(status);
    pipeline.recount([...known.filter((other) => other.id !== saved.id), saved], now);
    await this.pipelines.save(pipeline);
    return saved;
  }

  private async pipelineFor(
    project: Project,
    user: ActorUser,
    sha: Sha,
    ref: string,
    tag: boolean,
    id: number | undefined,
  ): Promise<Pipeline> {
    const known = await this.pipelines.findOfCommit(project.id, sha, id === undefined ? { ref } : { id });
    if (known) return known;
    if (id !== undefined) throw notFound('Pipeline');
    return this.pipelines.create({ projectId: project.id, sha, ref, tag, source: 'external', userId: user.id });
  }
}

/** The reference's default: the first branch, by name, that contains the commit. */
async function firstBranchOf(repository: GitRepository, sha: Sha): Promise<string> {
  const [first] = await repository.refsContaining(sha, 'branch');
  if (!first) throw notFound('References for commit');
  return first.name;
}

function requireWebUrl(url: string | undefined): void {
  if (url === undefined || url === '') return;
  if (url.length > LONGEST_URL) throw invalid({ target_url: ['is too long (maximum is 255 characters)'] });
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) {
    throw invalid({ target_url: ['is blocked: Only allowed schemes are http, https'] });
  }
}
