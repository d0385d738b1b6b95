import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { DiscussedThings } from './discussed-things.service';
import { NewNotes } from './new-notes.service';
import {
  ChangedMergeRequestNote,
  NewMergeRequestNote,
  MergeRequestNote,
  MergeRequestNotes,
} from './note.params';
import { presentNote, presentWritten } from './note.presenter';
import { Notes } from './notes.service';
import { writtenAnswer } from './written-answer';

/** The thing itself decides who reads and writes: see DiscussedThings. */
const ACCESS = { access: 'project:reader', loginFirst: true } as const;

/** Specification, Notes. */
@Controller()
export class MergeRequestNotesController {
  constructor(
    private readonly things: DiscussedThings,
    private readonly notes: Notes,
    private readonly newNotes: NewNotes,
  ) {}

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/notes', {
    ...ACCESS,
    params: MergeRequestNotes,
    paginated: true,
    presents: presentNote,
  })
  async list({ actor, subject: project, params, page }: ProjectCall<typeof MergeRequestNotes>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return this.notes.list(actor, on, params, page);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
    ...ACCESS,
    params: MergeRequestNote,
    presents: presentNote,
  })
  async show({ actor, subject: project, params }: ProjectCall<typeof MergeRequestNote>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return this.notes.show(actor, on, params.note_id);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/notes', {
    ...ACCESS,
    params: NewMergeRequestNote,
    presents: presentWritten,
  })
  async create({ actor, subject: project, params }: ProjectCall<typeof NewMergeRequestNote>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return writtenAnswer(await this.newNotes.create(actor, on, params));
  }

  @Endpoint('PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
    ...ACCESS,
    params: ChangedMergeRequestNote,
    presents: presentNote,
  })
  async update({ actor, subject: project, params }: ProjectCall<typeof ChangedMergeRequestNote>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return this.notes.update(actor, on, params.note_id, params.body);
  }

  @Endpoint('DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id', {
    ...ACCESS,
    params: MergeRequestNote,
  })
  async remove({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof MergeRequestNote>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return this.notes.remove(actor, on, params.note_id, unmodifiedSince);
  }
}
