import { notFound } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import type { LabelledRef } from '../labels/labelled';
import { LabelsRepository } from '../labels/labels.repository';
import type { DescribedLabelEvent } from './described-label-event';
import type { LabelEvent } from './label-event.entity';
import { LabelEventsRepository } from './label-events.repository';

/** Who put which labels on an issue, merge request or epic, and took them off. Whether the caller sees it, they know. */
@Injectable()
export class LabelEvents {
  constructor(
    private readonly events: LabelEventsRepository,
    private readonly labels: LabelsRepository,
    private readonly users: UserDirectory,
  ) {}

  /** The oldest first. */
  async page(on: LabelledRef, request: PageRequest): Promise<Page<DescribedLabelEvent>> {
    const page = await this.events.page(on, request);
    return { ...page, rows: await this.describe(on, page.rows) };
  }

  /** Throws "404 Not found". */
  async require(on: LabelledRef, id: number): Promise<DescribedLabelEvent> {
    const event = await this.events.find(on, id);
    const [described] = event ? await this.describe(on, [event]) : [];
    if (!described) throw notFound();
    return described;
  }

  private async describe(on: LabelledRef, events: readonly LabelEvent[]): Promise<DescribedLabelEvent[]> {
    if (events.length === 0) return [];
    const users = await this.users.byIds(events.map(({ userId }) => userId));
    const ids = new Set(events.flatMap(({ labelId }) => labelId ?? []));
    const labels = new Map((await this.labels.byIds([...ids])).map((label) => [label.id, label]));
    return events.map((event) => ({
      event,
      on,
      user: users.get(event.userId ?? 0) ?? null,
      label: labels.get(event.labelId ?? 0) ?? null,
    }));
  }
}
