import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { badRequest, notFound } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Discussed } from './discussed';
import type { Discussion } from './discussion';
import { DiscussionsRepository } from './discussions.repository';
import type { Note } from './note.entity';
import type { NoteText } from './note.params';
import { NoteWriting, type NotePlace } from './note-writing.service';
import { NotesRepository } from './notes.repository';
import type { ShownNote } from './shown-note';
import { ShownNotes } from './shown-notes.service';

/** What people say to each other on whatever can be discussed. */
@Injectable()
export class Discussions {
  constructor(
    private readonly database: Database,
    private readonly discussions: DiscussionsRepository,
    private readonly notes: NotesRepository,
    private readonly writing: NoteWriting,
    private readonly shown: ShownNotes,
  ) {}

  async list(actor: Actor, on: Discussed, request: PageRequest): Promise<Page<Discussion>> {
    const page = await this.discussions.page(on.ref, signedIn(actor), request);
    const notes = await this.shown.of(on, await this.discussions.notesOf(on.ref, signedIn(actor), page.rows));
    const rows = page.rows.map((id) => ({ id, notes: notes.filter(({ note }) => note.discussionId === id) }));
    return { ...page, rows: rows.filter((discussion) => discussion.notes.length > 0) };
  }

  /** Throws "404 Discussion Not Found" both where there is none on this thing and where the caller may not see it. */
  async show(actor: Actor, on: Discussed, id: string): Promise<Discussion> {
    return { id, notes: await this.shown.of(on, await this.notesOf(actor, on, id)) };
  }

  /** A note of a discussion. Throws 404. */
  async note(actor: Actor, on: Discussed, id: string, noteId: number): Promise<ShownNote> {
    const note = await this.notes.find(on.ref, noteId, signedIn(actor));
    if (note?.discussionId !== id) throw notFound();
    return this.shown.one(on, note);
  }

  /** Begins one; of a remark on a diff `place` says where it stands. */
  async begin(actor: Actor, on: Discussed, text: NoteText, place: NotePlace = {}): Promise<Discussion> {
    const note = await this.writing.write(actor, on, text, { type: 'DiscussionNote', ...place });
    return { id: note.discussionId, notes: await this.shown.of(on, [note]) };
  }

  /** A remark of its own becomes a discussion by being answered; what the system tells is not answered. */
  async reply(actor: Actor, on: Discussed, id: string, text: NoteText): Promise<ShownNote> {
    const [first] = await this.notesOf(actor, on, id);
    if (!first || first.system) throw badRequest('400 Bad request - Discussion can not be replied to.');
    const note = await this.database.transaction(async () => {
      const written = await this.writing.write(actor, on, text, {
        type: first.type ?? 'DiscussionNote',
        discussionId: id,
        position: first.position,
      });
      await this.discussions.open(first);
      return written;
    });
    return this.shown.one(on, note);
  }

  private async notesOf(actor: Actor, on: Discussed, id: string): Promise<Note[]> {
    const notes = await this.discussions.notesOf(on.ref, signedIn(actor), [id]);
    if (notes.length === 0) throw notFound('Discussion');
    return notes;
  }
}
