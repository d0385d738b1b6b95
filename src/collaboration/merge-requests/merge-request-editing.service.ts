import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { ApprovalsRepository } from './approvals.repository';
import { EditEffects } from './edit-effects.service';
import { MergeRequestMarks } from './merge-request-marks.service';
import type { MergeRequest } from './merge-request.entity';
import type { UpdateMergeRequest } from './merge-request.params';
import { together } from './told-change';
import { Retargeting } from './retargeting.service';
import { refuseFewerApprovals } from './wanted-approvals';
import { beforeChange, wordingChanges } from './wording-changes';

type Params = ParamsOf<typeof UpdateMergeRequest>;

/** Changes what people write of a merge request. In the transaction that holds it. */
@Injectable()
export class MergeRequestEditing {
  constructor(
    private readonly marks: MergeRequestMarks,
    private readonly retargeting: Retargeting,
    private readonly effects: EditEffects,
    private readonly approvals: ApprovalsRepository,
    private readonly license: License,
  ) {}

  /** Throws as Retargeting does, and `validation` for fewer approvals than the project asks for. */
  async edit(actor: Actor, project: Project, mergeRequest: MergeRequest, params: Params): Promise<void> {
    const { id: actorId } = signedIn(actor);
    const before = beforeChange(mergeRequest);
    this.setColumns(actor, project, mergeRequest, params);
    await this.setApprovals(project, mergeRequest, params.approvals_before_merge);
    if (params.target_branch !== undefined)
      await this.retargeting.retarget(actor, project, mergeRequest, params.target_branch);
    const told = together(
      wordingChanges(before, mergeRequest),
      await this.marks.set(actor, project, mergeRequest, params),
    );
    await this.effects.of({ project, mergeRequest, actorId, before, told });
  }

  private setColumns(actor: Actor, project: Project, mergeRequest: MergeRequest, params: Params): void {
    if (params.title !== undefined) mergeRequest.title = params.title;
    if (params.description !== undefined) mergeRequest.description = params.description;
    if (params.squash !== undefined) mergeRequest.squash = params.squash;
    if (params.remove_source_branch !== undefined)
      mergeRequest.forceRemoveSourceBranch = params.remove_source_branch;
    const allow = params.allow_collaboration ?? params.allow_maintainer_to_push;
    // It is the author's branch, so that nobody else gives leave to push to it.
    if (allow !== undefined && mergeRequest.isFromFork && mergeRequest.authorId === actor.user?.id)
      mergeRequest.allowCollaboration = allow;
    const mayAdminister = PROJECT_POLICY.admin_merge_requests(actor, project);
    if (params.discussion_locked !== undefined && mayAdminister)
      mergeRequest.discussionLocked = params.discussion_locked;
  }

  /** Passed over where the project has its way. */
  private async setApprovals(
    project: Project,
    mergeRequest: MergeRequest,
    wanted: number | null | undefined,
  ): Promise<void> {
    if (wanted === undefined || !this.license.has('merge_request_approvers')) return;
    if ((await this.approvals.settings(project.id)).disableOverriding) return;
    refuseFewerApprovals(project, wanted);
    mergeRequest.approvalsBeforeMerge = wanted;
  }
}
