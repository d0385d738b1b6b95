import { Database, hydrate, paginateStatement, type KeysetPage } from '#libs/database';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { DISCUSSED_COLUMN, type DiscussedRef } from './discussed-ref';
import type { NoteCursor } from './note-cursor';
import { Note } from './note.entity';
import { readableSource, type Viewer } from './readable-sources';

export interface NoteOrder {
  readonly by: 'created_at' | 'updated_at';
  readonly direction: 'asc' | 'desc';
}

/** A note and its place in the order. */
export interface PlacedNote {
  readonly note: Note;
  readonly cursor: NoteCursor;
}

/** A query's text and its parameters. */
interface Query {
  readonly text: string;
  readonly values: unknown[];
}

/** Notes one after another. What comes from elsewhere is there only for those who may see that. */
@Injectable()
export class NoteLists {
  constructor(private readonly database: Database) {}

  /** Ties go to the newer note, in both directions. */
  async page(ref: DiscussedRef, viewer: Viewer, order: NoteOrder, request: PageRequest): Promise<Page<Note>> {
    return this.pageOf(readableNotes(ref, viewer), order, request);
  }

  /** The same of what people wrote. */
  async writtenPage(
    ref: DiscussedRef,
    viewer: Viewer,
    order: NoteOrder,
    request: PageRequest,
  ): Promise<Page<Note>> {
    const { text, values } = readableNotes(ref, viewer);
    return this.pageOf({ text: `${text} AND NOT note.system`, values }, order, request);
  }

  private async pageOf({ text, values }: Query, order: NoteOrder, request: PageRequest): Promise<Page<Note>> {
    const statement = `${text} ${orderOf(order)}`;
    const page = await paginateStatement<object>(this.database, statement, values, request);
    return mapPage(page, (row) => hydrate(Note, row));
  }

  /** The notes after a place in the order, or from its start. */
  async after(
    ref: DiscussedRef,
    viewer: Viewer,
    order: NoteOrder,
    { cursor, perPage }: { readonly cursor: NoteCursor | null; readonly perPage: number },
  ): Promise<KeysetPage<PlacedNote>> {
    const place = `floor(extract(epoch FROM note.${order.by}))::bigint AS seconds,
      extract(microseconds FROM note.${order.by})::int % 1000000 AS micros`;
    const { text, values } = readableNotes(ref, viewer, `note.*, ${place}`);
    const bind = (value: unknown): string => `$${values.push(value)}::bigint`;
    const beyond = cursor ? `AND ${beyondCursor(order, cursor, bind)}` : '';
    const rows: NoteCursor[] = await this.database.manager.query(
      `${text} ${beyond} ${orderOf(order)} LIMIT ${bind(perPage + 1)}`,
      values,
    );
    const placed = rows.map((row) => ({ note: hydrate(Note, row), cursor: placeOf(row) }));
    return { rows: placed.slice(0, perPage), hasNext: placed.length > perPage };
  }
}

const placeOf = ({ seconds, micros, id }: NoteCursor): NoteCursor => ({ seconds, micros, id });

function readableNotes({ kind, id }: DiscussedRef, viewer: Viewer, columns = 'note.*'): Query {
  const values: unknown[] = [id];
  const condition = readableSource(viewer, (value) => `$${values.push(value)}`);
  const text = `SELECT ${columns} FROM notes note WHERE note.${DISCUSSED_COLUMN[kind]} = $1 AND ${condition}`;
  return { text, values };
}

const orderOf = ({ by, direction }: NoteOrder): string => `ORDER BY note.${by} ${direction}, note.id DESC`;

/** Written so that the index on the moment is entered at the cursor, though ids run the other way in an ascending list. */
function beyondCursor(
  { by, direction }: NoteOrder,
  { seconds, micros, id }: NoteCursor,
  bind: (value: number) => string,
): string {
  const moment = `(to_timestamp(${bind(seconds)}) + ${bind(micros)} * interval '1 microsecond')`;
  const [reaches, passes] = direction === 'asc' ? ['>=', '>'] : ['<=', '<'];
  return `note.${by} ${reaches} ${moment} AND (note.${by} ${passes} ${moment} OR note.id < ${bind(id)})`;
}
