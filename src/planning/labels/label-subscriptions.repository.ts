import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { Label } from './label.entity';
import type { Place } from './place';

/** A group's label is followed in the group, or in one of its projects apart from the others. */
const where = (label: Label, { projectId }: Place): number | null =>
  label.groupId === null ? null : projectId;

@Injectable()
export class LabelSubscriptionsRepository {
  constructor(private readonly database: Database) {}

  /** The ids of those among the labels that the user follows in the place. */
  async followed(userId: number, place: Place, labelIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.database.prepared<{ label_id: number }>(
      'followed_labels',
      `SELECT s.label_id FROM subscriptions s JOIN labels l ON l.id = s.label_id
       WHERE s.user_id = $1 AND s.label_id = ANY($2::bigint[]) AND s.subscribed
         AND s.project_id IS NOT DISTINCT FROM CASE WHEN l.group_id IS NULL THEN NULL ELSE $3::bigint END`,
      [userId, labelIds, place.projectId],
    );
    return new Set(rows.map((row) => row.label_id));
  }

  /** False when it was so already. The label must be held. */
  async set(userId: number, place: Place, label: Label, subscribed: boolean): Promise<boolean> {
    const rows = await this.database.prepared(
      'follow_label',
      `INSERT INTO subscriptions AS s (user_id, label_id, project_id, subscribed)
       SELECT $1, $2, $3, $4 WHERE $4 OR EXISTS (
         SELECT 1 FROM subscriptions known
         WHERE known.user_id = $1 AND known.label_id = $2 AND known.project_id IS NOT DISTINCT FROM $3::bigint)
       ON CONFLICT (label_id, user_id, project_id) WHERE label_id IS NOT NULL
         DO UPDATE SET subscribed = excluded.subscribed, updated_at = now()
         WHERE s.subscribed <> excluded.subscribed
       RETURNING s.id`,
      [userId, label.id, where(label, place), subscribed],
    );
    return rows.length > 0;
  }
}
