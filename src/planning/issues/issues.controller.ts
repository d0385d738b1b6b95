import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentUserSummary } from '../../identity/identity.api';
import { originOf } from '../issuables/request-origin';
import { presentRequestOrigin } from '../issuables/request-origin.presenter';
import { IssueFollowing } from './issue-following.service';
import { IssueMoving } from './issue-moving.service';
import { IssueRemoval } from './issue-removal.service';
import { CreateIssue, IssuePath, MoveIssue, UpdateIssue } from './issue.params';
import { presentIssue } from './issue.presenter';
import { Issues } from './issues.service';

/** Issues of projects. */
@Controller()
export class IssuesController {
  constructor(
    private readonly issues: Issues,
    private readonly removal: IssueRemoval,
    private readonly moving: IssueMoving,
    private readonly following: IssueFollowing,
  ) {}

  @Endpoint('GET /projects/:id/issues/:issue_iid', {
    access: 'project:reader',
    params: IssuePath,
    presents: presentIssue,
  })
  show({ actor, subject: project, params }: ProjectCall<typeof IssuePath>) {
    return this.issues.show(actor, project, params.issue_iid);
  }

  @Endpoint('POST /projects/:id/issues', {
    access: 'project:create_issues',
    params: CreateIssue,
    presents: presentIssue,
  })
  create(call: ProjectCall<typeof CreateIssue>) {
    return this.issues.create(call.actor, call.subject, call.params, originOf(call));
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/user_agent_detail', {
    access: 'admin',
    accessFirst: 'project:reader',
    loginFirst: true,
    params: IssuePath,
    presents: presentRequestOrigin,
  })
  origin({ actor, subject: project, params }: ProjectCall<typeof IssuePath>) {
    return this.issues.origin(actor, project, params.issue_iid);
  }

  @Endpoint('PUT /projects/:id/issues/:issue_iid', {
    access: 'project:reader',
    params: UpdateIssue,
    presents: presentIssue,
  })
  update({ actor, subject: project, params }: ProjectCall<typeof UpdateIssue>) {
    return this.issues.update(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id/issues/:issue_iid', { access: 'project:reader', params: IssuePath })
  delete({ actor, subject: project, params, unmodifiedSince }: ProjectCall<typeof IssuePath>) {
    return this.removal.remove(actor, project, params.issue_iid, unmodifiedSince);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/move', {
    access: 'project:reader',
    params: MoveIssue,
    presents: presentIssue,
  })
  move({ actor, subject: project, params }: ProjectCall<typeof MoveIssue>) {
    return this.moving.move(actor, project, params);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/subscribe', {
    access: 'project:reader',
    params: IssuePath,
    presents: presentIssue,
  })
  subscribe({ actor, subject: project, params }: ProjectCall<typeof IssuePath>) {
    return this.following.follow(actor, project, params.issue_iid, true);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/unsubscribe', {
    access: 'project:reader',
    params: IssuePath,
    presents: presentIssue,
  })
  unsubscribe({ actor, subject: project, params }: ProjectCall<typeof IssuePath>) {
    return this.following.follow(actor, project, params.issue_iid, false);
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/participants', {
    access: 'project:reader',
    params: IssuePath,
    presents: presentUserSummary,
    paginated: true,
  })
  participants({ actor, subject: project, params, page }: ProjectCall<typeof IssuePath>) {
    return this.following.participantsOf(actor, project, params.issue_iid, page);
  }
}
