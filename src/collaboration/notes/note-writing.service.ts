import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound } from '#libs/errors';
import { Events } from '#libs/events';
import { Injectable } from '@nestjs/common';
import type { Discussed } from './discussed';
import { NoteCounts } from './note-counts.repository';
import type { Note } from './note.entity';
import type { NoteText } from './note.params';
import { requireNoteText } from './note-text';
import { NoteTexts } from './note-texts.service';
import { noteWritten } from './note-written.event';
import { ProjectActivity } from './project-activity.repository';
import { NotesRepository, type NewNote } from './notes.repository';

/** How a note stands to others. */
export type NotePlace = Pick<NewNote, 'type' | 'discussionId' | 'position'>;

/** Keeps what people write: the note, what its text brings along, the count of its noteable, and the news of it. */
@Injectable()
export class NoteWriting {
  constructor(
    private readonly database: Database,
    private readonly notes: NotesRepository,
    private readonly counts: NoteCounts,
    private readonly texts: NoteTexts,
    private readonly events: Events,
    private readonly activity: ProjectActivity,
  ) {}

  /** Throws 403 for whoever may not comment, and `validation` for what is no text of a note. */
  write(actor: Actor, on: Discussed, { body, created_at }: NoteText, place: NotePlace = {}): Promise<Note> {
    const { id: authorId } = signedIn(actor);
    if (!on.mayComment) throw forbidden();
    requireNoteText(body);
    return this.database.transaction(async () => {
      if (!(await this.counts.add(on.ref, 1))) throw notFound();
      const writtenAt = on.mayDate ? created_at : undefined;
      const attachment = await this.texts.attachmentIn(on, body);
      const note = await this.notes.insert({ ...place, on: on.ref, authorId, body, attachment, writtenAt });
      await this.texts.written(on, note, authorId);
      if (on.project) await this.tell(on.project.id, note);
      return note;
    });
  }

  private async tell(projectId: number, { id: noteId }: Note): Promise<void> {
    await this.events.emit(noteWritten, { projectId, noteId });
    await this.activity.note(projectId);
  }

  /** Gives a note that the caller holds another text. */
  async rewrite(actor: Actor, on: Discussed, note: Note, body: string): Promise<void> {
    const { id } = signedIn(actor);
    requireNoteText(body);
    const now = new Date();
    const attachment = await this.texts.attachmentIn(on, body);
    const changes = { body, attachment, updatedAt: now, lastEditedAt: now, updatedById: id };
    await this.notes.update(note, changes);
    Object.assign(note, changes);
    await this.texts.changed(on, note, id);
  }
}
