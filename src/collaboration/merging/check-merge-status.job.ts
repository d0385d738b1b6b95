import { defineQueue, JobHandler } from '#libs/jobs';
import { Injectable } from '@nestjs/common';
import { ProjectsRepository } from '../../repository/repository.api';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { MergeStatuses } from '../merge-requests/merging-ports';

export const mergeStatusChecks = defineQueue<{ readonly mergeRequestId: number }>(
  'collaboration.check_merge_status',
  { expireInSeconds: 300, onePerKey: true },
);

/** Finds out whether a merge request can be merged before anybody asks. */
@Injectable()
export class CheckMergeStatus extends JobHandler<{ readonly mergeRequestId: number }> {
  readonly queue = mergeStatusChecks;

  constructor(
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly projects: ProjectsRepository,
    private readonly statuses: MergeStatuses,
  ) {
    super();
  }

  async run({ mergeRequestId }: { readonly mergeRequestId: number }): Promise<void> {
    const mergeRequest = await this.mergeRequests.findById(mergeRequestId);
    const project = mergeRequest && (await this.projects.find(mergeRequest.projectId));
    if (project) await this.statuses.current(project, mergeRequest);
  }
}
