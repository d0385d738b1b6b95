import { InternalIds } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { placeOfProject, type Place } from '../labels/place';
import { MilestoneBearers } from '../noteables/milestone-bearers';
import { sequenceOf } from './milestone-sequence';
import { MilestoneTransferRepository } from './milestone-transfer.repository';
import type { Milestone } from './milestone.entity';
import { MilestonesRepository } from './milestones.repository';

/** Milestones of the groups that a project leaves: what it has of them becomes its own, or that of its new groups. */
@Injectable()
export class MilestoneTransfer {
  constructor(
    private readonly milestones: MilestonesRepository,
    private readonly transfers: MilestoneTransferRepository,
    private readonly bearers: MilestoneBearers,
    private readonly internalIds: InternalIds,
  ) {}

  /** In the transaction of the move, when the project is in its new namespace. */
  async settle(project: { readonly id: number; readonly namespaceId: number }): Promise<void> {
    const used = new Set([
      ...(await this.transfers.usedByIssues(project.id)),
      ...(await this.bearers.usedIn(project.id)),
    ]);
    const lost = await this.transfers.lostAmong([...used], project.namespaceId);
    for (const milestone of await this.milestones.byIds(lost)) {
      const successor = await this.successorOf(placeOfProject(project), milestone);
      await this.transfers.repointIssues(project.id, milestone.id, successor.id);
      await this.bearers.repointIn(project.id, milestone.id, successor.id);
    }
  }

  /** A milestone of the same title that can be used here, else a new one of the project. */
  private async successorOf(place: Place, milestone: Milestone): Promise<Milestone> {
    const known = await this.milestones.keepUsableByTitle(place, milestone.title);
    if (known) return known;
    return this.milestones.insert(place, await this.internalIds.next(sequenceOf(place)), milestone);
  }
}
