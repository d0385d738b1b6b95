import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { DiscussedThings } from './discussed-things.service';
import { NewNotes } from './new-notes.service';
import { ChangedSnippetNote, NewSnippetNote, SnippetNote, SnippetNotes } from './note.params';
import { presentNote, presentWritten } from './note.presenter';
import { Notes } from './notes.service';
import { writtenAnswer } from './written-answer';

/** The thing itself decides who reads and writes: see DiscussedThings. */
const ACCESS = { access: 'project:reader', loginFirst: true } as const;

/** Specification, Notes. */
@Controller()
export class SnippetNotesController {
  constructor(
    private readonly things: DiscussedThings,
    private readonly notes: Notes,
    private readonly newNotes: NewNotes,
  ) {}

  @Endpoint('GET /projects/:id/snippets/:snippet_id/notes', {
    ...ACCESS,
    params: SnippetNotes,
    paginated: true,
    presents: presentNote,
  })
  async list({ actor, subject: project, params, page }: ProjectCall<typeof SnippetNotes>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return this.notes.list(actor, on, params, page);
  }

  @Endpoint('GET /projects/:id/snippets/:snippet_id/notes/:note_id', {
    ...ACCESS,
    params: SnippetNote,
    presents: presentNote,
  })
  async show({ actor, subject: project, params }: ProjectCall<typeof SnippetNote>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return this.notes.show(actor, on, params.note_id);
  }

  @Endpoint('POST /projects/:id/snippets/:snippet_id/notes', {
    ...ACCESS,
    params: NewSnippetNote,
    presents: presentWritten,
  })
  async create({ actor, subject: project, params }: ProjectCall<typeof NewSnippetNote>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return writtenAnswer(await this.newNotes.create(actor, on, params));
  }

  @Endpoint('PUT /projects/:id/snippets/:snippet_id/notes/:note_id', {
    ...ACCESS,
    params: ChangedSnippetNote,
    presents: presentNote,
  })
  async update({ actor, subject: project, params }: ProjectCall<typeof ChangedSnippetNote>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return this.notes.update(actor, on, params.note_id, params.body);
  }

  @Endpoint('DELETE /projects/:id/snippets/:snippet_id/notes/:note_id', { ...ACCESS, params: SnippetNote })
  async remove({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof SnippetNote>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return this.notes.remove(actor, on, params.note_id, unmodifiedSince);
  }
}
