import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { DiscussedThings } from './discussed-things.service';
import { DiscussionNotes } from './discussion-notes.service';
import {
  ChangedEpicDiscussionNote,
  EpicDiscussion,
  EpicDiscussionNote,
  EpicDiscussions,
  EpicReply,
  NewEpicDiscussion,
  placeOf,
} from './discussion.params';
import { presentDiscussion } from './discussion.presenter';
import { Discussions } from './discussions.service';
import { presentNote } from './note.presenter';
import { writtenAnswer } from './written-answer';

/** The thing itself decides who reads and writes: see DiscussedThings. */
const ACCESS = { access: 'group:reader', loginFirst: true, feature: 'epics' } as const;

/** What the reference's clients show and answer beside the specification's notes. */
@Controller()
export class EpicDiscussionsController {
  constructor(
    private readonly things: DiscussedThings,
    private readonly discussions: Discussions,
    private readonly discussionNotes: DiscussionNotes,
  ) {}

  @Endpoint('GET /groups/:id/epics/:epic_id/discussions', {
    ...ACCESS,
    params: EpicDiscussions,
    paginated: true,
    presents: presentDiscussion,
  })
  async list({ actor, subject: group, params, page }: GroupCall<typeof EpicDiscussions>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return this.discussions.list(actor, on, page);
  }

  @Endpoint('GET /groups/:id/epics/:epic_id/discussions/:discussion_id', {
    ...ACCESS,
    params: EpicDiscussion,
    presents: presentDiscussion,
  })
  async show({ actor, subject: group, params }: GroupCall<typeof EpicDiscussion>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return this.discussions.show(actor, on, params.discussion_id);
  }

  @Endpoint('POST /groups/:id/epics/:epic_id/discussions', {
    ...ACCESS,
    params: NewEpicDiscussion,
    presents: presentDiscussion,
  })
  async begin({ actor, subject: group, params }: GroupCall<typeof NewEpicDiscussion>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return writtenAnswer(await this.discussions.begin(actor, on, params));
  }

  @Endpoint('GET /groups/:id/epics/:epic_id/discussions/:discussion_id/notes', {
    ...ACCESS,
    params: EpicDiscussion,
    presents: presentNote,
  })
  async notes({ actor, subject: group, params }: GroupCall<typeof EpicDiscussion>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return (await this.discussions.show(actor, on, params.discussion_id)).notes;
  }

  @Endpoint('POST /groups/:id/epics/:epic_id/discussions/:discussion_id/notes', {
    ...ACCESS,
    params: EpicReply,
    presents: presentNote,
  })
  async reply({ actor, subject: group, params }: GroupCall<typeof EpicReply>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return writtenAnswer(await this.discussions.reply(actor, on, params.discussion_id, params));
  }

  @Endpoint('GET /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: EpicDiscussionNote,
    presents: presentNote,
  })
  async note({ actor, subject: group, params }: GroupCall<typeof EpicDiscussionNote>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return this.discussions.note(actor, on, params.discussion_id, params.note_id);
  }

  @Endpoint('PUT /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: ChangedEpicDiscussionNote,
    presents: presentNote,
  })
  async change({ actor, subject: group, params }: GroupCall<typeof ChangedEpicDiscussionNote>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return this.discussionNotes.change(actor, on, placeOf(params), params);
  }

  @Endpoint('DELETE /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: EpicDiscussionNote,
  })
  async remove({ actor, subject: group, params, unmodifiedSince }: GroupCall<typeof EpicDiscussionNote>) {
    const on = await this.things.epic(actor, group, params.epic_id);
    return this.discussionNotes.remove(actor, on, placeOf(params), unmodifiedSince);
  }
}
