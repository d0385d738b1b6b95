import { signedIn, type Actor, type ActorUser } from '#libs/access';
import { Database } from '#libs/database';
import { invalid } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import { Repositories, requireCommit, type Project } from '../../repository/repository.api';
import type { Pipeline } from '../pipelines/pipeline.entity';
import { PipelineProcessing } from '../pipelines/pipeline-processing';
import type { AuthoredStatus } from './authored-status';
import type { ListStatuses, ReportStatus } from './commit-status.params';
import { CommitStatusesRepository } from './commit-statuses.repository';
import { ReportedPipelines } from './reported-pipelines.service';

type Report = ParamsOf<typeof ReportStatus>;

const LONGEST_URL = 255;

/** Statuses of commits: those that external systems report, and those of this service's jobs. */
@Injectable()
export class CommitStatuses {
  constructor(
    private readonly database: Database,
    private readonly repositories: Repositories,
    private readonly statuses: CommitStatusesRepository,
    private readonly pipelines: ReportedPipelines,
    private readonly processing: PipelineProcessing,
    private readonly users: UserDirectory,
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
    return mapPage(found, (status) => ({
      status,
      project,
      author: authors.get(status.authorId ?? 0) ?? null,
    }));
  }

  /** Adds a status, or updates the one of the same name, and recounts its pipeline. */
  async report(actor: Actor, project: Project, params: Report): Promise<AuthoredStatus> {
    const user = signedIn(actor);
    requireWebUrl(params.target_url);
    const place = await this.pipelines.place(actor, project, params);
    const status = await this.database.transaction(async () => {
      const pipeline = await this.pipelines.hold(actor, project, place, params.pipeline_id);
      return this.record(pipeline, user, params);
    });
    const authors = await this.users.byIds([status.authorId]);
    return { status, project, author: authors.get(status.authorId ?? 0) ?? null };
  }

  private async record(pipeline: Pipeline, user: ActorUser, params: Report) {
    const name = params.name || params.context || 'default';
    const { projectId, sha, ref } = pipeline;
    const status =
      (await this.statuses.named(pipeline.id, name)) ??
      this.statuses.create({ projectId, sha, ref, pipelineId: pipeline.id, name, authorId: user.id });
    const { state, target_url: targetUrl, description, coverage } = params;
    status.report({ state, targetUrl, description, coverage }, new Date());
    const saved = await this.statuses.save(status);
    await this.processing.recount(pipeline);
    return saved;
  }
}

function requireWebUrl(url: string | undefined): void {
  if (url === undefined || url === '') return;
  if (url.length > LONGEST_URL) throw invalid({ target_url: ['is too long (maximum is 255 characters)'] });
  // A URL parser overlooks blanks and line breaks, which are then kept in the record.
  if (/[\s\p{Cc}]/u.test(url) || !URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) {
    throw invalid({ target_url: ['is blocked: Only allowed schemes are http, https'] });
  }
}
