import type { Actor } from '#libs/access';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { IssueDescriptions, type DescribedIssue } from '../../planning/planning.api';
import { ClosingIssuesRepository } from './closing-issues.repository';

/** The issues that a merge request closes. */
@Injectable()
export class ClosedIssues {
  constructor(
    private readonly closing: ClosingIssuesRepository,
    private readonly issues: IssueDescriptions,
  ) {}

  /** Those that the actor may read, in the order of their ids. */
  async of(actor: Actor, mergeRequestId: number, request: PageRequest): Promise<Page<DescribedIssue>> {
    const page = await this.closing.page(mergeRequestId, actor.user, request);
    return { ...page, rows: await this.issues.ofIds(actor, page.rows) };
  }
}
