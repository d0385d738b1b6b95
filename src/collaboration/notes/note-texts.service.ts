import { Injectable } from '@nestjs/common';
import { Mentions, mentionedPeople } from '../../planning/planning.api';
import { Uploads } from '../../repository/repository.api';
import { CommitMentions } from './commit-mentions.service';
import type { Discussed } from './discussed';
import { noteableOf } from './discussed-ref';
import { NoteMentions } from './note-mentions.repository';
import type { Note } from './note.entity';

/** What the texts of notes bring along: a file, things that they name, people whom they call. */
@Injectable()
export class NoteTexts {
  constructor(
    private readonly uploads: Uploads,
    private readonly mentions: Mentions,
    private readonly commitMentions: CommitMentions,
    private readonly people: NoteMentions,
  ) {}

  /** The name of the first file of the project that the text links to; groups have none. */
  async attachmentIn({ project }: Discussed, text: string): Promise<string | null> {
    const upload = project && (await this.uploads.firstLinked(project, text));
    return upload?.fileName ?? null;
  }

  /** Of a note that was just written. Call this and `changed` in the transaction that writes. */
  async written(on: Discussed, note: Note, authorId: number): Promise<void> {
    await this.refer(on, note.body, authorId);
    await this.people.add(note, mentionedPeople(note.body));
  }

  /** Whoever changes a note names what it names now, and is asked whether they see that. */
  async changed(on: Discussed, note: Note, byUserId: number): Promise<void> {
    await this.refer(on, note.body, byUserId);
    await this.people.replace(note, mentionedPeople(note.body));
  }

  private async refer({ ref, sha, project }: Discussed, text: string, authorId: number): Promise<void> {
    const noteable = noteableOf(ref);
    if (noteable) await this.mentions.note({ in: noteable, projectId: project?.id ?? null, authorId, text });
    else if (project && sha !== undefined) await this.commitMentions.note(project, { sha, text, authorId });
  }
}
