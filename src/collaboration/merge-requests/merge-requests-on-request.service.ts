import { authorize, type Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { MergeRequestChanges } from '../merge-request-versions/merge-request-changes.service';
import { MergeRequestCreation } from './merge-request-creation.service';
import type { MergeRequestDetails } from './merge-request-details';
import { MergeRequestRemoval } from './merge-request-removal.service';
import { MergeRequestDetailsService } from './merge-request-details.service';
import type { CreateMergeRequest, ReadMergeRequest, UpdateMergeRequest } from './merge-request.params';
import { MergeRequests } from './merge-requests.service';
import { MergeStatuses } from './merging-ports';

/** One merge request as people ask for it; each answers its whole record. */
@Injectable()
export class MergeRequestsOnRequest {
  constructor(
    private readonly found: MergeRequests,
    private readonly creation: MergeRequestCreation,
    private readonly changes: MergeRequestChanges,
    private readonly records: MergeRequestDetailsService,
    private readonly statuses: MergeStatuses,
    private readonly removal: MergeRequestRemoval,
  ) {}

  /** Whether it can be merged is found out where it is not known. */
  async show(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof ReadMergeRequest>,
  ): Promise<MergeRequestDetails> {
    const mergeRequest = await this.found.require(actor, project, params.merge_request_iid);
    if (mergeRequest.isOpen) mergeRequest.mergeStatus = await this.statuses.current(project, mergeRequest);
    return this.records.details(actor, project, mergeRequest, {
      divergedCommitsCount: params.include_diverged_commits_count,
      rebaseInProgress: params.include_rebase_in_progress,
      html: params.render_html,
    });
  }

  async create(
    actor: Actor,
    source: Project,
    params: ParamsOf<typeof CreateMergeRequest>,
  ): Promise<MergeRequestDetails> {
    const opened = await this.creation.create(actor, source, params);
    return this.records.details(opened.actor, opened.project, opened.mergeRequest);
  }

  async update(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof UpdateMergeRequest>,
  ): Promise<MergeRequestDetails> {
    return this.records.details(actor, project, await this.changes.update(actor, project, params));
  }

  /** Throws "404 Not found", then 403. */
  async remove(actor: Actor, project: Project, iid: number, unmodifiedSince: Date | null): Promise<void> {
    await this.found.require(actor, project, iid);
    authorize('project:delete_merge_requests', actor, { kind: 'project', facts: project });
    await this.removal.remove(project, iid, unmodifiedSince);
  }
}
