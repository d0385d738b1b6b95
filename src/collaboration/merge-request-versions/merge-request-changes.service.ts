import { signedIn, type Actor } from '#libs/access';
import { Database, uniqueViolation } from '#libs/database';
import { conflict } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { requireValid } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import { MergeRequestEditing } from '../merge-requests/merge-request-editing.service';
import { MergeRequestRights } from '../merge-requests/merge-request-rights.service';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import type { UpdateMergeRequest } from '../merge-requests/merge-request.params';
import { MergeRequests } from '../merge-requests/merge-requests.service';
import { MergeRequestStates } from '../merge-requests/merge-request-states.service';

/** Changes merge requests. */
@Injectable()
export class MergeRequestChanges {
  constructor(
    private readonly database: Database,
    private readonly found: MergeRequests,
    private readonly rights: MergeRequestRights,
    private readonly editing: MergeRequestEditing,
    private readonly states: MergeRequestStates,
  ) {}

  /**
   * Throws "404 Not found", 403 for who may not change it, `validation`, `unprocessable` for a target branch that is not
   * there, and 409 where another one is open between the same branches.
   */
  async update(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof UpdateMergeRequest>,
  ): Promise<MergeRequest> {
    signedIn(actor);
    const iid = params.merge_request_iid;
    await this.rights.requireUpdate(actor, project, await this.found.require(actor, project, iid));
    requireValid({ title: params.title, description: params.description });
    return this.pairing(async () => {
      await this.editing.keepPlace(project, params);
      const mergeRequest = await this.hold(actor, project, iid);
      await this.editing.edit(actor, project, mergeRequest, params);
      if (params.state_event) await this.states.set(actor, project, mergeRequest, params.state_event);
      return mergeRequest;
    });
  }

  /** Quick actions of notes. Does nothing where it is in that state; throws 403 for who may not. */
  async setState(
    actor: Actor,
    project: Project,
    { iid }: Pick<MergeRequest, 'iid'>,
    event: 'close' | 'reopen',
  ): Promise<void> {
    await this.pairing(async () => {
      const mergeRequest = await this.hold(actor, project, iid);
      await this.states.set(actor, project, mergeRequest, event);
      return mergeRequest;
    });
  }

  /** Asked again under the lock: rights may have gone while the caller waited. */
  private async hold(actor: Actor, project: Project, iid: number): Promise<MergeRequest> {
    const mergeRequest = await this.found.requireForChange(actor, project, iid);
    await this.rights.requireUpdate(actor, project, mergeRequest);
    return mergeRequest;
  }

  /** A unit of work that may make it a second one between its branches. */
  private async pairing(work: () => Promise<MergeRequest>): Promise<MergeRequest> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      if (uniqueViolation(error) === null) throw error;
      // Opened by somebody else since it was looked for.
      throw conflict(['Another open merge request already exists for this source branch']);
    }
  }
}
