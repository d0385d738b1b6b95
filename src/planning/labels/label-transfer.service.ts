import { Injectable } from '@nestjs/common';
import { LabelTransferRepository } from './label-transfer.repository';
import type { Label } from './label.entity';
import { LabelsRepository } from './labels.repository';
import { placeOfProject, type Place } from './place';

/** Labels of the groups that a project leaves: what it has of them becomes its own, or that of its new groups. */
@Injectable()
export class LabelTransfer {
  constructor(
    private readonly labels: LabelsRepository,
    private readonly transfers: LabelTransferRepository,
  ) {}

  /** In the transaction of the move, when the project is in its new namespace. */
  async settle(project: { readonly id: number; readonly namespaceId: number }): Promise<void> {
    const place = placeOfProject(project);
    for (const label of await this.transfers.lost(project.id, project.namespaceId)) {
      const successor = await this.successorOf(place, label);
      if (successor) await this.transfers.replace(project.id, label.id, successor.id);
    }
    await this.transfers.forget(project.id, project.namespaceId);
  }

  /** A label of the same title that can be used here, else a new one of the project. */
  private async successorOf(place: Place, label: Label): Promise<Label | null> {
    const known = () => this.labels.holdByTitles(place, [label.title]);
    const [first] = await known();
    if (first) return first;
    // Somebody else may make it at the same moment.
    return (await this.labels.insert(place, label)) ?? (await known())[0] ?? null;
  }
}
