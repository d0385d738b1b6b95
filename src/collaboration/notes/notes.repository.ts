import { Database, hydrate } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { DISCUSSED_COLUMN, type DiscussedRef } from './discussed-ref';
import { newDiscussionId } from './discussion-id';
import type { DiffPosition } from './diff-position';
import { Note, NOTEABLE_PROPERTY, type NoteType } from './note.entity';
import { readableSource, type Viewer } from './readable-sources';

/** What somebody writes; a note of its own begins a discussion. */
export interface NewNote {
  readonly on: DiscussedRef;
  readonly authorId: number;
  readonly body: string;
  readonly type?: NoteType | null;
  readonly discussionId?: string;
  readonly position?: DiffPosition | null;
  readonly attachment?: string | null;
  /** Now when not given. */
  readonly writtenAt?: Date | undefined;
}

@Injectable()
export class NotesRepository {
  constructor(private readonly database: Database) {}

  /** Null where there is none on that thing, or none for this viewer. */
  async find(ref: DiscussedRef, id: number, viewer: Viewer): Promise<Note | null> {
    const values: unknown[] = [ref.id, id];
    const condition = readableSource(viewer, (value) => `$${values.push(value)}`);
    const rows: object[] = await this.database.manager.query(
      `SELECT note.* FROM notes note WHERE note.${DISCUSSED_COLUMN[ref.kind]} = $1 AND note.id = $2 AND ${condition}`,
      values,
    );
    return rows[0] ? hydrate(Note, rows[0]) : null;
  }

  async findById(id: number): Promise<Note | null> {
    const [row] = await this.database.prepared('note_by_id', 'SELECT * FROM notes WHERE id = $1', [id]);
    return row ? hydrate(Note, row) : null;
  }

  /** Keeps what somebody wrote as it is until the transaction ends. Null where there is none on that thing. */
  async hold({ kind, id }: DiscussedRef, noteId: number): Promise<Note | null> {
    const [row] = await this.database.prepared(
      `hold_note_on_${kind}`,
      `SELECT * FROM notes WHERE ${DISCUSSED_COLUMN[kind]} = $1 AND id = $2 FOR UPDATE`,
      [id, noteId],
    );
    return row ? hydrate(Note, row) : null;
  }

  insert({ on, type, discussionId, position, attachment, writtenAt, ...written }: NewNote): Promise<Note> {
    const columns = {
      [NOTEABLE_PROPERTY[on.kind]]: on.id,
      ...written,
      type: type ?? null,
      discussionId: discussionId ?? newDiscussionId(),
      position: position ?? null,
      attachment: attachment ?? null,
      ...(writtenAt && { createdAt: writtenAt, updatedAt: writtenAt }),
    };
    const { manager } = this.database;
    return manager.save(manager.create(Note, { ...EMPTY, ...columns }));
  }

  /** Writes the columns of a note that is held. */
  async update({ id }: Note, changes: Partial<Omit<Note, 'id' | 'on' | 'isResolvable'>>): Promise<void> {
    await this.database.manager.update(Note, { id }, changes);
  }

  async delete({ id }: Note): Promise<void> {
    await this.database.manager.delete(Note, { id });
  }
}

/** TypeORM would leave what is not named undefined in the entity that it answers. */
const EMPTY = {
  issueId: null,
  mergeRequestId: null,
  snippetId: null,
  epicId: null,
  commitId: null,
  system: false,
  systemAction: null,
  resolvedAt: null,
  resolvedById: null,
  updatedById: null,
  lastEditedAt: null,
};
