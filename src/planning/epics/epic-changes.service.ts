import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { notFound, requireUnmodified } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Namespace } from '../../identity/identity.api';
import { wordsOf } from '../noteables/mentions';
import type { Epic } from './epic.entity';
import { changeNotes } from './epic-change-notes';
import type { CreateEpic, UpdateEpic } from './epic.params';
import { epicColumns } from './epic-rules';
import { EpicTelling } from './epic-telling.service';
import { EpicsRepository, type EpicColumns } from './epics.repository';
import { Epics } from './epics.service';

const NO_DATES = {
  startDateIsFixed: false,
  startDateFixed: null,
  dueDateIsFixed: false,
  dueDateFixed: null,
};
const NO_DAYS = { startDate: null, dueDate: null };

/** Makes, changes and removes the epics of a group. */
@Injectable()
export class EpicChanges {
  constructor(
    private readonly database: Database,
    private readonly epics: EpicsRepository,
    private readonly lookup: Epics,
    private readonly telling: EpicTelling,
  ) {}

  /** Throws `validation` for what no epic may be. */
  create(actor: Actor, group: Namespace, params: ParamsOf<typeof CreateEpic>): Promise<Epic> {
    const { id: authorId } = signedIn(actor);
    const columns = epicColumns(params);
    return this.database.transaction(async () => {
      const epic = await this.epics.insert({
        ...NO_DATES,
        description: null,
        ...columns,
        title: columns.title ?? '',
        groupId: group.id,
        authorId,
      });
      if (!epic) throw notFound('Group');
      await this.telling.label(authorId, group, epic, params.labels);
      await this.telling.mention(authorId, epic, wordsOf(epic));
      return epic;
    });
  }

  /** Throws "404 Not found", and `validation` as `create`. */
  update(actor: Actor, group: Namespace, params: ParamsOf<typeof UpdateEpic>): Promise<Epic> {
    const { id: authorId } = signedIn(actor);
    return this.database.transaction(async () => {
      const epic = await this.hold(group, params.epic_iid);
      const columns = { ...epicColumns(params), ...stateChange(epic, params.state_event, authorId) };
      const inherited = (await this.epics.milestoneDays([epic.id])).get(epic.id) ?? NO_DAYS;
      const notes = changeNotes(epic, columns, inherited, authorId);
      await this.epics.update(epic.id, columns);
      await this.telling.label(authorId, group, epic, params.labels);
      await this.telling.tell(notes);
      if (columns.state !== undefined) await this.telling.moved(authorId, epic, columns.state);
      const { title = epic.title, description = epic.description } = columns;
      const words = wordsOf({ title, description });
      if (words !== wordsOf(epic)) await this.telling.mention(authorId, epic, words);
      return this.lookup.require(group, params.epic_iid);
    });
  }

  /** With all that hangs on it; its issues stay. Throws "404 Not found". */
  remove(group: Namespace, iid: number, unmodifiedSince: Date | null): Promise<void> {
    return this.database.transaction(async () => {
      const epic = await this.hold(group, iid);
      requireUnmodified(epic.updatedAt, unmodifiedSince);
      await this.epics.remove(epic.id);
    });
  }

  /** The epic as it is now, which nobody else changes until the transaction ends. */
  private async hold(group: Namespace, iid: number): Promise<Epic> {
    const { id } = await this.lookup.require(group, iid);
    const epic = await this.epics.findForChange(id);
    if (!epic) throw notFound();
    return epic;
  }
}

/** Nothing where it is in that state already. */
function stateChange(epic: Epic, event: 'close' | 'reopen' | undefined, userId: number): EpicColumns {
  if (event === 'close' && epic.state === 'opened')
    return { state: 'closed', closedAt: new Date(), closedById: userId };
  if (event === 'reopen' && epic.state === 'closed')
    return { state: 'opened', closedAt: null, closedById: null };
  return {};
}
