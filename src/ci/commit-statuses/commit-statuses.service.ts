import { signedIn, type Actor, type ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { invalid, notFound } from '#libs/errors';
import { Events } from '#libs/events';
import type { GitRepository, Sha } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import { Repositories, requireCommit, type Project } from '../../repository/repository.api';
import { pipelineChanged } from '../pipelines/pipeline-changed.event';
import type { Pipeline } from '../pipelines/pipeline.entity';
import { PipelinesRepository } from '../pipelines/pipelines.repository';
import type { ListStatuses, ReportStatus } from './commit-status.params';
import type { AuthoredStatus } from './authored-status';
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
    private readonly events: Events,
  ) {}

  async list(
    project: Project,
    params: ParamsOf<typeof ListStatuses>,
    page: PageRequest,
  ): Promise<Page<AuthoredStatus>> {
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
    const home = params.pipeline_id === undefined ? await homeOf(repository, sha, params.ref) : null;
    const status = await this.database.transaction(async () => {
      await this.pipelines.lockCommit(project.id, sha);
      const pipeline = home
        ? await this.pipelineOn(home, project, user, sha)
        : await this.pipelines.findOfCommit(project.id, sha, { id: params.pipeline_id ?? 0 });
      if (!pipeline) throw notFound();
      return this.record(pipeline, user, params);
    });
    const authors = await this.users.byIds([status.authorId]);
    return { status, author: authors.get(status.authorId ?? 0) ?? null };
  }

  private async record(pipeline: Pipeline, user: ActorUser, params: Report) {
    const name = params.name || params.context || 'default';
    const now = new Date();
    const { projectId, sha, ref } = pipeline;
    const status =
      (await this.statuses.named(pipeline.id, name)) ??
      this.statuses.create({ projectId, sha, ref, pipelineId: pipeline.id, name, authorId: user.id });
    const { state, target_url: targetUrl, description, coverage } = params;
    status.report({ state, targetUrl, description, coverage }, now);
    const saved = await this.statuses.save(status);
    const { status: before } = pipeline;
    pipeline.recount(await this.statuses.counted(pipeline.id), now);
    await this.pipelines.save(pipeline);
    if (pipeline.status !== before) await this.tell(pipeline);
    return saved;
  }

  private tell({ projectId, id: pipelineId, status }: Pipeline): Promise<void> {
    return this.events.emit(pipelineChanged, { projectId, pipelineId, status });
  }

  private async pipelineOn(
    { ref, tag }: Home,
    project: Project,
    user: ActorUser,
    sha: Sha,
  ): Promise<Pipeline> {
    const known = await this.pipelines.findOfCommit(project.id, sha, { ref });
    if (known) return known;
    const values = { projectId: project.id, sha, ref, tag, source: 'external', userId: user.id };
    const pipeline = await this.pipelines.create(values);
    await this.tell(pipeline);
    return pipeline;
  }
}

/** The branch or tag that a report is about. */
interface Home {
  readonly ref: string;
  readonly tag: boolean;
}

async function homeOf(repository: GitRepository, sha: Sha, given: string | undefined): Promise<Home> {
  const ref = given || (await firstBranchOf(repository, sha));
  return { ref, tag: (await repository.ref(`refs/tags/${ref}`)) !== null };
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
  // A URL parser overlooks blanks and line breaks, which are then kept in the record.
  if (/[\s\p{Cc}]/u.test(url) || !URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) {
    throw invalid({ target_url: ['is blocked: Only allowed schemes are http, https'] });
  }
}
