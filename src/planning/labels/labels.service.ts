import type { Actor } from '#libs/access';
import { Database, uniqueViolation } from '#libs/database';
import { conflict, forbidden, invalid, notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { LabelDescriptions } from './label-descriptions.service';
import type { LabelDetails } from './label-details';
import { LabelFiguresRepository } from './label-figures.repository';
import { hexColor, refuseInvalidLabel, type LabelText } from './label-rules';
import type { Label } from './label.entity';
import type { CreateProjectLabel, ListLabels } from './label.params';
import { LabelsRepository, type Reach } from './labels.repository';
import type { Place } from './place';

/** What is to be different about a label; what is left out stays. */
export interface LabelChanges {
  readonly new_name?: string | undefined;
  readonly color?: string | undefined;
  readonly description?: string | undefined;
  /** For the project alone; null takes it away. */
  readonly priority?: number | null | undefined;
}

/** The reference leaves out the groups further above where the caller wants none of them. */
const reachOf = (isWide: boolean): Reach => (isWide ? 'ancestors' : 'parent');

/** Labels of projects and groups. */
@Injectable()
export class Labels {
  constructor(
    private readonly database: Database,
    private readonly labels: LabelsRepository,
    private readonly figures: LabelFiguresRepository,
    private readonly descriptions: LabelDescriptions,
  ) {}

  async list(
    actor: Actor,
    place: Place,
    { search, ...params }: ParamsOf<typeof ListLabels>,
    request: PageRequest,
  ): Promise<Page<LabelDetails>> {
    const reach = reachOf(params.include_ancestor_groups);
    const page = await this.labels.page(place, { reach, search }, request);
    const rows = await this.descriptions.describe(actor, place, page.rows, { counts: params.with_counts });
    return { ...page, rows };
  }

  /** By id or title. Throws "404 Label Not Found". */
  async show(actor: Actor, place: Place, idOrTitle: string, fromAncestors: boolean): Promise<LabelDetails> {
    const label = await this.labels.find(place, reachOf(fromAncestors), idOrTitle);
    if (!label) throw notFound('Label');
    return this.descriptions.describeOne(actor, place, label);
  }

  /** Throws `conflict` for a title that the place or a group above has, `validation` for what no label may be. */
  async create(
    actor: Actor,
    place: Place,
    { name, color, description, priority = null }: ParamsOf<typeof CreateProjectLabel>,
  ): Promise<LabelDetails> {
    const text = { title: name.trim(), color: hexColor(color), description: description ?? null };
    const label = await this.database.transaction(async () => {
      if (await this.labels.findByTitle(place, text.title)) throw alreadyExists();
      refuseInvalidLabel(text);
      const made = await this.labels.insert(place, text);
      if (!made) throw alreadyExists();
      await this.prioritize(place, made, priority);
      return made;
    });
    return this.descriptions.describeOne(actor, place, label);
  }

  /**
   * Of the place's own. What a project may say of a label that a group lends it is its priority there: throws 403 for all
   * else.
   */
  async update(actor: Actor, place: Place, idOrTitle: string, changes: LabelChanges): Promise<LabelDetails> {
    try {
      const label = await this.database.transaction(() => this.change(place, idOrTitle, changes));
      return await this.descriptions.describeOne(actor, place, label);
    } catch (error) {
      if (uniqueViolation(error) === null) throw error;
      throw invalid({ title: ['has already been taken'] });
    }
  }

  /** Of the place's own alone: throws "404 Label Not Found" for others. */
  delete(place: Place, idOrTitle: string, unmodifiedSince: Date | null): Promise<void> {
    return this.database.transaction(async () => {
      const label = await this.hold(place, 'own', idOrTitle);
      requireUnmodified(label.updatedAt, unmodifiedSince);
      await this.labels.remove(label.id);
    });
  }

  private async change(place: Place, idOrTitle: string, changes: LabelChanges): Promise<Label> {
    const { priority, new_name: title, color, description } = changes;
    const label = await this.hold(place, 'parent', idOrTitle);
    const isLent = place.projectId !== null && label.projectId === null;
    const changesText = [title, color, description].some((value) => value !== undefined);
    if (isLent && changesText) throw forbidden();
    if (priority !== undefined) await this.prioritize(place, label, priority);
    if (!changesText) return label;
    const text: LabelText = {
      title: title === undefined ? label.title : title.trim(),
      color: color === undefined ? label.color : hexColor(color),
      description: description ?? label.description,
    };
    refuseInvalidLabel(text);
    if (text.title !== label.title) await this.refuseTitleOfGroup(place, text.title);
    const changed = await this.labels.update(label.id, text);
    if (!changed) throw notFound('Label');
    return changed;
  }

  /** The label, held until the transaction ends. */
  private async hold(place: Place, reach: Reach, idOrTitle: string): Promise<Label> {
    const label = await this.labels.find(place, reach, idOrTitle);
    const held = label && (await this.labels.hold(label.id));
    if (!held) throw notFound('Label');
    return held;
  }

  /** In a project's issues one could not tell its label from the group's. */
  private async refuseTitleOfGroup(place: Place, title: string): Promise<void> {
    const namesake = place.projectId === null ? null : await this.labels.findByTitle(place, title);
    if (!namesake || namesake.groupId === null) return;
    const group = await this.labels.groupName(namesake.groupId);
    throw invalid({
      title: [`already exists at group level for ${group}. Please choose another one.`],
    });
  }

  private async prioritize({ projectId }: Place, label: Label, priority: number | null): Promise<void> {
    if (projectId !== null) await this.figures.prioritize(projectId, label.id, priority);
  }
}

const alreadyExists = () => conflict('Label already exists');
