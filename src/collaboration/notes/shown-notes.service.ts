import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import type { Discussed } from './discussed';
import type { Note } from './note.entity';
import type { ShownNote } from './shown-note';

/** Puts notes together with those who wrote and resolved them: one query for all. */
@Injectable()
export class ShownNotes {
  constructor(private readonly users: UserDirectory) {}

  async of({ iid }: Pick<Discussed, 'iid'>, notes: readonly Note[]): Promise<ShownNote[]> {
    const people = await this.users.contactsByIds(
      notes.flatMap((note) => [note.authorId, note.resolvedById]),
    );
    return notes.map((note) => ({
      note,
      iid,
      author: people.get(note.authorId ?? 0) ?? null,
      resolvedBy: people.get(note.resolvedById ?? 0) ?? null,
    }));
  }

  async one(on: Pick<Discussed, 'iid'>, note: Note): Promise<ShownNote> {
    const [shown] = await this.of(on, [note]);
    if (!shown) throw new Error('every note is shown');
    return shown;
  }
}
