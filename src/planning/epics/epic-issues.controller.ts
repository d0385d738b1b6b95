import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { EpicIssuePath, ListEpicIssues, MoveEpicIssue, NewEpicIssue } from './epic-issue.params';
import { presentEpicIssue, presentEpicLink } from './epic-issue.presenter';
import { EpicIssues } from './epic-issues.service';

/** The reference asks who calls, for the group, and whether there are epics at all, before anything else. */
const EPICS = {
  access: 'group:reader',
  accessFirst: 'group:reader',
  loginFirst: true,
  feature: 'epics',
  saysUnlicensed: true,
} as const;
const PLAN = { ...EPICS, access: 'group:reporter' } as const;

@Controller()
export class EpicIssuesController {
  constructor(private readonly issues: EpicIssues) {}

  @Endpoint('GET /groups/:id/epics/:epic_iid/issues', {
    ...EPICS,
    params: ListEpicIssues,
    presents: presentEpicIssue,
    paginated: true,
  })
  list({ actor, subject: group, params, page }: GroupCall<typeof ListEpicIssues>) {
    return this.issues.list(actor, group, params.epic_iid, page);
  }

  @Endpoint('POST /groups/:id/epics/:epic_iid/issues/:issue_id', {
    ...PLAN,
    params: NewEpicIssue,
    presents: presentEpicLink,
  })
  add({ actor, subject: group, params }: GroupCall<typeof NewEpicIssue>) {
    return this.issues.add(actor, group, params);
  }

  @Endpoint('DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id', {
    ...PLAN,
    params: EpicIssuePath,
    status: 200,
    presents: presentEpicLink,
  })
  remove({ actor, subject: group, params }: GroupCall<typeof EpicIssuePath>) {
    return this.issues.remove(actor, group, params);
  }

  @Endpoint('PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id', {
    ...PLAN,
    params: MoveEpicIssue,
    presents: presentEpicIssue,
    paginated: true,
  })
  move({ actor, subject: group, params, page }: GroupCall<typeof MoveEpicIssue>) {
    return this.issues.move(actor, group, params, page);
  }
}
