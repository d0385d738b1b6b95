import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { DiscussedCommits } from './discussed-commits.service';
import { DiscussionNotes } from './discussion-notes.service';
import {
  ChangedCommitDiscussionNote,
  CommitDiscussion,
  CommitDiscussionNote,
  CommitDiscussions,
  CommitReply,
  NewCommitDiscussion,
  placeOf,
} from './discussion.params';
import { presentDiscussion } from './discussion.presenter';
import { Discussions } from './discussions.service';
import { presentNote } from './note.presenter';
import { writtenAnswer } from './written-answer';

/** For whoever reads the code; who writes, DiscussedCommits tells. */
const ACCESS = {
  access: 'project:download_code',
  accessFirst: 'project:download_code',
  loginFirst: true,
} as const;

/** What the reference's clients show and answer beside the specification's notes. */
@Controller()
export class CommitDiscussionsController {
  constructor(
    private readonly commits: DiscussedCommits,
    private readonly discussions: Discussions,
    private readonly discussionNotes: DiscussionNotes,
  ) {}

  @Endpoint('GET /projects/:id/repository/commits/:sha/discussions', {
    ...ACCESS,
    params: CommitDiscussions,
    paginated: true,
    presents: presentDiscussion,
  })
  async list({ actor, subject: project, params, page }: ProjectCall<typeof CommitDiscussions>) {
    const on = await this.commits.find(actor, project, params.sha);
    return this.discussions.list(actor, on, page);
  }

  @Endpoint('GET /projects/:id/repository/commits/:sha/discussions/:discussion_id', {
    ...ACCESS,
    params: CommitDiscussion,
    presents: presentDiscussion,
  })
  async show({ actor, subject: project, params }: ProjectCall<typeof CommitDiscussion>) {
    const on = await this.commits.find(actor, project, params.sha);
    return this.discussions.show(actor, on, params.discussion_id);
  }

  @Endpoint('POST /projects/:id/repository/commits/:sha/discussions', {
    ...ACCESS,
    params: NewCommitDiscussion,
    presents: presentDiscussion,
  })
  async begin({ actor, subject: project, params }: ProjectCall<typeof NewCommitDiscussion>) {
    const on = await this.commits.take(actor, project, params.sha);
    return writtenAnswer(await this.discussionNotes.begin(actor, on, params));
  }

  @Endpoint('GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes', {
    ...ACCESS,
    params: CommitDiscussion,
    presents: presentNote,
  })
  async notes({ actor, subject: project, params }: ProjectCall<typeof CommitDiscussion>) {
    const on = await this.commits.find(actor, project, params.sha);
    return (await this.discussions.show(actor, on, params.discussion_id)).notes;
  }

  @Endpoint('POST /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes', {
    ...ACCESS,
    params: CommitReply,
    presents: presentNote,
  })
  async reply({ actor, subject: project, params }: ProjectCall<typeof CommitReply>) {
    const on = await this.commits.find(actor, project, params.sha);
    return writtenAnswer(await this.discussions.reply(actor, on, params.discussion_id, params));
  }

  @Endpoint('GET /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: CommitDiscussionNote,
    presents: presentNote,
  })
  async note({ actor, subject: project, params }: ProjectCall<typeof CommitDiscussionNote>) {
    const on = await this.commits.find(actor, project, params.sha);
    return this.discussions.note(actor, on, params.discussion_id, params.note_id);
  }

  @Endpoint('PUT /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: ChangedCommitDiscussionNote,
    presents: presentNote,
  })
  async change({ actor, subject: project, params }: ProjectCall<typeof ChangedCommitDiscussionNote>) {
    const on = await this.commits.find(actor, project, params.sha);
    return this.discussionNotes.change(actor, on, placeOf(params), params);
  }

  @Endpoint('DELETE /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id', {
    ...ACCESS,
    params: CommitDiscussionNote,
  })
  async remove({
    actor,
    subject: project,
    params,
    unmodifiedSince,
  }: ProjectCall<typeof CommitDiscussionNote>) {
    const on = await this.commits.find(actor, project, params.sha);
    return this.discussionNotes.remove(actor, on, placeOf(params), unmodifiedSince);
  }
}
