import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { DomainEvent } from './event-type';

export interface NewEvent {
  readonly name: string;
  readonly payload: object;
}

/** Begins a statement, or a part of one, that writes events: name and payload follow. Call `Events.deliver` after it. */
export const INSERT_EVENT = 'INSERT INTO outbox_events (name, payload)';

/** Events that happened, kept until every delivery has long been made. */
@Injectable()
export class Outbox {
  constructor(private readonly database: Database) {}

  /** Writes events in the current transaction; answers their ids in the order given. */
  async add(events: readonly NewEvent[]): Promise<number[]> {
    const rows = await this.database.prepared<{ id: number }>(
      'add_outbox_events',
      `${INSERT_EVENT}
       SELECT name, payload FROM unnest($1::text[], $2::jsonb[]) WITH ORDINALITY AS given(name, payload, place)
       ORDER BY place RETURNING id`,
      [events.map(({ name }) => name), events.map(({ payload }) => JSON.stringify(payload))],
    );
    return rows.map(({ id }) => id);
  }

  /** Keeps what caused events that were just written; hardly any has a cause, so this is a statement of its own. */
  async noteCause(ids: readonly number[], cause: string): Promise<void> {
    const text = 'UPDATE outbox_events SET cause = $2 WHERE id = ANY($1::bigint[])';
    await this.database.prepared('note_cause_of_events', text, [ids, cause]);
  }

  /** The event, or null when it was cleared. Its payload has the type that its name was defined with. */
  async read<Payload extends object>(id: number): Promise<DomainEvent<Payload> | null> {
    const [row] = await this.database.prepared<DomainEvent<Payload>>(
      'read_outbox_event',
      'SELECT id, name, payload, cause, created_at AS "createdAt" FROM outbox_events WHERE id = $1',
      [id],
    );
    return row ?? null;
  }

  /** Whether there is an event since then whose payload contains `part`. Looks at every event since then. */
  async has(name: string, since: Date, part: object): Promise<boolean> {
    const rows = await this.database.prepared(
      'has_outbox_event',
      `SELECT 1 FROM outbox_events WHERE name = $1 AND created_at >= $2 AND payload @> $3::jsonb LIMIT 1`,
      [name, since, JSON.stringify(part)],
    );
    return rows.length > 0;
  }

  /** Deletes at most `most` events older than so many days; answers how many. */
  async clear(olderThanDays: number, most: number): Promise<number> {
    const rows = await this.database.prepared(
      'clear_outbox_events',
      `DELETE FROM outbox_events WHERE id IN (
         SELECT id FROM outbox_events WHERE created_at < now() - make_interval(days => $1) ORDER BY id LIMIT $2)
       RETURNING id`,
      [olderThanDays, most],
    );
    return rows.length;
  }
}
