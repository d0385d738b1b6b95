import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { DiscussedThings } from './discussed-things.service';
import { NewNotes } from './new-notes.service';
import { ChangedEpicNote, NewEpicNote, EpicNote, EpicNotes } from './note.params';
import { presentNote, presentWritten } from './note.presenter';
import { Notes } from './notes.service';
import { writtenAnswer } from './written-answer';

/** The thing itself decides who reads and writes: see DiscussedThings. */
const ACCESS = { access: 'group:reader', loginFirst: true, feature: 'epics' } as const;

/** Specification, Notes. */
@Controller()
export class EpicNotesController {
  constructor(
    private readonly things: DiscussedThings,
    private readonly notes: Notes,
    private readonly newNotes: NewNotes,
  ) {}

  @Endpoint('GET /groups/:id/epics/:epic_id/notes', {
    ...ACCESS,
    params: EpicNotes,
    paginated: true,
    presents: presentNote,
  })
  async list({ actor, subject: group, params, page }: GroupCall<typeof EpicNotes>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return this.notes.list(actor, on, params, page);
  }

  @Endpoint('GET /groups/:id/epics/:epic_id/notes/:note_id', {
    ...ACCESS,
    params: EpicNote,
    presents: presentNote,
  })
  async show({ actor, subject: group, params }: GroupCall<typeof EpicNote>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return this.notes.show(actor, on, params.note_id);
  }

  @Endpoint('POST /groups/:id/epics/:epic_id/notes', {
    ...ACCESS,
    params: NewEpicNote,
    presents: presentWritten,
  })
  async create({ actor, subject: group, params }: GroupCall<typeof NewEpicNote>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return writtenAnswer(await this.newNotes.create(actor, on, params));
  }

  @Endpoint('PUT /groups/:id/epics/:epic_id/notes/:note_id', {
    ...ACCESS,
    params: ChangedEpicNote,
    presents: presentNote,
  })
  async update({ actor, subject: group, params }: GroupCall<typeof ChangedEpicNote>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return this.notes.update(actor, on, params.note_id, params.body);
  }

  @Endpoint('DELETE /groups/:id/epics/:epic_id/notes/:note_id', { ...ACCESS, params: EpicNote })
  async remove({ actor, subject: group, params, unmodifiedSince }: GroupCall<typeof EpicNote>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return this.notes.remove(actor, on, params.note_id, unmodifiedSince);
  }
}
