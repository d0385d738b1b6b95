import { Injectable } from '@nestjs/common';
import { MovedProjects } from '../../repository/repository.api';
import { EpicTransfer } from '../epics/epic-transfer.repository';
import { LabelTransfer } from '../labels/label-transfer.service';
import { PlaceLocks } from '../labels/place-locks.repository';
import { MilestoneTransfer } from './milestone-transfer.service';

/** What planning does when a project leaves its groups. */
@Injectable()
export class PlanningOfMovedProjects extends MovedProjects {
  constructor(
    private readonly places: PlaceLocks,
    private readonly labels: LabelTransfer,
    private readonly milestones: MilestoneTransfer,
    private readonly epics: EpicTransfer,
  ) {
    super();
  }

  async settle(project: { readonly id: number; readonly namespaceId: number }): Promise<void> {
    await this.places.moving(project.id);
    // Milestones and what has them come before labels, as for everybody else.
    await this.milestones.settle(project);
    await this.labels.settle(project);
    await this.epics.settle(project);
  }
}
