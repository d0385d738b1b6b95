import { Endpoint, params, wire, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CommitMergeRequests } from './commit-merge-requests.service';
import { presentMergeRequestSummary } from './merge-request-summary.presenter';

const CommitPath = params({ sha: wire.text() });

/** Specification, Commits: the merge requests of a commit. */
@Controller()
export class CommitMergeRequestsController {
  constructor(private readonly mergeRequests: CommitMergeRequests) {}

  @Endpoint('GET /projects/:id/repository/commits/:sha/merge_requests', {
    access: 'project:read_merge_requests',
    accessFirst: 'project:download_code',
    params: CommitPath,
    presents: presentMergeRequestSummary,
    paginated: true,
  })
  list({ subject: project, params: { sha }, page }: ProjectCall<typeof CommitPath>) {
    return this.mergeRequests.list(project, sha, page);
  }
}
