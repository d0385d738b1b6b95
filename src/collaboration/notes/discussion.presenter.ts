import { field, presenter, type View } from '#libs/presenting';
import type { Discussion } from './discussion';
import { NoteRecord, presentNote } from './note.presenter';

export const presentDiscussion = presenter(
  field.object({ id: field.string(), individual_note: field.boolean(), notes: field.array(NoteRecord) }),
  ({ id, notes }: Discussion, view: View) => ({
    id,
    individual_note: notes[0]?.note.type === null,
    notes: notes.map((note) => presentNote(note, view)),
  }),
);
