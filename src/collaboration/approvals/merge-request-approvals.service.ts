import { signedIn, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { conflict, forbidden, notFound, unauthenticated } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { ApprovalsRepository } from './approvals.repository';
import { ApprovingRights } from './approving-rights.service';
import { isApproved } from './rule-standing';
import { RuleStandings } from './rule-standings.service';
import { MergeRequestJournal } from '../merge-requests/merge-request-journal.service';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequests } from '../merge-requests/merge-requests.service';

/** Approvals of merge requests. */
@Injectable()
export class MergeRequestApprovals {
  constructor(
    private readonly database: Database,
    private readonly found: MergeRequests,
    private readonly approvals: ApprovalsRepository,
    private readonly journal: MergeRequestJournal,
    private readonly rights: ApprovingRights,
    private readonly standings: RuleStandings,
  ) {}

  /** It has all approvals that are asked for; it has where they are not licensed. */
  async isApproved(project: Project, mergeRequest: MergeRequest): Promise<boolean> {
    return isApproved(await this.standings.facts(project, mergeRequest));
  }

  /**
   * Throws "404 Not found"; 401 for who may not approve it (its author, for one, unless the project lets them) or has done
   * so before; and 409 where it has another head than the one that was looked at.
   */
  async approve(actor: Actor, project: Project, iid: number, sha: string | undefined): Promise<MergeRequest> {
    const { id: userId } = signedIn(actor);
    return this.database.transaction(async () => {
      const mergeRequest = await this.found.requireForChange(actor, project, iid);
      const barred = await this.rights.barred(project, mergeRequest);
      if (!mergeRequest.isOpen || !this.rights.mayApprove(actor, project, barred)) throw unauthenticated();
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
