import { signedIn, type Actor } from '#libs/access';
import { Database, InternalIds, uniqueViolation } from '#libs/database';
import { invalid, notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Place } from '../labels/place';
import { MilestoneMoves } from './milestone-moves.service';
import { sequenceOf } from './milestone-sequence';
import { refuseInvalidMilestone, TITLE_IS_TAKEN } from './milestone-rules';
import type { Milestone } from './milestone.entity';
import type { CreateMilestone, ListMilestones, UpdateMilestone } from './milestone.params';
import { MilestonesRepository } from './milestones.repository';

/** The milestones that a project or group has itself. */
@Injectable()
export class OwnMilestones {
  constructor(
    private readonly database: Database,
    private readonly milestones: MilestonesRepository,
    private readonly internalIds: InternalIds,
    private readonly moves: MilestoneMoves,
  ) {}

  list(
    place: Place,
    { state, ...search }: ParamsOf<typeof ListMilestones>,
    request: PageRequest,
  ): Promise<Page<Milestone>> {
    return this.milestones.page(place, { ...search, ...(state !== 'all' && { state }) }, request);
  }

  /** By its id, not by its number. Throws "404 Not found". */
  async require(place: Place, id: number): Promise<Milestone> {
    const milestone = await this.milestones.find(place, id);
    if (!milestone) throw notFound();
    return milestone;
  }

  /** Throws `validation` for a title that is in use around, and for what no milestone may be. */
  create(place: Place, params: ParamsOf<typeof CreateMilestone>): Promise<Milestone> {
    const text = {
      title: params.title.trim(),
      description: params.description ?? null,
      startDate: params.start_date ?? null,
      dueDate: params.due_date ?? null,
      state: 'active',
    } as const;
    refuseInvalidMilestone(text);
    return this.naming(async () => {
      await this.holdTitle(place, text.title);
      const iid = await this.internalIds.next(sequenceOf(place));
      return this.milestones.insert(place, iid, text);
    });
  }

  /** As `create`; throws "404 Not found". */
  update(place: Place, params: ParamsOf<typeof UpdateMilestone>): Promise<Milestone> {
    const { milestone_id: id, title, description, start_date: startDate, due_date: dueDate } = params;
    return this.naming(async () => {
      // The titles before the milestone, as a promotion has it.
      if (title !== undefined) {
        await this.require(place, id);
        await this.holdTitle(place, title.trim(), id);
      }
      const milestone = await this.hold(place, id);
      if (title !== undefined) milestone.title = title.trim();
      if (description !== undefined) milestone.description = description;
      if (startDate !== undefined) milestone.startDate = startDate;
      if (dueDate !== undefined) milestone.dueDate = dueDate;
      if (params.state_event === 'close') milestone.close();
      if (params.state_event === 'activate') milestone.activate();
      refuseInvalidMilestone(milestone);
      const changed = await this.milestones.update(id, milestone);
      if (!changed) throw notFound();
      return changed;
    });
  }

  /** What has it has none afterwards, and says so. Throws "404 Not found". */
  delete(actor: Actor, place: Place, id: number, unmodifiedSince: Date | null): Promise<void> {
    const { id: byUserId } = signedIn(actor);
    return this.moves.attempt(async () => {
      const milestone = await this.hold(place, id);
      requireUnmodified(milestone.updatedAt, unmodifiedSince);
      await this.moves.discard(id, byUserId);
    });
  }

  private async hold(place: Place, id: number): Promise<Milestone> {
    const milestone = await this.milestones.hold(place, id);
    if (!milestone) throw notFound();
    return milestone;
  }

  /** A unit of work that gives a title. */
  private async naming<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      if (uniqueViolation(error) === null) throw error;
      throw titleIsTaken();
    }
  }

  private async holdTitle(place: Place, title: string, ownId?: number): Promise<void> {
    if (!(await this.milestones.holdTitles(place))) throw notFound();
    if (await this.milestones.isTitleTaken(place, title, ownId)) throw titleIsTaken();
  }
}

const titleIsTaken = () => invalid({ title: [TITLE_IS_TAKEN] });
