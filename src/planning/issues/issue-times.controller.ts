import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentTimeStats } from '../issuables/time-stats.presenter';
import { IssueTimes } from './issue-times.service';
import { IssuePath, TimeIssue } from './issue.params';

/** Issues: time tracking. */
@Controller()
export class IssueTimesController {
  constructor(private readonly times: IssueTimes) {}

  @Endpoint('POST /projects/:id/issues/:issue_iid/time_estimate', {
    access: 'project:admin_issues',
    status: 200,
    params: TimeIssue,
    presents: presentTimeStats,
  })
  estimate({ actor, subject: project, params }: ProjectCall<typeof TimeIssue>) {
    return this.times.estimate(actor, project, params);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/reset_time_estimate', {
    access: 'project:admin_issues',
    status: 200,
    params: IssuePath,
    presents: presentTimeStats,
  })
  resetEstimate({ actor, subject: project, params }: ProjectCall<typeof IssuePath>) {
    return this.times.resetEstimate(actor, project, params);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/add_spent_time', {
    access: 'project:admin_issues',
    params: TimeIssue,
    presents: presentTimeStats,
  })
  spend({ actor, subject: project, params }: ProjectCall<typeof TimeIssue>) {
    return this.times.spend(actor, project, params);
  }

  @Endpoint('POST /projects/:id/issues/:issue_iid/reset_spent_time', {
    access: 'project:admin_issues',
    status: 200,
    params: IssuePath,
    presents: presentTimeStats,
  })
  resetSpent({ actor, subject: project, params }: ProjectCall<typeof IssuePath>) {
    return this.times.resetSpent(actor, project, params);
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/time_stats', {
    access: 'project:reader',
    params: IssuePath,
    presents: presentTimeStats,
  })
  stats({ actor, subject: project, params }: ProjectCall<typeof IssuePath>) {
    return this.times.stats(actor, project, params);
  }
}
