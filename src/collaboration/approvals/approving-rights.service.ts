import { PROJECT_POLICY, type Actor } from '#libs/access';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { VersionReading } from '../merge-request-versions/version-reading.service';
import { ApprovalPeople } from './approval-people.repository';
import { ApprovalsRepository } from './approvals.repository';

/** Who may approve, and how often it takes where nobody is named. */
@Injectable()
export class ApprovingRights {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly people: ApprovalPeople,
    private readonly reading: VersionReading,
    private readonly license: License,
  ) {}

  /** What the project asks for, or more where the merge request does: nobody asks for less than their project. */
  required(project: Project, { approvalsBeforeMerge }: MergeRequest): number {
    if (!this.license.has('merge_request_approvers')) return 0;
    return Math.max(approvalsBeforeMerge ?? 0, project.approvalsBeforeMerge);
  }

  /** Whoever could push the change, but for those whom it bars. */
  mayApprove({ user, ...actor }: Actor, project: Project, barred: readonly number[]): boolean {
    if (!user || !PROJECT_POLICY.admin_merge_requests({ ...actor, user }, project)) return false;
    return !barred.includes(user.id);
  }

  /** Ids of those who made the change, as far as the project's settings do not let them judge it. */
  async barred(project: Project, { authorId, diffRefs }: MergeRequest): Promise<readonly number[]> {
    const settings = await this.approvals.settings(project.id);
    const author = settings.authorApproval || authorId === null ? [] : [authorId];
    if (!settings.disableCommittersApproval || !diffRefs) return author;
    const commits = await this.reading.commits(project, diffRefs);
    const addresses = new Set(commits.map(({ committer }) => committer.email.toLowerCase()));
    return [...author, ...(await this.people.byAddresses([...addresses]))];
  }
}
