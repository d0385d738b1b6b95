import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { conflict, forbidden, notFound, unauthenticated } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { UserDirectory } from '../../identity/identity.api';
import type { Project } from '../../repository/repository.api';
import type { ApprovalState } from './approval-state';
import { ApprovalRules } from './approval-rules.service';
import { ApprovalsRepository } from './approvals.repository';
import { MergeRequestJournal } from './merge-request-journal.service';
import type { MergeRequest } from './merge-request.entity';
import { MergeRequests } from './merge-requests.service';

/** Approvals of merge requests. */
@Injectable()
export class MergeRequestApprovals {
  constructor(
    private readonly database: Database,
    private readonly found: MergeRequests,
    private readonly approvals: ApprovalsRepository,
    private readonly journal: MergeRequestJournal,
    private readonly users: UserDirectory,
    private readonly rules: ApprovalRules,
  ) {}

  /** How many approvals it still needs; 0 where they are not licensed. */
  async missing(project: Project, mergeRequest: MergeRequest): Promise<number> {
    const required = this.rules.required(project, mergeRequest);
    if (required === 0) return 0;
    return Math.max(0, required - (await this.approvals.approversOf(mergeRequest.id)).length);
  }

  async state(actor: Actor, project: Project, mergeRequest: MergeRequest): Promise<ApprovalState> {
    const ids = await this.approvals.approversOf(mergeRequest.id);
    const people = await this.users.byIds(ids);
    const required = this.rules.required(project, mergeRequest);
    const hasApproved = actor.user !== null && ids.includes(actor.user.id);
    return {
      mergeRequest,
      required,
      left: Math.max(0, required - ids.length),
      approvedBy: ids.flatMap((id) => people.get(id) ?? []),
      hasApproved,
      mayApprove: !hasApproved && (await this.rules.mayApprove(actor, project, mergeRequest)),
    };
  }

  /**
   * Throws "404 Not found"; 401 for who may not approve it (its author, for one, unless the project lets them) or has done
   * so before; and 409 where it has another head than the one that was looked at.
   */
  async approve(actor: Actor, project: Project, iid: number, sha: string | undefined): Promise<MergeRequest> {
    const { id: userId } = signedIn(actor);
    return this.database.transaction(async () => {
      const mergeRequest = await this.found.requireForChange(actor, project, iid);
      if (!mergeRequest.isOpen || !(await this.rules.mayApprove(actor, project, mergeRequest)))
        throw unauthenticated();
      if (sha !== undefined && sha !== mergeRequest.headSha)
        throw conflict(`SHA does not match HEAD of source branch: ${mergeRequest.headSha ?? ''}`);
      if (!(await this.approvals.add(mergeRequest.id, userId))) throw unauthenticated();
      await this.journal.note(mergeRequest, userId, 'approved', 'approved this merge request');
      await this.journal.tell(mergeRequest, { action: 'approved', actorId: userId });
      return mergeRequest;
    });
  }

  /** Throws "404 Not found", also where the caller has not approved it, and 403 for an archived project. */
  async unapprove(actor: Actor, project: Project, iid: number): Promise<MergeRequest> {
    const { id: userId } = signedIn(actor);
    return this.database.transaction(async () => {
      const mergeRequest = await this.found.requireForChange(actor, project, iid);
      if (project.archived) throw forbidden();
      if (!(await this.approvals.remove(mergeRequest.id, userId))) throw notFound();
      await this.journal.note(mergeRequest, userId, 'unapproved', 'unapproved this merge request');
      await this.journal.tell(mergeRequest, { action: 'unapproved', actorId: userId });
      return mergeRequest;
    });
  }
}
