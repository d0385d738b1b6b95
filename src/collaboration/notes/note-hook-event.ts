import type { ActorUser } from '#libs/access';
import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import {
  HookEvent,
  HookRecords,
  type HookCall,
  type HookKindName,
  type Project,
} from '../../repository/repository.api';
import { NewestNotes } from './newest-notes.repository';
import { NoteHookThings, type HookThing } from './note-hook-things.service';
import type { Note } from './note.entity';
import { noteWritten, type NoteWritten } from './note-written.event';
import { NotesRepository } from './notes.repository';

/** What people write on issues, merge requests and snippets of a project. */
@Injectable()
export class NoteHookEvent extends HookEvent<NoteWritten> {
  readonly type = noteWritten;
  readonly kinds = ['note', 'confidential_note'] as const;

  constructor(
    private readonly notes: NotesRepository,
    private readonly newest: NewestNotes,
    private readonly things: NoteHookThings,
    private readonly records: HookRecords,
    private readonly urls: Urls,
  ) {
    super();
  }

  async calls({ noteId }: NoteWritten, project: Project): Promise<readonly HookCall[]> {
    const note = await this.notes.findById(noteId);
    const call = note && (await this.callFor(project, note));
    return call ? [call] : [];
  }

  async sample(kind: HookKindName, project: Project, user: ActorUser): Promise<HookCall | null> {
    const id = await this.newest.inProject(project.id, { isConfidential: kind === 'confidential_note' });
    const note = id === null ? null : await this.notes.findById(id);
    return note && this.callFor(project, Object.assign(note, { authorId: user.id }));
  }

  /** Null where the thing is gone by now. */
  private async callFor(project: Project, note: Note): Promise<HookCall | null> {
    const thing = await this.things.find(project, note.on);
    if (!thing) return null;
    const kind = thing.isConfidential ? 'confidential_note' : 'note';
    return { kind, branch: null, body: () => this.body(project, note, thing, kind) };
  }

  private async body(project: Project, note: Note, thing: HookThing, kind: HookKindName): Promise<object> {
    const { name, url, description, homepage } = this.records.repository(project);
    return {
      object_kind: 'note',
      event_type: kind,
      user: await this.records.user(note.authorId),
      project_id: project.id,
      project: this.records.project(project),
      object_attributes: attributesOf(
        project,
        note,
        `${this.urls.web(project.fullPath)}/${thing.page}#note_${note.id}`,
      ),
      repository: { name, url, description, homepage },
      [thing.name]: await thing.attributes(),
    };
  }
}

const attributesOf = (project: Project, note: Note, url: string) => ({
  attachment: note.attachment,
  author_id: note.authorId,
  change_position: null,
  commit_id: null,
  created_at: note.createdAt.toISOString(),
  discussion_id: note.discussionId,
  id: note.id,
  line_code: null,
  note: note.body,
  noteable_id: note.on.id,
  noteable_type: note.on.kind,
  original_position: note.position,
  position: note.position,
  project_id: project.id,
  resolved_at: note.resolvedAt?.toISOString() ?? null,
  resolved_by_id: note.resolvedById,
  resolved_by_push: null,
  st_diff: null,
  system: note.system,
  type: note.type,
  updated_at: note.updatedAt.toISOString(),
  updated_by_id: note.updatedById,
  description: note.body,
  url,
});
