import { createHash } from 'node:crypto';
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
import type { HookThing } from './hook-thing';
import { NoteHookThings } from './note-hook-things.service';
import { shownPosition, type DiffPosition } from './diff-position';
import type { Note } from './note.entity';
import { noteWritten, type NoteWritten } from './note-written.event';
import { NotesRepository } from './notes.repository';

/** What people write on issues, merge requests, snippets and commits of a project. */
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
      object_attributes: {
        ...attributesOf(project, note, thing),
        url: `${this.urls.web(project.fullPath)}/${thing.page}#note_${note.id}`,
      },
      repository: { name, url, description, homepage },
      [thing.name]: await thing.attributes(),
    };
  }
}

const attributesOf = (project: Project, note: Note, { sha = null }: { readonly sha?: string | null }) => ({
  attachment: note.attachment,
  author_id: note.authorId,
  change_position: null,
  commit_id: sha,
  created_at: note.createdAt.toISOString(),
  discussion_id: note.discussionId,
  id: note.id,
  line_code: lineCodeOf(note.position),
  note: note.body,
  noteable_id: sha === null ? note.on.id : null,
  noteable_type: note.on.kind,
  original_position: note.position && shownPosition(note.position),
  position: note.position && shownPosition(note.position),
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
});

/** The reference's name for a line of a diff: the digest of the path, and the line's numbers. */
function lineCodeOf(position: DiffPosition | null): string | null {
  if (position?.position_type !== 'text') return null;
  const { new_path: path, old_line: oldLine, new_line: newLine } = position;
  return `${createHash('sha1').update(path).digest('hex')}_${oldLine ?? 0}_${newLine ?? 0}`;
}
