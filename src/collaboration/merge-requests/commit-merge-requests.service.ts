import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Repositories, requireCommit, type Project } from '../../repository/repository.api';
import { MergeRequestLookup, type MergeRequestSummary } from './merge-request-lookup';

@Injectable()
export class CommitMergeRequests {
  constructor(
    private readonly repositories: Repositories,
    private readonly mergeRequests: MergeRequestLookup,
  ) {}

  /** Throws "404 Commit Not Found" for an unknown commit. */
  async list(project: Project, revision: string, page: PageRequest): Promise<Page<MergeRequestSummary>> {
    const { sha } = await requireCommit(this.repositories.open(project), revision);
    return this.mergeRequests.ofCommit(project.id, sha, page);
  }
}
