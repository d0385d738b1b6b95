import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { badRequest, forbidden, notFound } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { Discussed } from './discussed';
import type { Discussion } from './discussion';
import { DiscussionsRepository } from './discussions.repository';
import type { Note } from './note.entity';
import type { NoteText } from './note.params';
import { NoteWriting, type NotePlace } from './note-writing.service';
import { NotesRepository } from './notes.repository';
import { QuickActions, type AppliedActions } from './quick-actions.service';
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
    private readonly quickActions: QuickActions,
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

  /** Begins one; of a remark on a diff `place` says where it stands. Or what was done where it says nothing else. */
  async begin(
    actor: Actor,
    on: Discussed,
    text: NoteText,
    place: NotePlace = {},
  ): Promise<Discussion | AppliedActions> {
    const note = await this.write(actor, on, text, { type: 'DiscussionNote', ...place });
    return 'summary' in note ? note : { id: note.discussionId, notes: await this.shown.of(on, [note]) };
  }

  /** A remark of its own becomes a discussion by being answered; what the system tells is not answered. */
  async reply(actor: Actor, on: Discussed, id: string, text: NoteText): Promise<ShownNote | AppliedActions> {
    const first = await this.discussions.beginningOf(on.ref, signedIn(actor), id);
    if (!first) throw notFound('Discussion');
    if (first.system) throw badRequest('400 Bad request - Discussion can not be replied to.');
    const place = { type: first.type ?? 'DiscussionNote', discussionId: id, position: first.position };
    const note = await this.database.transaction(async () => {
      const written = await this.write(actor, on, text, place);
      if (!('summary' in written)) await this.discussions.open(first);
      return written;
    });
    return 'summary' in note ? note : this.shown.one(on, note);
  }

  /** The note, without the quick actions that were done; those alone where there is nothing else to write. */
  private write(
    actor: Actor,
    on: Discussed,
    text: NoteText,
    place: NotePlace,
  ): Promise<Note | AppliedActions> {
    if (!on.mayComment) throw forbidden();
    return this.database.transaction(async () => {
      const { text: body, applied } = await this.quickActions.run(actor, on, text.body);
      return applied && body === '' ? applied : this.writing.write(actor, on, { ...text, body }, place);
    });
  }

  private async notesOf(actor: Actor, on: Discussed, id: string): Promise<Note[]> {
    const notes = await this.discussions.notesOf(on.ref, signedIn(actor), [id]);
    if (notes.length === 0) throw notFound('Discussion');
    return notes;
  }
}
