import { atLeast, signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { conflict, DomainError, forbidden, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { AccessibleProjects, type Project } from '../../repository/repository.api';
import { IssueDescriptions } from '../issues/issue-descriptions.service';
import { IssueLookup, type FoundIssue } from '../issues/issue-lookup.service';
import { SystemNotes } from '../noteables/system-notes';
import type { CreateIssueLink, IssueLinkPath } from './issue-link.params';
import { relationNotes } from './issue-link-notes';
import { IssueLinksRepository } from './issue-links.repository';
import type { LinkedIssues, RelatedIssue } from './linked-issues';

/** Issues that have to do with each other. */
@Injectable()
export class IssueLinks {
  constructor(
    private readonly database: Database,
    private readonly links: IssueLinksRepository,
    private readonly issues: IssueLookup,
    private readonly projects: AccessibleProjects,
    private readonly descriptions: IssueDescriptions,
    private readonly notes: SystemNotes,
  ) {}

  /** What the issue is related to, as far as the caller may read it. Throws "404 Not found" for a hidden issue. */
  async list(
    actor: Actor,
    project: Project,
    issueIid: number,
    request: PageRequest,
  ): Promise<Page<RelatedIssue>> {
    const { id } = await this.issues.require(actor, project, issueIid);
    const page = await this.links.page(id, actor.user, request);
    const described = await this.descriptions.ofIds(
      actor,
      page.rows.map(({ issueId }) => issueId),
    );
    const byId = new Map(described.map((found) => [found.issue.id, found]));
    const rows = page.rows.flatMap(({ linkId, issueId }) => {
      const issue = byId.get(issueId);
      return issue ? [{ linkId, issue }] : [];
    });
    return { ...page, rows };
  }

  /**
   * Throws 404 for what is missing or hidden, "No Issue found for given params" where the caller may not update both,
   * and for an issue and itself; 409 for two that are related already.
   */
  async create(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof CreateIssueLink>,
  ): Promise<LinkedIssues> {
    const issue = await this.issues.require(actor, project, params.issue_iid);
    const there = await this.projects.require(actor, params.target_project_id);
    const targetIssue = await this.issues.require(there.actor, there.project, params.target_issue_iid);
    const [source, target] = [
      { issue, project, actor },
      { issue: targetIssue, ...there },
    ];
    requireRight([source, target], 'No Issue found for given params');
    if (issue.id === targetIssue.id) throw missing('No Issue found for given params');
    await this.database.transaction(async () => {
      if (!(await this.links.holdIssues([issue.id, targetIssue.id]))) throw notFound();
      const link = await this.links.insert(issue.id, targetIssue.id);
      if (!link) throw conflict('Issue(s) already assigned');
      await this.notes.record(relationNotes('relate', signedIn(actor).id, source, target));
    });
    return this.described(actor, source, target);
  }

  /**
   * Removes the relation for both. Throws "404 Not found" for what is none of the issue, or hidden at the other end, and
   * 404 "No Issue Link found" where the caller may not update both.
   */
  async remove(
    actor: Actor,
    project: Project,
    { issue_iid: iid, issue_link_id: linkId }: ParamsOf<typeof IssueLinkPath>,
  ): Promise<LinkedIssues> {
    const issue = await this.issues.require(actor, project, iid);
    const link = await this.links.find(issue.id, linkId);
    if (!link) throw notFound();
    const here = { issue, project, actor };
    const isSource = link.sourceId === issue.id;
    const there = await this.issues.requireById(actor, isSource ? link.targetId : link.sourceId);
    requireRight([here, there], 'No Issue Link found');
    await this.database.transaction(async () => {
      if (!(await this.links.remove(link.id))) throw notFound();
      await this.notes.record(relationNotes('unrelate', signedIn(actor).id, here, there));
    });
    return isSource ? this.described(actor, here, there) : this.described(actor, there, here);
  }

  private async described(actor: Actor, source: FoundIssue, target: FoundIssue): Promise<LinkedIssues> {
    return {
      source: await this.descriptions.describeOne(actor, source.issue),
      target: await this.descriptions.describeOne(actor, target.issue),
    };
  }
}

/** Reporters relate issues. The reference says that there is nothing rather than that they may not. */
function requireRight(ends: readonly FoundIssue[], refusal: string): void {
  if (!ends.every(({ actor, project }) => atLeast('reporter')(actor, project))) throw missing(refusal);
  if (ends.some(({ project }) => project.archived)) throw forbidden();
}

const missing = (message: string): DomainError => new DomainError({ kind: 'not_found', message });
