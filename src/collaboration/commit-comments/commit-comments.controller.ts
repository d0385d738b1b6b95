import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateCommitComment, ListCommitComments } from './commit-comment.params';
import { presentCommitComment } from './commit-comment.presenter';
import { CommitComments } from './commit-comments.service';

/** Specification, Commits: comments. */
@Controller()
export class CommitCommentsController {
  constructor(private readonly comments: CommitComments) {}

  @Endpoint('GET /projects/:id/repository/commits/:sha/comments', {
    access: 'project:download_code',
    accessFirst: 'project:download_code',
    params: ListCommitComments,
    presents: presentCommitComment,
    paginated: true,
  })
  list({ actor, subject: project, params, page }: ProjectCall<typeof ListCommitComments>) {
    return this.comments.list(actor, project, params, page);
  }

  @Endpoint('POST /projects/:id/repository/commits/:sha/comments', {
    access: 'project:comment_on_commits',
    accessFirst: 'project:download_code',
    loginFirst: false,
    params: CreateCommitComment,
    presents: presentCommitComment,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateCommitComment>) {
    return this.comments.create(actor, project, params);
  }
}
