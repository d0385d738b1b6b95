import type { Actor } from '#libs/access';
import { Database } from '#libs/database';
import { conflict, DomainError, notFound } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';
import { IssueLookup } from '../issues/issue-lookup.service';
import type { DescribedEpicIssue, DescribedEpicLink } from './described-epic-issue';
import type { EpicIssue } from './epic-issue.entity';
import type { EpicIssuePath, MoveEpicIssue, NewEpicIssue } from './epic-issue.params';
import { EpicIssueRecords } from './epic-issue-records.service';
import { EpicIssuesRepository } from './epic-issues.repository';
import { EpicLinks } from './epic-links.service';
import type { Epic } from './epic.entity';
import { Epics } from './epics.service';

/** The issues of a group's epics. All throw "404 Not found" for an epic or association that there is not. */
@Injectable()
export class EpicIssues {
  constructor(
    private readonly database: Database,
    private readonly epics: Epics,
    private readonly links: EpicIssuesRepository,
    private readonly epicLinks: EpicLinks,
    private readonly issues: IssueLookup,
    private readonly records: EpicIssueRecords,
  ) {}

  async list(
    actor: Actor,
    group: Namespace,
    epicIid: number,
    request: PageRequest,
  ): Promise<Page<DescribedEpicIssue>> {
    return this.records.list(actor, await this.epics.require(group, epicIid), request);
  }

  /**
   * Takes it out of the epic that it is in. Throws 404 for an issue that is hidden or in no project of the group, and
   * 409 for one that is in the epic already.
   */
  async add(
    actor: Actor,
    group: Namespace,
    { epic_iid: epicIid, issue_id: issueId }: ParamsOf<typeof NewEpicIssue>,
  ): Promise<DescribedEpicLink> {
    const epic = await this.epics.require(group, epicIid);
    const { issue, project } = await this.issues.requireById(actor, issueId);
    if (!(await this.links.isInside(project.namespaceId, group.id))) throw noSuchIssue();
    const link = await this.database.transaction(async () => {
      await this.epicLinks.keepPlace(project);
      if (!(await this.links.holdIssue(issue.id))) throw notFound();
      const placed = { epic, groupPath: group.fullPath };
      const made = await this.epicLinks.link(actor, placed, { issue, project });
      if (!made) throw conflict('Issue(s) already assigned');
      return made;
    });
    return this.records.link(actor, group, epic, issue, link);
  }

  async remove(
    actor: Actor,
    group: Namespace,
    { epic_iid: epicIid, epic_issue_id: linkId }: ParamsOf<typeof EpicIssuePath>,
  ): Promise<DescribedEpicLink> {
    const epic = await this.epics.require(group, epicIid);
    const found = await this.links.find(epic.id, linkId);
    if (!found) throw notFound();
    const { issue, project } = await this.issues.requireById(actor, found.issueId);
    const link = await this.database.transaction(async () => {
      await this.links.holdIssue(issue.id);
      // It may have gone into another epic meanwhile.
      const held = await this.links.find(epic.id, linkId);
      if (!held) throw notFound();
      await this.epicLinks.unlink(actor, { epic, groupPath: group.fullPath }, { issue, project }, held);
      return held;
    });
    return this.records.link(actor, group, epic, issue, link);
  }

  /** Between two others, or next to one; answers the epic's issues as they are then. */
  async move(
    actor: Actor,
    group: Namespace,
    params: ParamsOf<typeof MoveEpicIssue>,
    request: PageRequest,
  ): Promise<Page<DescribedEpicIssue>> {
    const epic = await this.epics.require(group, params.epic_iid);
    await this.database.transaction(async () => {
      await this.links.hold([epic.id]);
      const link = await this.require(epic, params.epic_issue_id);
      await this.issues.requireById(actor, link.issueId);
      const { move_before_id: before, move_after_id: after } = params;
      const room = (await this.roomFor(epic, link, before, after)) ?? (await this.moreRoom(epic, params));
      if (room !== null) await this.links.place(link.id, room);
    });
    return this.records.list(actor, epic, request);
  }

  /** Positions run out between two that were parted often: all are then set apart anew. */
  private async moreRoom(epic: Epic, params: ParamsOf<typeof MoveEpicIssue>): Promise<number | null> {
    const { move_before_id: before, move_after_id: after } = params;
    if (before === undefined && after === undefined) return null;
    await this.links.spread(epic.id);
    return this.roomFor(epic, await this.require(epic, params.epic_issue_id), before, after);
  }

  /** A free position; null where there is none, or none is asked for. */
  private async roomFor(
    epic: Epic,
    link: EpicIssue,
    beforeId: number | undefined,
    afterId: number | undefined,
  ): Promise<number | null> {
    const before = beforeId === undefined ? null : (await this.require(epic, beforeId)).relativePosition;
    const after = afterId === undefined ? null : (await this.require(epic, afterId)).relativePosition;
    if (before === null && after === null) return null;
    const low = before ?? (await this.links.neighbour(link, after ?? 0, 'before'));
    const high = after ?? (await this.links.neighbour(link, before ?? 0, 'after'));
    return between(low, high);
  }

  private async require(epic: Epic, linkId: number): Promise<EpicIssue> {
    const link = await this.links.find(epic.id, linkId);
    if (!link) throw notFound();
    return link;
  }
}

const DISTANCE = 500;

/** A position between two, in whichever order they are named; beyond the one where there is no other. */
function between(one: number | null, other: number | null): number | null {
  if (one === null) return other === null ? null : other - DISTANCE;
  if (other === null) return one + DISTANCE;
  const middle = Math.floor((one + other) / 2);
  return middle === one || middle === other ? null : middle;
}

const noSuchIssue = (): DomainError =>
  new DomainError({ kind: 'not_found', message: 'No Issue found for given params' });
