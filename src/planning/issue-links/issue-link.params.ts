import { params, wire } from '#libs/http';

const id = wire.integer({ min: 1 });

export const ListIssueLinks = params({ issue_iid: id });

export const CreateIssueLink = ListIssueLinks.extend({
  target_project_id: wire.idOrPath(),
  target_issue_iid: wire.integer(),
});

export const IssueLinkPath = ListIssueLinks.extend({ issue_link_id: id });
