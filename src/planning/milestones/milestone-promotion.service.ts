import { atLeast, type Actor } from '#libs/access';
import { InternalIds } from '#libs/database';
import { badRequest, forbidden, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { GroupReach, type Project } from '../../repository/repository.api';
import { placeOfGroup, placeOfProject } from '../labels/place';
import { PlaceLocks } from '../labels/place-locks.repository';
import { sequenceOf } from './milestone-sequence';
import { MilestoneMovesRepository } from './milestone-moves.repository';
import { MilestoneMoves } from './milestone-moves.service';
import { TITLE_IS_TAKEN } from './milestone-rules';
import type { Milestone } from './milestone.entity';
import { MilestonesRepository } from './milestones.repository';

/** Makes a project's milestone one of its group, for all projects there. */
@Injectable()
export class MilestonePromotion {
  constructor(
    private readonly milestones: MilestonesRepository,
    private readonly namesakes: MilestoneMovesRepository,
    private readonly moves: MilestoneMoves,
    private readonly internalIds: InternalIds,
    private readonly groups: GroupReach,
    private readonly places: PlaceLocks,
  ) {}

  /**
   * Milestones of the same title in other projects right in the group become one with it, and are gone: whatever had one
   * of them has the group's. All or nothing. Throws 403 for a project without a group and for whoever may not manage the
   * group's milestones, "404 Not found", 400 where the group has such a milestone.
   */
  async promote(actor: Actor, project: Project, id: number): Promise<void> {
    await this.requireDeveloper(actor, project.namespaceId);
    await this.moves.attempt(() => this.move(project, id));
  }

  private async move(project: Project, id: number): Promise<void> {
    const [own, group] = [placeOfProject(project), placeOfGroup({ id: project.namespaceId })];
    const kept = await this.keepNamesakes(project, id);
    // Two promotions in a group come one after the other, and nobody gives a title there meanwhile.
    if (!(await this.milestones.holdTitles(own))) throw notFound();
    const milestone = await this.milestones.hold(own, id);
    if (!milestone) throw notFound();
    const found = await this.namesakes.namesakes(group.namespaceId, milestone.title);
    const merged = found.filter(({ projectId }) => kept.has(projectId)).map((namesake) => namesake.id);
    const promoted = await this.insert(group.namespaceId, milestone);
    await this.moves.retire(merged, promoted.id);
  }

  /** Whoever left the group meanwhile would take along a milestone of it that theirs has become. Answers the projects. */
  private async keepNamesakes(project: Project, id: number): Promise<ReadonlySet<number>> {
    const milestone = await this.milestones.find(placeOfProject(project), id);
    if (!milestone) throw notFound();
    const found = await this.namesakes.namesakes(project.namespaceId, milestone.title);
    const kept = new Set([project.id, ...found.map(({ projectId }) => projectId)]);
    await this.places.keepAll([...kept]);
    return kept;
  }

  private async insert(groupId: number, milestone: Milestone): Promise<Milestone> {
    const group = placeOfGroup({ id: groupId });
    if (await this.milestones.isTitleTakenByGroup(groupId, milestone.title)) {
      throw badRequest(`Promotion failed - Title ${TITLE_IS_TAKEN}`);
    }
    return this.milestones.insert(group, await this.internalIds.next(sequenceOf(group)), milestone);
  }

  private async requireDeveloper(actor: Actor, groupId: number): Promise<void> {
    const [group] = await this.groups.around(actor, groupId, { descendants: false, ancestors: false });
    if (!group || !atLeast('developer')({ ...actor, level: group.level }, null)) throw forbidden();
  }
}
