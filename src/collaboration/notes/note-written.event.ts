import { defineEvent } from '#libs/events';

/** Somebody wrote a note on something of a project. */
export interface NoteWritten {
  readonly projectId: number;
  readonly noteId: number;
}

export const noteWritten = defineEvent<NoteWritten>()('collaboration.note_written');
