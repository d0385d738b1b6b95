import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { DiscussedThings } from './discussed-things.service';
import { NewNotes } from './new-notes.service';
import { ChangedIssueNote, NewIssueNote, IssueNote, IssueNotes } from './note.params';
import { presentNote, presentWritten } from './note.presenter';
import { Notes } from './notes.service';
import { writtenAnswer } from './written-answer';

/** The thing itself decides who reads and writes: see DiscussedThings. */
const ACCESS = { access: 'project:reader', loginFirst: true } as const;

/** Specification, Notes. */
@Controller()
export class IssueNotesController {
  constructor(
    private readonly things: DiscussedThings,
    private readonly notes: Notes,
    private readonly newNotes: NewNotes,
  ) {}

  @Endpoint('GET /projects/:id/issues/:issue_iid/notes', {
    ...ACCESS,
    params: IssueNotes,
    paginated: true,
    presents: presentNote,
  })
  async list({ actor, subject: project, params, page }: ProjectCall<typeof IssueNotes>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return this.notes.list(actor, on, params, page);
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/notes/:note_id', {
    ...ACCESS,
    params: IssueNote,
    presents: presentNote,
  })
  async show({ actor, subject: project, params }: ProjectCall<typeof IssueNote>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return this.notes.show(actor, on, params.note_id);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/notes', {
    ...ACCESS,
    params: NewIssueNote,
    presents: presentWritten,
  })
  async create({ actor, subject: project, params }: ProjectCall<typeof NewIssueNote>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return writtenAnswer(await this.newNotes.create(actor, on, params));
  }

  @Endpoint('PUT /projects/:id/issues/:issue_iid/notes/:note_id', {
    ...ACCESS,
    params: ChangedIssueNote,
    presents: presentNote,
  })
  async update({ actor, subject: project, params }: ProjectCall<typeof ChangedIssueNote>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return this.notes.update(actor, on, params.note_id, params.body);
  }

  @Endpoint('DELETE /projects/:id/issues/:issue_iid/notes/:note_id', { ...ACCESS, params: IssueNote })
  async remove({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof IssueNote>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return this.notes.remove(actor, on, params.note_id, unmodifiedSince);
  }
}
