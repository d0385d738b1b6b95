import type { Actor } from '#libs/access';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Repositories, requireCommit, type Project } from '../../repository/repository.api';
import type { DescribedMergeRequest } from './described-merge-request';
import { MergeRequestLists } from './merge-request-lists.service';

@Injectable()
export class CommitMergeRequests {
  constructor(
    private readonly repositories: Repositories,
    private readonly lists: MergeRequestLists,
  ) {}

  /** Those that bring the commit, or were merged by it. Throws "404 Commit Not Found" for an unknown commit. */
  async list(
    actor: Actor,
    project: Project,
    revision: string,
    page: PageRequest,
  ): Promise<Page<DescribedMergeRequest>> {
    const { sha } = await requireCommit(this.repositories.open(project), revision);
    return this.lists.at(actor, { kind: 'commit', projectId: project.id, sha }, page);
  }
}
