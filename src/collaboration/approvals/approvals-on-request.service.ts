import type { Actor } from '#libs/access';
import { forbidden } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { ApprovalState } from './approval-state';
import type { Approve, RequireApprovals } from './approval.params';
import { wantedApprovers, type SetMergeRequestApprovers } from './approval-rule.params';
import { ApprovalStates } from './approval-states.service';
import { ApprovalsRepository } from './approvals.repository';
import { Approvers } from './approvers.service';
import { MergeRequestApprovals } from './merge-request-approvals.service';
import { MergeRequestChanges } from '../merge-request-versions/merge-request-changes.service';
import { MergeRequests } from '../merge-requests/merge-requests.service';

/** Approvals as people ask for them; each answers how the merge request stands then. */
@Injectable()
export class ApprovalsOnRequest {
  constructor(
    private readonly found: MergeRequests,
    private readonly approving: MergeRequestApprovals,
    private readonly changes: MergeRequestChanges,
    private readonly approvals: ApprovalsRepository,
    private readonly approvers: Approvers,
    private readonly states: ApprovalStates,
  ) {}

  async show(actor: Actor, project: Project, iid: number): Promise<ApprovalState> {
    return this.states.of(actor, project, await this.found.require(actor, project, iid));
  }

  /** Throws 403 also where the project lets nobody ask for another number than its own. */
  async require(
    actor: Actor,
    project: Project,
    { merge_request_iid: iid, approvals_required: count }: ParamsOf<typeof RequireApprovals>,
  ): Promise<ApprovalState> {
    await this.found.require(actor, project, iid);
    if ((await this.approvals.settings(project.id)).disableOverriding) throw forbidden();
    const change = { merge_request_iid: iid, approvals_before_merge: count };
    return this.states.of(actor, project, await this.changes.update(actor, project, change));
  }

  async approve(actor: Actor, project: Project, params: ParamsOf<typeof Approve>): Promise<ApprovalState> {
    const { merge_request_iid: iid, sha } = params;
    return this.states.of(
      actor,
      project,
      await this.approving.approve(actor, project, iid, sha || undefined),
    );
  }

  async unapprove(actor: Actor, project: Project, iid: number): Promise<ApprovalState> {
    return this.states.of(actor, project, await this.approving.unapprove(actor, project, iid));
  }

  /** Throws as Approvers does. */
  async setApprovers(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof SetMergeRequestApprovers>,
  ): Promise<ApprovalState> {
    const { merge_request_iid: iid, approver_ids: userIds, approver_group_ids: groupIds } = params;
    const wanted = wantedApprovers({ user_ids: userIds, group_ids: groupIds });
    return this.states.of(
      actor,
      project,
      await this.approvers.setOfMergeRequest(actor, project, iid, wanted),
    );
  }
}
