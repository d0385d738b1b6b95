import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { DiscussedThings } from './discussed-things.service';
import { DiscussionNotes } from './discussion-notes.service';
import {
  ChangedMergeRequestDiscussionNote,
  MergeRequestDiscussion,
  MergeRequestDiscussionNote,
  MergeRequestDiscussions,
  MergeRequestReply,
  NewMergeRequestDiscussion,
  ResolvedMergeRequestDiscussion,
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
export class MergeRequestDiscussionsController {
  constructor(
    private readonly things: DiscussedThings,
    private readonly discussions: Discussions,
    private readonly discussionNotes: DiscussionNotes,
  ) {}

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/discussions', {
    ...ACCESS,
    params: MergeRequestDiscussions,
    paginated: true,
    presents: presentDiscussion,
  })
  async list({ actor, subject: project, params, page }: ProjectCall<typeof MergeRequestDiscussions>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return this.discussions.list(actor, on, page);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id', {
    ...ACCESS,
    params: MergeRequestDiscussion,
    presents: presentDiscussion,
  })
  async show({ actor, subject: project, params }: ProjectCall<typeof MergeRequestDiscussion>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return this.discussions.show(actor, on, params.discussion_id);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/discussions', {
    ...ACCESS,
    params: NewMergeRequestDiscussion,
    presents: presentDiscussion,
  })
  async begin({ actor, subject: project, params }: ProjectCall<typeof NewMergeRequestDiscussion>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return writtenAnswer(await this.discussionNotes.begin(actor, on, params));
  }

  @Endpoint('PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id', {
    ...ACCESS,
    params: ResolvedMergeRequestDiscussion,
    presents: presentDiscussion,
  })
  async settle({ actor, subject: project, params }: ProjectCall<typeof ResolvedMergeRequestDiscussion>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return this.discussionNotes.settle(actor, on, params.discussion_id, params.resolved);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes', {
    ...ACCESS,
    params: MergeRequestDiscussion,
    presents: presentNote,
  })
  async notes({ actor, subject: project, params }: ProjectCall<typeof MergeRequestDiscussion>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return (await this.discussions.show(actor, on, params.discussion_id)).notes;
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes', {
    ...ACCESS,
    params: MergeRequestReply,
    presents: presentNote,
  })
  async reply({ actor, subject: project, params }: ProjectCall<typeof MergeRequestReply>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return writtenAnswer(await this.discussions.reply(actor, on, params.discussion_id, params));
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: MergeRequestDiscussionNote,
    presents: presentNote,
  })
  async note({ actor, subject: project, params }: ProjectCall<typeof MergeRequestDiscussionNote>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return this.discussions.note(actor, on, params.discussion_id, params.note_id);
  }

  @Endpoint('PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: ChangedMergeRequestDiscussionNote,
    presents: presentNote,
  })
  async change({ actor, subject: project, params }: ProjectCall<typeof ChangedMergeRequestDiscussionNote>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return this.discussionNotes.change(actor, on, placeOf(params), params);
  }

  @Endpoint(
    'DELETE /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id',
    { ...ACCESS, params: MergeRequestDiscussionNote },
  )
  async remove({
    actor,
    subject: project,
    params,
    unmodifiedSince,
  }: ProjectCall<typeof MergeRequestDiscussionNote>) {
    const on = await this.things.mergeRequest(actor, project, params.merge_request_iid);
    return this.discussionNotes.remove(actor, on, placeOf(params), unmodifiedSince);
  }
}
