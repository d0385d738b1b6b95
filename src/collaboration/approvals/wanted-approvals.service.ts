import { invalid } from '#libs/errors';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { ApprovalsRepository } from './approvals.repository';

/** How many approvals a merge request asks for itself. */
@Injectable()
export class WantedApprovals {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly license: License,
  ) {}

  /**
   * Passed over where approvals are not licensed and where the project has its way. Throws `validation`, by the
   * reference's name and sentence, for fewer than the project asks for. The caller saves the merge request.
   */
  async set(project: Project, mergeRequest: MergeRequest, wanted: number | null | undefined): Promise<void> {
    if (wanted === undefined || !this.license.has('merge_request_approvers')) return;
    if ((await this.approvals.settings(project.id)).disableOverriding) return;
    if (wanted !== null && wanted < project.approvalsBeforeMerge)
      throw invalid({
        validate_approvals_before_merge: [
          'Number of approvals must be at least that of approvals on the target project',
        ],
      });
    mergeRequest.approvalsBeforeMerge = wanted;
  }
}
