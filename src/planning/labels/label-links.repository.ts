import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { NOTEABLE_COLUMN } from '../noteables/noteable';
import { Label } from './label.entity';
import type { LabelledKind, LabelledRef } from './labelled';

interface LinkedRow {
  readonly noteable_id: number;
}

/** What has which labels. */
@Injectable()
export class LabelLinksRepository {
  constructor(private readonly database: Database) {}

  /** Sorted by title; what has no labels is left out. */
  async ofMany(kind: LabelledKind, ids: readonly number[]): Promise<ReadonlyMap<number, Label[]>> {
    const found = new Map<number, Label[]>();
    if (ids.length === 0) return found;
    const column = NOTEABLE_COLUMN[kind];
    const rows = await this.database.prepared<LinkedRow>(
      `labels_of_${column}`,
      `SELECT l.*, link.${column} AS noteable_id FROM label_links link JOIN labels l ON l.id = link.label_id
       WHERE link.${column} = ANY($1::bigint[]) ORDER BY l.title, l.id`,
      [ids],
    );
    for (const row of rows) {
      const labels = found.get(row.noteable_id) ?? [];
      labels.push(hydrate(Label, row));
      found.set(row.noteable_id, labels);
    }
    return found;
  }

  /**
   * Nobody removes the labels that it has until the transaction ends. Whoever removes or merges labels holds these before
   * their links, and so does whoever is about to take some away.
   */
  async keepLabels({ kind, id }: LabelledRef): Promise<void> {
    const column = NOTEABLE_COLUMN[kind];
    await this.database.prepared(
      `keep_labels_of_${column}`,
      `SELECT 1 FROM labels l WHERE l.id IN (SELECT link.label_id FROM label_links link WHERE link.${column} = $1)
       ORDER BY l.id FOR KEY SHARE`,
      [id],
    );
  }

  /** Answers the ids of those that were not there before. */
  async add({ kind, id }: LabelledRef, labelIds: readonly number[]): Promise<number[]> {
    const column = NOTEABLE_COLUMN[kind];
    // A label that is just being removed is waited for, and then is none: no link is left dangling.
    const rows = await this.database.prepared<{ label_id: number }>(
      `add_labels_to_${column}`,
      `INSERT INTO label_links (label_id, ${column})
       SELECT l.id, $1 FROM labels l WHERE l.id = ANY($2::bigint[]) ORDER BY l.id FOR KEY SHARE
       ON CONFLICT DO NOTHING RETURNING label_id`,
      [id, labelIds],
    );
    return rows.map((row) => row.label_id);
  }

  /** Answers the ids of those that were there. */
  async remove({ kind, id }: LabelledRef, labelIds: readonly number[]): Promise<number[]> {
    const column = NOTEABLE_COLUMN[kind];
    const rows = await this.database.prepared<{ label_id: number }>(
      `remove_labels_from_${column}`,
      `DELETE FROM label_links WHERE ${column} = $1 AND label_id = ANY($2::bigint[]) RETURNING label_id`,
      [id, labelIds],
    );
    return rows.map((row) => row.label_id);
  }
}
