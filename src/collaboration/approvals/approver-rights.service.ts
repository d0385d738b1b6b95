import type { Actor } from '#libs/access';
import { forbidden } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { MergeRequestRights } from '../merge-requests/merge-request-rights.service';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import { ApprovalsRepository } from './approvals.repository';

/** Who may say who is to approve a merge request. */
@Injectable()
export class ApproverRights {
  constructor(
    private readonly found: MergeRequests,
    private readonly rights: MergeRequestRights,
    private readonly approvals: ApprovalsRepository,
  ) {}

  /**
   * The merge request, locked until the transaction ends. Throws "404 Not found", and 403 for who may not change it, for
   * one that is merged, and where the project has its way.
   */
  async hold(actor: Actor, project: Project, iid: number): Promise<MergeRequest> {
    const mergeRequest = await this.found.requireForChange(actor, project, iid);
    await this.rights.requireUpdate(actor, project, mergeRequest);
    if (mergeRequest.state === 'merged') throw forbidden();
    if ((await this.approvals.settings(project.id)).disableOverriding) throw forbidden();
    return mergeRequest;
  }
}
