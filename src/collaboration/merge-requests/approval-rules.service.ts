import { PROJECT_POLICY, type Actor } from '#libs/access';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { ApprovalsRepository } from './approvals.repository';
import type { MergeRequest } from './merge-request.entity';
import { VersionReading } from './version-reading.service';

/** Who may approve, and how often it takes. */
@Injectable()
export class ApprovalRules {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly reading: VersionReading,
    private readonly license: License,
  ) {}

  /** What the project asks for, or more where the merge request does: nobody asks for less than their project. */
  required(project: Project, { approvalsBeforeMerge }: MergeRequest): number {
    if (!this.license.has('merge_request_approvers')) return 0;
    return Math.max(approvalsBeforeMerge ?? 0, project.approvalsBeforeMerge);
  }

  /** Whoever could push the change, as far as the project's settings let those who made it judge it. */
  async mayApprove(
    { user, ...actor }: Actor,
    project: Project,
    mergeRequest: MergeRequest,
  ): Promise<boolean> {
    if (!user || !PROJECT_POLICY.admin_merge_requests({ ...actor, user }, project)) return false;
    const settings = await this.approvals.settings(project.id);
    if (mergeRequest.authorId === user.id && !settings.authorApproval) return false;
    if (!settings.disableCommittersApproval || !mergeRequest.diffRefs) return true;
    const commits = await this.reading.commits(project, mergeRequest.diffRefs);
    return !commits.some(({ committer }) => committer.email.toLowerCase() === user.email.toLowerCase());
  }
}
