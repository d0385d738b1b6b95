import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound } from '#libs/errors';
import { Events } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { Mentions } from '../../planning/planning.api';
import type { Discussed } from './discussed';
import { NoteCounts } from './note-counts.repository';
import type { Note } from './note.entity';
import type { NoteText } from './note.params';
import { requireNoteText } from './note-text';
import { noteWritten } from './note-written.event';
import { NotesRepository, type NewNote } from './notes.repository';

/** How a note stands to others. */
export type NotePlace = Pick<NewNote, 'type' | 'discussionId' | 'position'>;

/** Keeps what people write: the note, what it mentions, the count of its noteable, and the news of it. */
@Injectable()
export class NoteWriting {
  constructor(
    private readonly database: Database,
    private readonly notes: NotesRepository,
    private readonly counts: NoteCounts,
    private readonly mentions: Mentions,
    private readonly events: Events,
  ) {}

  /** Throws 403 for whoever may not comment, and `validation` for what is no text of a note. */
  write(actor: Actor, on: Discussed, { body, created_at }: NoteText, place: NotePlace = {}): Promise<Note> {
    const { id: authorId } = signedIn(actor);
    if (!on.mayComment) throw forbidden();
    requireNoteText(body);
    return this.database.transaction(async () => {
      if (!(await this.counts.add(on.ref, 1))) throw notFound();
      const writtenAt = on.mayDate ? created_at : undefined;
      const note = await this.notes.insert({ ...place, on: on.ref, authorId, body, writtenAt });
      await this.mention(on, authorId, body);
      if (on.project) await this.events.emit(noteWritten, { projectId: on.project.id, noteId: note.id });
      return note;
    });
  }

  /** Gives a note that the caller holds another text. */
  async rewrite(actor: Actor, on: Discussed, note: Note, body: string): Promise<void> {
    const { id } = signedIn(actor);
    requireNoteText(body);
    const now = new Date();
    const changes = { body, updatedAt: now, lastEditedAt: now, updatedById: id };
    await this.notes.update(note, changes);
    Object.assign(note, changes);
    // Whoever changes it names what it names now, and is asked whether they see that.
    await this.mention(on, id, body);
  }

  private mention({ ref, project }: Discussed, authorId: number, text: string): Promise<void> {
    return this.mentions.note({ in: ref, projectId: project?.id ?? null, authorId, text });
  }
}
