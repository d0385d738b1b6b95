import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { DiscussedThings } from './discussed-things.service';
import { DiscussionNotes } from './discussion-notes.service';
import {
  ChangedIssueDiscussionNote,
  IssueDiscussion,
  IssueDiscussionNote,
  IssueDiscussions,
  IssueReply,
  NewIssueDiscussion,
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
export class IssueDiscussionsController {
  constructor(
    private readonly things: DiscussedThings,
    private readonly discussions: Discussions,
    private readonly discussionNotes: DiscussionNotes,
  ) {}

  @Endpoint('GET /projects/:id/issues/:issue_iid/discussions', {
    ...ACCESS,
    params: IssueDiscussions,
    paginated: true,
    presents: presentDiscussion,
  })
  async list({ actor, subject: project, params, page }: ProjectCall<typeof IssueDiscussions>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return this.discussions.list(actor, on, page);
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/discussions/:discussion_id', {
    ...ACCESS,
    params: IssueDiscussion,
    presents: presentDiscussion,
  })
  async show({ actor, subject: project, params }: ProjectCall<typeof IssueDiscussion>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return this.discussions.show(actor, on, params.discussion_id);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/discussions', {
    ...ACCESS,
    params: NewIssueDiscussion,
    presents: presentDiscussion,
  })
  async begin({ actor, subject: project, params }: ProjectCall<typeof NewIssueDiscussion>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return writtenAnswer(await this.discussions.begin(actor, on, params));
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes', {
    ...ACCESS,
    params: IssueDiscussion,
    presents: presentNote,
  })
  async notes({ actor, subject: project, params }: ProjectCall<typeof IssueDiscussion>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return (await this.discussions.show(actor, on, params.discussion_id)).notes;
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes', {
    ...ACCESS,
    params: IssueReply,
    presents: presentNote,
  })
  async reply({ actor, subject: project, params }: ProjectCall<typeof IssueReply>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return writtenAnswer(await this.discussions.reply(actor, on, params.discussion_id, params));
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: IssueDiscussionNote,
    presents: presentNote,
  })
  async note({ actor, subject: project, params }: ProjectCall<typeof IssueDiscussionNote>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return this.discussions.note(actor, on, params.discussion_id, params.note_id);
  }

  @Endpoint('PUT /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: ChangedIssueDiscussionNote,
    presents: presentNote,
  })
  async change({ actor, subject: project, params }: ProjectCall<typeof ChangedIssueDiscussionNote>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return this.discussionNotes.change(actor, on, placeOf(params), params);
  }

  @Endpoint('DELETE /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: IssueDiscussionNote,
  })
  async remove({
    actor,
    subject: project,
    params,
    unmodifiedSince,
  }: ProjectCall<typeof IssueDiscussionNote>) {
    const on = await this.things.issue(actor, project, params.issue_iid);
    return this.discussionNotes.remove(actor, on, placeOf(params), unmodifiedSince);
  }
}
