import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';
import { StateEvents } from '../issuables/state-events.repository';
import { Labelling } from '../labels/labelling.service';
import { placeOfGroup } from '../labels/place';
import { Mentions } from '../noteables/mentions';
import { SystemNotes, type SystemNote } from '../noteables/system-notes';
import type { Epic, EpicState } from './epic.entity';

/** What a change of an epic leaves around it. Call everything in the transaction of the change. */
@Injectable()
export class EpicTelling {
  constructor(
    private readonly labels: Labelling,
    private readonly notes: SystemNotes,
    private readonly mentions: Mentions,
    private readonly states: StateEvents,
  ) {}

  /** Gives it these labels, and no others, of the group or the groups above; new ones are made. */
  async label(
    byUserId: number,
    group: Namespace,
    epic: Epic,
    titles: readonly string[] | undefined,
  ): Promise<void> {
    if (titles === undefined) return;
    const labels = await this.labels.resolve(placeOfGroup(group), titles, { create: true });
    await this.labels.set({ kind: 'Epic', id: epic.id }, labels, byUserId);
  }

  async tell(notes: readonly SystemNote[]): Promise<void> {
    if (notes.length > 0) await this.notes.record(notes);
  }

  moved(byUserId: number, { id }: Epic, state: EpicState): Promise<void> {
    return this.states.record({ kind: 'Epic', id }, byUserId, state === 'closed' ? 'closed' : 'reopened');
  }

  mention(authorId: number, { id }: Epic, text: string): Promise<void> {
    return this.mentions.note({ in: { kind: 'Epic', id }, projectId: null, authorId, text });
  }
}
