import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ListStatuses, ReportStatus } from './commit-status.params';
import { presentCommitStatus } from './commit-status.presenter';
import { CommitStatuses } from './commit-statuses.service';

/** Specification, Commits: statuses. */
@Controller()
export class CommitStatusesController {
  constructor(private readonly statuses: CommitStatuses) {}

  @Endpoint('GET /projects/:id/repository/commits/:sha/statuses', {
    loginFirst: true,
    access: 'project:read_commit_status',
    params: ListStatuses,
    presents: presentCommitStatus,
    paginated: true,
  })
  list({ subject: project, params, page }: ProjectCall<typeof ListStatuses>) {
    return this.statuses.list(project, params, page);
  }

  @Endpoint('POST /projects/:id/statuses/:sha', {
    access: 'project:create_commit_status',
    params: ReportStatus,
    presents: presentCommitStatus,
  })
  report({ actor, subject: project, params }: ProjectCall<typeof ReportStatus>) {
    return this.statuses.report(actor, project, params);
  }
}
