import { Database, hydrate, paginateStatement } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { LabelledRef } from '../labels/labelled';
import { NOTEABLE_COLUMN } from '../noteables/noteable';
import { LabelEvent } from './label-event.entity';

const toEvent = (row: object): LabelEvent => hydrate(LabelEvent, row);

@Injectable()
export class LabelEventsRepository {
  constructor(private readonly database: Database) {}

  /** In the order of the labels. Call it in the transaction that puts them on, or takes them off. */
  async record(
    { kind, id }: LabelledRef,
    action: LabelEvent['action'],
    labels: readonly { readonly id: number }[],
    userId: number | null,
  ): Promise<void> {
    if (labels.length === 0) return;
    const column = NOTEABLE_COLUMN[kind];
    await this.database.prepared(
      `record_label_events_of_${column}`,
      `INSERT INTO label_events (${column}, action, user_id, label_id)
       SELECT $1, $2, $3, given.id FROM unnest($4::bigint[]) WITH ORDINALITY AS given (id, position)
       ORDER BY given.position`,
      [id, action, userId, labels.map((label) => label.id)],
    );
  }

  /** The oldest first. */
  async page({ kind, id }: LabelledRef, request: PageRequest): Promise<Page<LabelEvent>> {
    const statement = `SELECT e.* FROM label_events e WHERE e.${NOTEABLE_COLUMN[kind]} = $1 ORDER BY e.id`;
    const page = await paginateStatement<object>(this.database, statement, [id], request);
    return { ...page, rows: page.rows.map(toEvent) };
  }

  async find({ kind, id }: LabelledRef, eventId: number): Promise<LabelEvent | null> {
    const column = NOTEABLE_COLUMN[kind];
    const [row] = await this.database.prepared(
      `label_event_of_${column}`,
      `SELECT * FROM label_events WHERE id = $2 AND ${column} = $1`,
      [id, eventId],
    );
    return row ? toEvent(row) : null;
  }
}
