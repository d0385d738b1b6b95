import { Database, hydrate, paginateStatement } from '#libs/database';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { DISCUSSED_COLUMN, type DiscussedRef } from './discussed-ref';
import { Note } from './note.entity';
import { readableSource, type Viewer } from './readable-sources';

/** Further notes of one discussion are in the list of notes alone. */
const MOST_NOTES = 1_000;

/** Nor does one answer hold more text than this, in bytes, but for what each discussion begins with. */
const MOST_BYTES = 32 * 1024 * 1024;

const OF_DISCUSSIONS = (column: string, condition: string): string => `
  WITH found AS MATERIALIZED (
    SELECT wanted.place, n.id, row_number() OVER (PARTITION BY wanted.place ORDER BY n.id) AS number,
      sum(n.bytes) OVER (ORDER BY wanted.place, n.id) AS bytes
    FROM unnest($2::text[]) WITH ORDINALITY AS wanted(id, place)
    CROSS JOIN LATERAL (
      SELECT n.id, octet_length(n.body) AS bytes FROM notes n
      WHERE n.discussion_id = wanted.id AND n.${column} = $1 AND ${condition}
      ORDER BY n.id LIMIT ${MOST_NOTES}) n)
  SELECT note.* FROM found JOIN notes note ON note.id = found.id
  WHERE found.number = 1 OR found.bytes <= ${MOST_BYTES} ORDER BY found.place, note.id`;

const RESOLVE = `
  UPDATE notes SET resolved_at = $3, resolved_by_id = $4
  WHERE merge_request_id = $1 AND discussion_id = $2 AND type IS NOT NULL AND NOT system
    AND (resolved_at IS NULL) = ($3::timestamptz IS NOT NULL)
  RETURNING id`;

/** Notes by the discussion that they are in. */
@Injectable()
export class DiscussionsRepository {
  constructor(private readonly database: Database) {}

  /** Ids of discussions in the order in which they began. */
  async page({ kind, id }: DiscussedRef, viewer: Viewer, request: PageRequest): Promise<Page<string>> {
    const values: unknown[] = [id];
    const condition = readableSource(viewer, (value) => `$${values.push(value)}`);
    const statement = `
      SELECT note.discussion_id FROM notes note WHERE note.${DISCUSSED_COLUMN[kind]} = $1 AND ${condition}
        AND NOT EXISTS (SELECT 1 FROM notes earlier WHERE earlier.discussion_id = note.discussion_id AND earlier.id < note.id)
      ORDER BY note.created_at, note.id`;
    const page = await paginateStatement<{ discussion_id: string }>(
      this.database,
      statement,
      values,
      request,
    );
    return mapPage(page, (row) => row.discussion_id);
  }

  /** The notes of the discussions on that thing, in the order of the ids; MOST_NOTES of each at most. */
  async notesOf(
    { kind, id }: DiscussedRef,
    viewer: Viewer,
    discussionIds: readonly string[],
  ): Promise<Note[]> {
    if (discussionIds.length === 0) return [];
    const values: unknown[] = [id, discussionIds];
    const condition = readableSource(viewer, (value) => `$${values.push(value)}`, 'n');
    const text = OF_DISCUSSIONS(DISCUSSED_COLUMN[kind], condition);
    const rows: object[] = await this.database.manager.query(text, values);
    return rows.map((row) => hydrate(Note, row));
  }

  /** What it begins with; null where there is none on that thing that the viewer may see. */
  async beginningOf({ kind, id }: DiscussedRef, viewer: Viewer, discussionId: string): Promise<Note | null> {
    const values: unknown[] = [id, discussionId];
    const condition = readableSource(viewer, (value) => `$${values.push(value)}`);
    const [row]: object[] = await this.database.manager.query(
      `SELECT note.* FROM notes note
       WHERE note.${DISCUSSED_COLUMN[kind]} = $1 AND note.discussion_id = $2 AND ${condition} ORDER BY note.id LIMIT 1`,
      values,
    );
    return row ? hydrate(Note, row) : null;
  }

  /** Makes a remark one that is answered. */
  async open(note: Note): Promise<void> {
    await this.database.prepared(
      'open_discussion',
      `UPDATE notes SET type = 'DiscussionNote' WHERE id = $1 AND type IS NULL AND NOT system`,
      [note.id],
    );
  }

  /** Settles what is open in a discussion, or (null) opens what is settled. Answers how many notes that changed. */
  async resolve(mergeRequestId: number, discussionId: string, by: Settlement | null): Promise<number> {
    const values = [mergeRequestId, discussionId, by?.at ?? null, by?.userId ?? null];
    return (await this.database.prepared('resolve_discussion', RESOLVE, values)).length;
  }

  /** Some of those with something open in them. */
  async openOnes(mergeRequestId: number, most: number): Promise<string[]> {
    const rows = await this.database.prepared<{ discussion_id: string }>(
      'open_discussions',
      `SELECT DISTINCT discussion_id FROM notes
       WHERE merge_request_id = $1 AND resolved_at IS NULL AND type IS NOT NULL AND NOT system LIMIT $2`,
      [mergeRequestId, most],
    );
    return rows.map((row) => row.discussion_id);
  }

  /** How many discussions have something open in them. */
  async unresolvedOf(mergeRequestId: number): Promise<number> {
    const [row] = await this.database.prepared<{ count: number }>(
      'unresolved_discussions',
      `SELECT count(DISTINCT discussion_id)::int AS count FROM notes
       WHERE merge_request_id = $1 AND resolved_at IS NULL AND type IS NOT NULL AND NOT system`,
      [mergeRequestId],
    );
    return row?.count ?? 0;
  }
}

/** Who settled something, and when. */
export interface Settlement {
  readonly userId: number;
  readonly at: Date;
}
