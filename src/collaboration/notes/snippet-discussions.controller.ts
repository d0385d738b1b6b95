import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { DiscussedThings } from './discussed-things.service';
import { DiscussionNotes } from './discussion-notes.service';
import {
  ChangedSnippetDiscussionNote,
  SnippetDiscussion,
  SnippetDiscussionNote,
  SnippetDiscussions,
  SnippetReply,
  NewSnippetDiscussion,
  placeOf,
} from './discussion.params';
import { presentDiscussion } from './discussion.presenter';
import { Discussions } from './discussions.service';
import { presentNote } from './note.presenter';
import { writtenAnswer } from './written-answer';

/** The thing itself decides who reads and writes: see DiscussedThings. */
const ACCESS = { access: 'project:reader', loginFirst: true } as const;

/** What the reference's clients show and answer beside the specification's notes. */
@Controller()
export class SnippetDiscussionsController {
  constructor(
    private readonly things: DiscussedThings,
    private readonly discussions: Discussions,
    private readonly discussionNotes: DiscussionNotes,
  ) {}

  @Endpoint('GET /projects/:id/snippets/:snippet_id/discussions', {
    ...ACCESS,
    params: SnippetDiscussions,
    paginated: true,
    presents: presentDiscussion,
  })
  async list({ actor, subject: project, params, page }: ProjectCall<typeof SnippetDiscussions>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return this.discussions.list(actor, on, page);
  }

  @Endpoint('GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id', {
    ...ACCESS,
    params: SnippetDiscussion,
    presents: presentDiscussion,
  })
  async show({ actor, subject: project, params }: ProjectCall<typeof SnippetDiscussion>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return this.discussions.show(actor, on, params.discussion_id);
  }

  @Endpoint('POST /projects/:id/snippets/:snippet_id/discussions', {
    ...ACCESS,
    params: NewSnippetDiscussion,
    presents: presentDiscussion,
  })
  async begin({ actor, subject: project, params }: ProjectCall<typeof NewSnippetDiscussion>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return writtenAnswer(await this.discussions.begin(actor, on, params));
  }

  @Endpoint('GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes', {
    ...ACCESS,
    params: SnippetDiscussion,
    presents: presentNote,
  })
  async notes({ actor, subject: project, params }: ProjectCall<typeof SnippetDiscussion>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return (await this.discussions.show(actor, on, params.discussion_id)).notes;
  }

  @Endpoint('POST /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes', {
    ...ACCESS,
    params: SnippetReply,
    presents: presentNote,
  })
  async reply({ actor, subject: project, params }: ProjectCall<typeof SnippetReply>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return writtenAnswer(await this.discussions.reply(actor, on, params.discussion_id, params));
  }

  @Endpoint('GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: SnippetDiscussionNote,
    presents: presentNote,
  })
  async note({ actor, subject: project, params }: ProjectCall<typeof SnippetDiscussionNote>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return this.discussions.note(actor, on, params.discussion_id, params.note_id);
  }

  @Endpoint('PUT /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: ChangedSnippetDiscussionNote,
    presents: presentNote,
  })
  async change({ actor, subject: project, params }: ProjectCall<typeof ChangedSnippetDiscussionNote>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return this.discussionNotes.change(actor, on, placeOf(params), params);
  }

  @Endpoint('DELETE /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: SnippetDiscussionNote,
  })
  async remove({
    actor,
    subject: project,
    params,
    unmodifiedSince,
  }: ProjectCall<typeof SnippetDiscussionNote>) {
    const on = await this.things.snippet(actor, project, params.snippet_id);
    return this.discussionNotes.remove(actor, on, placeOf(params), unmodifiedSince);
  }
}
