import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Repositories, type Project } from '../../repository/repository.api';
import type { Pipeline } from './pipeline.entity';
import type { ListPipelines } from './pipeline.params';
import type { PipelineScope, PipelineSearch } from './pipeline-search';
import { PipelineSearchRepository } from './pipeline-search.repository';
import type { CiStatus } from './status';

type Wishes = ParamsOf<typeof ListPipelines>;

const STATUSES_OF_SCOPE: Readonly<Partial<Record<PipelineScope, readonly CiStatus[]>>> = {
  running: ['running'],
  pending: ['pending'],
  finished: ['success', 'failed', 'canceled'],
};
/** Of more branches or tags, those with later names are left out. */
const MOST_REFS = 10_000;

/** Finds the pipelines that a caller asks for. */
@Injectable()
export class PipelineSearches {
  constructor(
    private readonly search: PipelineSearchRepository,
    private readonly repositories: Repositories,
  ) {}

  async find(project: Project, wishes: Wishes, page: PageRequest): Promise<Page<Pipeline>> {
    const search: PipelineSearch = {
      statuses: statusesOf(wishes),
      // What is left empty asks for nothing, as in the reference.
      ref: wishes.ref || null,
      sha: wishes.sha || null,
      yamlErrors: wishes.yaml_errors ?? null,
      userIds: await this.usersOf(wishes),
      newestOf: await this.refsOf(project, wishes.scope),
      orderBy: wishes.order_by,
      sort: wishes.sort,
    };
    return this.search.find(project.id, search, page);
  }

  private async usersOf({ name, username }: Wishes): Promise<number[] | null> {
    return name || username ? this.search.users(name || null, username || null) : null;
  }

  private async refsOf(
    project: Project,
    scope: PipelineScope | undefined,
  ): Promise<PipelineSearch['newestOf']> {
    if (scope !== 'branches' && scope !== 'tags') return null;
    const repository = this.repositories.open(project);
    const refs = scope === 'tags' ? await repository.tags() : await repository.branches();
    return { refs: refs.slice(0, MOST_REFS).map(({ name }) => name), tag: scope === 'tags' };
  }
}

/** Both, where both are asked for. */
function statusesOf({ scope, status }: Wishes): readonly CiStatus[] | null {
  const ofScope = scope === undefined ? null : (STATUSES_OF_SCOPE[scope] ?? null);
  if (status === undefined) return ofScope;
  return ofScope === null || ofScope.includes(status) ? [status] : [];
}
