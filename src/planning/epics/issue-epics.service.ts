import { isAdmin, Level, type Actor } from '#libs/access';
import { forbidden, notFound } from '#libs/errors';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { GroupReach, type Project, type ReachedGroup } from '../../repository/repository.api';
import type { Issue } from '../issues/issue.entity';
import { EpicIssuesRepository } from './epic-issues.repository';
import { EpicLinks } from './epic-links.service';
import type { PlacedEpic } from './epic-references';
import type { IssueEpic } from './issue-epic';

type NamedEpic = { readonly id: number } | { readonly iid: number };

/** The epics of issues, from the issues' side. Without a licence for epics there are none. */
@Injectable()
export class IssueEpics {
  constructor(
    private readonly links: EpicIssuesRepository,
    private readonly epicLinks: EpicLinks,
    private readonly reach: GroupReach,
    private readonly license: License,
  ) {}

  /** By the issue's id, in two queries: only epics of groups that the actor sees. */
  async ofIssues(actor: Actor, issueIds: readonly number[]): Promise<ReadonlyMap<number, IssueEpic>> {
    if (!this.license.has('epics') || issueIds.length === 0) return new Map();
    const found = await this.links.epicsOf(issueIds);
    if (found.size === 0) return new Map();
    const groupIds = [...new Set([...found.values()].map(({ epic }) => epic.groupId))];
    const seen = new Set((await this.reach.among(actor, groupIds)).map(({ id }) => id));
    const visible = [...found].filter(([, { epic }]) => seen.has(epic.groupId));
    return new Map(visible.map(([issueId, placed]) => [issueId, issueEpicOf(placed)]));
  }

  /**
   * Puts the issue into an epic of its project's group or of one above, or with null into none. Call it in the
   * transaction that holds the issue. Throws "404 Not found" for what is no such epic or hidden, and 403 for who may not
   * plan in its group. A number is one of the project's own group.
   */
  async assign(
    actor: Actor,
    issue: Pick<Issue, 'id' | 'iid'>,
    project: Project,
    named: NamedEpic | null,
  ): Promise<void> {
    if (!this.license.has('epics')) return;
    if (named === null) return this.release(actor, issue, project);
    const placed = await this.find(project, named);
    if (!placed) throw notFound();
    const above = { ancestors: true, descendants: false };
    requirePlanner(actor, placed, await this.reach.around(actor, project.namespaceId, above));
    await this.epicLinks.link(actor, placed, { issue, project });
  }

  /** Also out of an epic that the project has been moved away from. */
  private async release(actor: Actor, issue: Pick<Issue, 'id' | 'iid'>, project: Project): Promise<void> {
    const link = await this.links.ofIssue(issue.id);
    const placed = link && (await this.links.placed(link.epicId));
    if (!placed) return;
    requirePlanner(actor, placed, await this.reach.among(actor, [placed.epic.groupId]));
    await this.epicLinks.unlink(actor, placed, { issue, project }, link);
  }

  private find({ namespaceId }: Project, named: NamedEpic): Promise<PlacedEpic | null> {
    return 'id' in named ? this.links.placed(named.id) : this.links.placedByIid(namespaceId, named.iid);
  }
}

/** Throws "404 Not found" where the epic's group is not among those. */
function requirePlanner(actor: Actor, { epic }: PlacedEpic, seen: readonly ReachedGroup[]): void {
  const group = seen.find(({ id }) => id === epic.groupId);
  if (!group) throw notFound();
  if (group.level < Level.reporter && !isAdmin(actor)) throw forbidden();
}

const issueEpicOf = ({ epic, groupPath }: PlacedEpic): IssueEpic => ({
  id: epic.id,
  iid: epic.iid,
  title: epic.title,
  groupId: epic.groupId,
  groupPath,
});
