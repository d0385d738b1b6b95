import type { Actor } from '#libs/access';
import { forbidden, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Discussed } from './discussed';
import type { Discussion } from './discussion';
import { DiffPositions } from './diff-positions.service';
import { DiscussionSettling, type NoteInDiscussion } from './discussion-settling.service';
import type { NoteChange, PositionParams } from './discussion.params';
import { Discussions } from './discussions.service';
import type { NoteText } from './note.params';
import { Notes } from './notes.service';
import type { AppliedActions } from './quick-actions.service';
import type { ShownNote } from './shown-note';
import { ShownNotes } from './shown-notes.service';

/** What a discussion begins with. */
export type FirstNote = NoteText & { readonly position?: PositionParams | undefined };

/** Single notes of discussions. */
@Injectable()
export class DiscussionNotes {
  constructor(
    private readonly discussions: Discussions,
    private readonly settling: DiscussionSettling,
    private readonly positions: DiffPositions,
    private readonly notes: Notes,
    private readonly shown: ShownNotes,
  ) {}

  /** Begins a discussion of a merge request or a commit: somewhere in its difference, or on the whole. */
  async begin(
    actor: Actor,
    on: Discussed,
    { position: wanted, ...text }: FirstNote,
  ): Promise<Discussion | AppliedActions> {
    if (!on.mayComment) throw forbidden();
    if (!wanted || !on.project) return this.discussions.begin(actor, on, text);
    const position = await this.positions.require(on.project, on, wanted);
    return this.discussions.begin(actor, on, text, { type: 'DiffNote', position });
  }

  /** Changes its text, or resolves it. Throws 404 for a note that is not in that discussion. */
  async change(actor: Actor, on: Discussed, place: NoteInDiscussion, change: NoteChange): Promise<ShownNote> {
    await this.discussions.note(actor, on, place.discussionId, place.noteId);
    if (change.body !== undefined) return this.notes.update(actor, on, place.noteId, change.body);
    if (change.resolved === undefined) throw notFound();
    return this.shown.one(on, await this.settling.settleNote(actor, on, place, change.resolved));
  }

  /** Throws as `change` does. */
  async remove(
    actor: Actor,
    on: Discussed,
    place: NoteInDiscussion,
    unmodifiedSince: Date | null,
  ): Promise<void> {
    await this.discussions.note(actor, on, place.discussionId, place.noteId);
    await this.notes.remove(actor, on, place.noteId, unmodifiedSince);
  }

  /** Resolves a whole discussion, or opens it again. */
  async settle(actor: Actor, on: Discussed, id: string, resolved: boolean): Promise<Discussion> {
    await this.settling.settle(actor, on, id, resolved);
    return this.discussions.show(actor, on, id);
  }
}
