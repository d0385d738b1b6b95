import { atLeast, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { badRequest, forbidden, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { GroupReach, type Project } from '../../repository/repository.api';
import { LabelDescriptions } from './label-descriptions.service';
import type { LabelDetails } from './label-details';
import { LabelMergesRepository } from './label-merges.repository';
import type { Label } from './label.entity';
import { LabelsRepository } from './labels.repository';
import { placeOfGroup, placeOfProject } from './place';
import { PlaceLocks } from './place-locks.repository';

/** Makes a project's label one of its group, for all projects there. */
@Injectable()
export class LabelPromotion {
  constructor(
    private readonly database: Database,
    private readonly labels: LabelsRepository,
    private readonly merges: LabelMergesRepository,
    private readonly groups: GroupReach,
    private readonly descriptions: LabelDescriptions,
    private readonly places: PlaceLocks,
  ) {}

  /**
   * Labels of the same title in other projects right in the group become one with it. Throws "404 Label Not Found", 400
   * for a project without a group, 403 for whoever may not manage the group's labels.
   */
  async promote(actor: Actor, project: Project, idOrTitle: string): Promise<LabelDetails> {
    const own = await this.labels.find(placeOfProject(project), 'own', idOrTitle);
    if (!own) throw notFound('Label');
    if (project.namespace.kind !== 'group') throw failed();
    await this.requireReporter(actor, project.namespaceId);
    const label = await this.database.transaction(() => this.move(project, own));
    return this.descriptions.describeOne(actor, placeOfGroup({ id: project.namespaceId }), label);
  }

  private async move({ namespaceId }: Project, { id, title }: Label): Promise<Label> {
    // Whoever leaves the group meanwhile would take along labels of a group that theirs are becoming one with.
    const projects = await this.merges.projectsWith(namespaceId, title);
    await this.places.keepAll(projects);
    if (!(await this.merges.holdGroup(namespaceId))) throw failed();
    const merged = await this.merges.holdNamesakes(namespaceId, title, projects);
    const label = merged.find((namesake) => namesake.id === id);
    if (!label) throw notFound('Label');
    const group = placeOfGroup({ id: namespaceId });
    const promoted =
      (await this.labels.insert(group, label)) ?? (await this.labels.findByTitle(group, title));
    if (!promoted) throw failed();
    await this.merges.merge(
      merged.map((namesake) => namesake.id),
      promoted.id,
    );
    return promoted;
  }

  private async requireReporter(actor: Actor, groupId: number): Promise<void> {
    const [group] = await this.groups.around(actor, groupId, { descendants: false, ancestors: false });
    if (!group || !atLeast('reporter')({ ...actor, level: group.level }, null)) throw forbidden();
  }
}

const failed = () => badRequest('Failed to promote project label to group label');
