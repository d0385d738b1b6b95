import type { Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { AwardEmoji } from '../award-emoji/award-emoji.service';
import type { Discussed } from './discussed';
import { noteableOf } from './discussed-ref';
import type { NoteText } from './note.params';
import { NoteWriting } from './note-writing.service';
import { QuickActions, type AppliedActions } from './quick-actions.service';
import { ShownNotes } from './shown-notes.service';
import type { WrittenNote } from './written-note';

/** What becomes of a text that somebody sends as a note. */
@Injectable()
export class NewNotes {
  constructor(
    private readonly database: Database,
    private readonly writing: NoteWriting,
    private readonly quickActions: QuickActions,
    private readonly awards: AwardEmoji,
    private readonly shown: ShownNotes,
  ) {}

  /**
   * A note; an award where the text is one emoji alone; or what was done where it has nothing but quick actions.
   * Throws 403 for whoever may not comment, and `validation` for what is no text of a note.
   */
  async create(actor: Actor, on: Discussed, text: NoteText): Promise<WrittenNote | AppliedActions> {
    if (!on.mayComment) throw forbidden();
    const noteable = noteableOf(on.ref);
    const award = noteable && (await this.awards.fromNoteBody(actor, noteable, text.body));
    if (award) return award;
    return this.database.transaction(async () => {
      const { text: body, applied } = await this.quickActions.run(actor, on, text.body);
      if (applied && body === '') return applied;
      return this.shown.one(on, await this.writing.write(actor, on, { ...text, body }));
    });
  }
}
