import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { badRequest, forbidden, notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { SystemNotes } from '../../planning/planning.api';
import type { Discussed } from './discussed';
import { DiscussionsRepository } from './discussions.repository';
import { NoteCounts } from './note-counts.repository';
import type { Note } from './note.entity';
import { NotesRepository } from './notes.repository';

/** Resolving what was raised about a merge request. */
@Injectable()
export class DiscussionSettling {
  constructor(
    private readonly database: Database,
    private readonly discussions: DiscussionsRepository,
    private readonly notes: NotesRepository,
    private readonly counts: NoteCounts,
    private readonly systemNotes: SystemNotes,
  ) {}

  /**
   * Resolves a discussion, or opens it again: for developers and for whoever made the merge request. Throws 404 where there
   * is none, 400 for one that cannot be resolved, 403.
   */
  settle(actor: Actor, on: Discussed, discussionId: string, resolved: boolean): Promise<void> {
    return this.settling(actor, on, async () => {
      const notes = await this.discussions.notesOf(on.ref, signedIn(actor), [discussionId]);
      if (notes.length === 0) throw notFound('Discussion');
      if (!notes.some((note) => note.isResolvable)) throw notResolvable('Discussion');
      if (!maySettle(actor, on)) throw forbidden();
      await this.discussions.resolve(on.ref.id, discussionId, settlement(actor, resolved));
    });
  }

  /** The same for one note, which its author may settle too. Answers it. */
  settleNote(actor: Actor, on: Discussed, place: NoteInDiscussion, resolved: boolean): Promise<Note> {
    return this.settling(actor, on, async () => {
      const note = await this.notes.hold(on.ref, place.noteId);
      if (note?.discussionId !== place.discussionId) throw notFound();
      if (!note.isResolvable) throw notResolvable('Note');
      if (!maySettle(actor, on) && !(on.isOpen && note.authorId === signedIn(actor).id)) throw forbidden();
      if ((note.resolvedAt !== null) === resolved) return note;
      const by = settlement(actor, resolved);
      const changes = { resolvedAt: by?.at ?? null, resolvedById: by?.userId ?? null };
      await this.notes.update(note, changes);
      return Object.assign(note, changes);
    });
  }

  /** Resolves those of the discussions that are open. Answers which of them were; none where the caller may not. */
  settleSome(actor: Actor, on: Discussed, discussionIds: readonly string[]): Promise<string[]> {
    if (!maySettle(actor, on)) return Promise.resolve([]);
    return this.settling(actor, on, async () => {
      const by = settlement(actor, true);
      const settled: string[] = [];
      for (const id of discussionIds) {
        if ((await this.discussions.resolve(on.ref.id, id, by)) > 0) settled.push(id);
      }
      return settled;
    });
  }

  /** Tells when the last open discussion is settled: never twice, since the merge request is held meanwhile. */
  private settling<T>(actor: Actor, { ref }: Discussed, work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await this.counts.add(ref, 0);
      const before = await this.discussions.unresolvedOf(ref.id);
      const result = await work();
      if (before > 0 && (await this.discussions.unresolvedOf(ref.id)) === 0) {
        const note = {
          on: { kind: 'MergeRequest', id: ref.id } as const,
          authorId: signedIn(actor).id,
          action: 'discussion',
          body: 'resolved all threads',
        };
        await this.systemNotes.record([note]);
      }
      return result;
    });
  }
}

/** Where a note is said to be. */
export interface NoteInDiscussion {
  readonly discussionId: string;
  readonly noteId: number;
}

const settlement = (actor: Actor, resolved: boolean) =>
  resolved ? { userId: signedIn(actor).id, at: new Date() } : null;

const maySettle = (actor: Actor, on: Discussed): boolean =>
  on.maySettle || (on.isOpen && on.authorId === signedIn(actor).id);

const notResolvable = (what: string) => badRequest(`400 Bad request - ${what} is not resolvable`);
