import { Endpoint, type CallOf, type GroupCall, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentIssueCounts } from './issue-counts.presenter';
import { CountIssues, ListIssues } from './issue-list.params';
import { inGroup, inProject, IssueLists } from './issue-lists.service';
import { presentIssue } from './issue.presenter';

/** Issues: lists of them, and how many there are. */
@Controller()
export class IssueListsController {
  constructor(private readonly lists: IssueLists) {}

  @Endpoint('GET /issues', {
    access: 'anyone',
    params: ListIssues,
    presents: presentIssue,
    paginated: true,
  })
  everywhere({ actor, params, page }: CallOf<typeof ListIssues>) {
    return this.lists.everywhere(actor, params, page);
  }

  @Endpoint('GET /groups/:id/issues', {
    access: 'group:reader',
    params: ListIssues,
    presents: presentIssue,
    paginated: true,
  })
  ofGroup({ actor, subject: group, params, page }: GroupCall<typeof ListIssues>) {
    return this.lists.list(actor, inGroup(group), params, page);
  }

  @Endpoint('GET /projects/:id/issues', {
    access: 'project:read_issues',
    params: ListIssues,
    presents: presentIssue,
    paginated: true,
  })
  ofProject({ actor, subject: project, params, page }: ProjectCall<typeof ListIssues>) {
    return this.lists.list(actor, inProject(actor, project), params, page);
  }

  @Endpoint('GET /issues_statistics', {
    access: 'anyone',
    params: CountIssues,
    presents: presentIssueCounts,
  })
  countEverywhere({ actor, params }: CallOf<typeof CountIssues>) {
    return this.lists.countEverywhere(actor, params);
  }

  @Endpoint('GET /groups/:id/issues_statistics', {
    access: 'group:reader',
    params: CountIssues,
    presents: presentIssueCounts,
  })
  countOfGroup({ actor, subject: group, params }: GroupCall<typeof CountIssues>) {
    return this.lists.count(actor, inGroup(group), params);
  }

  @Endpoint('GET /projects/:id/issues_statistics', {
    access: 'project:read_issues',
    params: CountIssues,
    presents: presentIssueCounts,
  })
  countOfProject({ actor, subject: project, params }: ProjectCall<typeof CountIssues>) {
    return this.lists.count(actor, inProject(actor, project), params);
  }
}
