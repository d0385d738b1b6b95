import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound, requireUnmodified } from '#libs/errors';
import type { KeysetPage, Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Discussed } from './discussed';
import { NoteCounts } from './note-counts.repository';
import { readCursor, writeCursor } from './note-cursor';
import { NoteLists, type NoteOrder } from './note-lists.repository';
import type { Note } from './note.entity';
import type { NoteListParams } from './note.params';
import { NoteWriting } from './note-writing.service';
import { NotesRepository } from './notes.repository';
import type { ShownNote } from './shown-note';
import { ShownNotes } from './shown-notes.service';

/** Notes of whatever can be discussed: everything but writing new ones. */
@Injectable()
export class Notes {
  constructor(
    private readonly database: Database,
    private readonly lists: NoteLists,
    private readonly notes: NotesRepository,
    private readonly writing: NoteWriting,
    private readonly counts: NoteCounts,
    private readonly shown: ShownNotes,
  ) {}

  /** Throws `invalid_parameter` for a cursor that is none. */
  list(
    actor: Actor,
    on: Discussed,
    { sort: direction, order_by: by, pagination, cursor }: NoteListParams,
    request: PageRequest,
  ): Promise<Page<ShownNote> | KeysetPage<ShownNote>> {
    const order = { by, direction };
    if (pagination !== 'keyset') return this.page(actor, on, order, request);
    return this.after(actor, on, order, cursor, request.perPage);
  }

  /** Throws "404 Not found" both where there is none on this thing and where the caller may not see it. */
  async show(actor: Actor, on: Discussed, noteId: number): Promise<ShownNote> {
    const note = await this.notes.find(on.ref, noteId, signedIn(actor));
    if (!note) throw notFound();
    return this.shown.one(on, note);
  }

  /** For its author and for maintainers; nobody changes what the system wrote. */
  async update(actor: Actor, on: Discussed, noteId: number, body: string): Promise<ShownNote> {
    const note = await this.database.transaction(async () => {
      const held = await this.holdForChange(actor, on, noteId);
      await this.writing.rewrite(actor, on, held, body);
      return held;
    });
    return this.shown.one(on, note);
  }

  remove(actor: Actor, on: Discussed, noteId: number, unmodifiedSince: Date | null): Promise<void> {
    return this.database.transaction(async () => {
      const note = await this.holdForChange(actor, on, noteId);
      requireUnmodified(note.updatedAt, unmodifiedSince);
      await this.notes.delete(note);
      await this.counts.add(on.ref, -1);
    });
  }

  /**
   * Keeps the noteable and then the note until the end of the transaction, in the order in which deleting the noteable
   * takes them.
   */
  async holdForChange(actor: Actor, on: Discussed, noteId: number): Promise<Note> {
    await this.counts.add(on.ref, 0);
    const note = await this.notes.hold(on.ref, noteId);
    const isSeen = note && (!note.system || (await this.notes.find(on.ref, noteId, signedIn(actor))));
    if (!isSeen) throw notFound();
    if (!mayChange(actor, on, note)) throw forbidden();
    return note;
  }

  private async page(
    actor: Actor,
    on: Discussed,
    order: NoteOrder,
    request: PageRequest,
  ): Promise<Page<ShownNote>> {
    const page = await this.lists.page(on.ref, signedIn(actor), order, request);
    return { ...page, rows: await this.shown.of(on, page.rows) };
  }

  private async after(
    actor: Actor,
    on: Discussed,
    order: NoteOrder,
    cursor: string | undefined,
    perPage: number,
  ): Promise<KeysetPage<ShownNote>> {
    const from = cursor === undefined ? null : readCursor(cursor);
    const { rows, hasNext } = await this.lists.after(on.ref, signedIn(actor), order, {
      cursor: from,
      perPage,
    });
    const last = rows.at(-1);
    const notes = rows.map(({ note }) => note);
    return {
      rows: await this.shown.of(on, notes),
      next: hasNext && last ? { cursor: writeCursor(last.cursor) } : null,
    };
  }
}

/** Everybody changes their own words, maintainers those of others. */
const mayChange = ({ user }: Actor, { isOpen, mayModerate }: Discussed, note: Note): boolean =>
  !note.system && (mayModerate || (isOpen && note.authorId === user?.id));
