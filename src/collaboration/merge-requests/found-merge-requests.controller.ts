import { Endpoint, params, wire, type GroupCall, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CommitMergeRequests } from './commit-merge-requests.service';
import { IssueMergeRequests } from '../closing-issues/issue-merge-requests.service';
import { MilestoneMergeRequests } from './milestone-merge-requests.service';
import { presentMergeRequestSummary } from './merge-request-summary.presenter';
import { presentMergeRequest } from './merge-request.presenter';

const CommitPath = params({ sha: wire.text() });
const MilestonePath = params({ milestone_id: wire.integer() });
const IssuePath = params({ issue_iid: wire.integer() });

const LIST = { presents: presentMergeRequest, paginated: true } as const;

/** The merge requests of commits, milestones and issues. */
@Controller()
export class FoundMergeRequestsController {
  constructor(
    private readonly commits: CommitMergeRequests,
    private readonly milestones: MilestoneMergeRequests,
    private readonly issues: IssueMergeRequests,
  ) {}

  @Endpoint('GET /projects/:id/repository/commits/:sha/merge_requests', {
    access: 'project:read_merge_requests',
    accessFirst: 'project:download_code',
    params: CommitPath,
    presents: presentMergeRequestSummary,
    paginated: true,
  })
  ofCommit({ actor, subject: project, params: { sha }, page }: ProjectCall<typeof CommitPath>) {
    return this.commits.list(actor, project, sha, page);
  }

  @Endpoint('GET /projects/:id/milestones/:milestone_id/merge_requests', {
    ...LIST,
    access: 'project:read_milestones',
    loginFirst: true,
    params: MilestonePath,
  })
  ofMilestone({ actor, subject: project, params, page }: ProjectCall<typeof MilestonePath>) {
    return this.milestones.ofProject(actor, project, params.milestone_id, page);
  }

  @Endpoint('GET /groups/:id/milestones/:milestone_id/merge_requests', {
    ...LIST,
    access: 'group:reader',
    loginFirst: true,
    params: MilestonePath,
  })
  ofGroupMilestone({ actor, subject: group, params, page }: GroupCall<typeof MilestonePath>) {
    return this.milestones.ofGroup(actor, group, params.milestone_id, page);
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/related_merge_requests', {
    ...LIST,
    access: 'project:reader',
    params: IssuePath,
  })
  related({ actor, subject: project, params, page }: ProjectCall<typeof IssuePath>) {
    return this.issues.related(actor, project, params.issue_iid, page);
  }

  @Endpoint('GET /projects/:id/issues/:issue_iid/closed_by', {
    ...LIST,
    access: 'project:reader',
    params: IssuePath,
  })
  closing({ actor, subject: project, params, page }: ProjectCall<typeof IssuePath>) {
    return this.issues.closing(actor, project, params.issue_iid, page);
  }
}
