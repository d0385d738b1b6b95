import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateIssueLink, IssueLinkPath, ListIssueLinks } from './issue-link.params';
import { presentLinkedIssues, presentRelatedIssue } from './issue-link.presenter';
import { IssueLinks } from './issue-links.service';

/** The issues decide who reads and writes: see IssueLinks. */
const SIGNED_IN = { access: 'project:reader', loginFirst: true, feature: 'issue_links' } as const;

/** Specification, Issue links. */
@Controller()
export class IssueLinksController {
  constructor(private readonly links: IssueLinks) {}

  @Endpoint('GET /projects/:id/issues/:issue_iid/links', {
    ...SIGNED_IN,
    params: ListIssueLinks,
    presents: presentRelatedIssue,
    paginated: true,
  })
  list({ actor, subject: project, params, page }: ProjectCall<typeof ListIssueLinks>) {
    return this.links.list(actor, project, params.issue_iid, page);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/links', {
    ...SIGNED_IN,
    params: CreateIssueLink,
    presents: presentLinkedIssues,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateIssueLink>) {
    return this.links.create(actor, project, params);
  }

  @Endpoint('DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id', {
    ...SIGNED_IN,
    params: IssueLinkPath,
    status: 200,
    presents: presentLinkedIssues,
  })
  remove({ actor, subject: project, params }: ProjectCall<typeof IssueLinkPath>) {
    return this.links.remove(actor, project, params);
  }
}
