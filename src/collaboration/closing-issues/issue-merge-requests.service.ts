import type { Actor } from '#libs/access';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { IssueLookup } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import type { DescribedMergeRequest } from '../merge-requests/described-merge-request';
import { MergeRequestLists } from '../merge-requests/merge-request-lists.service';

type Found = Promise<Page<DescribedMergeRequest>>;

/** Merge requests that have to do with an issue; throws "404 Not found" where the caller sees no such issue. */
@Injectable()
export class IssueMergeRequests {
  constructor(
    private readonly issues: IssueLookup,
    private readonly lists: MergeRequestLists,
  ) {}

  /** Those that name it, that it names, or that close it. */
  async related(actor: Actor, project: Project, iid: number, page: PageRequest): Found {
    const { id } = await this.issues.require(actor, project, iid);
    return this.lists.at(actor, { kind: 'related', issueId: id }, page);
  }

  async closing(actor: Actor, project: Project, iid: number, page: PageRequest): Found {
    const { id } = await this.issues.require(actor, project, iid);
    return this.lists.at(actor, { kind: 'closing', issueId: id }, page);
  }
}
