import type { Actor } from '#libs/access';
import { badRequest } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { DescribedIssue } from '../issues/described-issue';
import { inGroup, IssueLists } from '../issues/issue-lists.service';
import type { Place } from '../labels/place';
import type { BurndownEvent } from './burndown-event';
import { MilestoneIssuesRepository } from './milestone-issues.repository';
import { OwnMilestones } from './own-milestones.service';

/** A chart of more could not be read; the answer is not paginated. */
const MOST_EVENTS = 50_000;

/** What a milestone is made of. */
@Injectable()
export class MilestoneIssues {
  constructor(
    private readonly milestones: OwnMilestones,
    private readonly issues: MilestoneIssuesRepository,
    private readonly lists: IssueLists,
  ) {}

  /** Those that the actor may see. Throws "404 Not found" for a milestone that is not the place's own. */
  async page(
    actor: Actor,
    place: Place,
    milestoneId: number,
    request: PageRequest,
  ): Promise<Page<DescribedIssue>> {
    const { id } = await this.milestones.require(place, milestoneId);
    return this.lists.ofMilestone(actor, inGroup({ id: place.namespaceId }), id, request);
  }

  /**
   * What a chart of the work that is left is drawn from: nothing where the milestone has no beginning or no end, as the
   * reference has it. Throws "404 Not found", and 400 for more events than a chart can show.
   */
  async burndown(actor: Actor, place: Place, milestoneId: number): Promise<readonly BurndownEvent[]> {
    const { id, startDate, dueDate } = await this.milestones.require(place, milestoneId);
    if (startDate === null || dueDate === null) return [];
    const today = new Date().toISOString().slice(0, 10);
    const lastDay = dueDate < today ? dueDate : today;
    const events = await this.issues.burndown(actor.user, { id, startDate, lastDay }, MOST_EVENTS + 1);
    if (events.length > MOST_EVENTS) {
      throw badRequest('Burndown chart could not be generated due to too many events');
    }
    return events;
  }
}
