import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { SUBSCRIBABLE_COLUMN, type SubscribableKind, type SubscribableRef } from './subscribable';

/** Who has said that they want to hear of something, or that they do not. */
@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly database: Database) {}

  /** False where that was so already. */
  async set(userId: number, { kind, id }: SubscribableRef, subscribed: boolean): Promise<boolean> {
    const column = SUBSCRIBABLE_COLUMN[kind];
    const rows = await this.database.prepared(
      `subscribe_by_${column}`,
      `INSERT INTO subscriptions (${column}, user_id, subscribed) VALUES ($1, $2, $3)
       ON CONFLICT (${column}, user_id) WHERE ${column} IS NOT NULL
       DO UPDATE SET subscribed = excluded.subscribed, updated_at = now()
         WHERE subscriptions.subscribed <> excluded.subscribed
       RETURNING id`,
      [id, userId, subscribed],
    );
    return rows.length > 0;
  }

  /** What the user has said of each; what they have said nothing of is left out. */
  async explicitOf(
    userId: number,
    kind: SubscribableKind,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, boolean>> {
    if (ids.length === 0) return new Map();
    const column = SUBSCRIBABLE_COLUMN[kind];
    const rows = await this.database.prepared<{ id: number; subscribed: boolean }>(
      `subscriptions_by_${column}`,
      `SELECT ${column} AS id, subscribed FROM subscriptions WHERE ${column} = ANY($1::bigint[]) AND user_id = $2`,
      [ids, userId],
    );
    return new Map(rows.map(({ id, subscribed }) => [id, subscribed]));
  }
}
