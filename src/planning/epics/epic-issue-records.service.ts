import type { Actor } from '#libs/access';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';
import { IssueDescriptions } from '../issues/issue-descriptions.service';
import type { Issue } from '../issues/issue.entity';
import type { DescribedEpicIssue, DescribedEpicLink } from './described-epic-issue';
import { EpicDescriptions } from './epic-descriptions.service';
import type { EpicIssue } from './epic-issue.entity';
import { EpicIssuesRepository } from './epic-issues.repository';
import type { Epic } from './epic.entity';

/** Puts together what records tell of the issues of epics. */
@Injectable()
export class EpicIssueRecords {
  constructor(
    private readonly links: EpicIssuesRepository,
    private readonly issues: IssueDescriptions,
    private readonly epics: EpicDescriptions,
  ) {}

  /** As far as the caller may read them, with a constant number of queries. */
  async list(actor: Actor, epic: Epic, request: PageRequest): Promise<Page<DescribedEpicIssue>> {
    const page = await this.links.page(epic.id, actor.user, request);
    const described = await this.issues.ofIds(
      actor,
      page.rows.map(({ issueId }) => issueId),
    );
    const byId = new Map(described.map((found) => [found.issue.id, found]));
    const rows = page.rows.flatMap((link) => {
      const issue = byId.get(link.issueId);
      return issue ? [{ link, issue }] : [];
    });
    return { ...page, rows };
  }

  async link(
    actor: Actor,
    group: Namespace,
    epic: Epic,
    issue: Issue,
    link: EpicIssue,
  ): Promise<DescribedEpicLink> {
    return {
      link,
      epic: await this.epics.describeOne(actor, group, epic),
      issue: await this.issues.describeOne(actor, issue),
    };
  }
}
