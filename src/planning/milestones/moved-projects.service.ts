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

  settle(project: { readonly id: number; readonly namespaceId: number }): Promise<void> {
    return this.places.whileMoving(project.id, async () => {
      await this.labels.settle(project);
      await this.milestones.settle(project);
      await this.epics.settle(project);
    });
  }
}
