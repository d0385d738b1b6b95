import { PROJECT_POLICY, signedIn, type Actor } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { WantedApprovals } from '../approvals/wanted-approvals.service';
import { EditEffects } from './edit-effects.service';
import { LendingRights } from '../merge-request-forks/lending-rights.service';
import { MergeRequestMarks } from './merge-request-marks.service';
import type { MergeRequest } from './merge-request.entity';
import type { UpdateMergeRequest } from './merge-request.params';
import { together } from '../merge-request-hooks/told-change';
import { Retargeting } from './retargeting.service';
import { beforeChange, wordingChanges } from './wording-changes';

type Params = ParamsOf<typeof UpdateMergeRequest>;

/** Changes what people write of a merge request. In the transaction that holds it. */
@Injectable()
export class MergeRequestEditing {
  constructor(
    private readonly marks: MergeRequestMarks,
    private readonly retargeting: Retargeting,
    private readonly effects: EditEffects,
    private readonly lending: LendingRights,
    private readonly wantedApprovals: WantedApprovals,
  ) {}

  /** Call it before the merge request is held. */
  keepPlace(project: Project, params: Params): Promise<void> {
    return this.marks.keepPlace(project, params);
  }

  /** Throws as Retargeting does, and `validation` for fewer approvals than the project asks for. */
  async edit(actor: Actor, project: Project, mergeRequest: MergeRequest, params: Params): Promise<void> {
    const { id: actorId } = signedIn(actor);
    const before = beforeChange(mergeRequest);
    this.setColumns(actor, project, mergeRequest, params);
    const lends = params.allow_collaboration ?? params.allow_maintainer_to_push;
    await this.setLending(actor, project, mergeRequest, lends);
    await this.wantedApprovals.set(project, mergeRequest, params.approvals_before_merge);
    if (params.target_branch !== undefined)
      await this.retargeting.retarget(actor, project, mergeRequest, params.target_branch);
    const told = together(
      wordingChanges(before, mergeRequest),
      await this.marks.set(actor, project, mergeRequest, params),
    );
    await this.effects.of({ project, mergeRequest, actorId, before, told });
  }

  private setColumns(actor: Actor, project: Project, mergeRequest: MergeRequest, params: Params): void {
    if (params.title !== undefined) mergeRequest.title = params.title.trim();
    if (params.description !== undefined) mergeRequest.description = params.description;
    if (params.squash !== undefined) mergeRequest.squash = params.squash;
    if (params.remove_source_branch !== undefined)
      mergeRequest.forceRemoveSourceBranch = params.remove_source_branch;
    const mayAdminister = PROJECT_POLICY.admin_merge_requests(actor, project);
    if (params.discussion_locked !== undefined && mayAdminister)
      mergeRequest.discussionLocked = params.discussion_locked;
  }

  /** Passed over where it is not theirs to say, as in the reference. */
  private async setLending(
    actor: Actor,
    project: Project,
    mergeRequest: MergeRequest,
    wanted: boolean | undefined,
  ): Promise<void> {
    if (wanted === undefined || wanted === mergeRequest.allowCollaboration) return;
    const isTheirs = wanted
      ? await this.lending.mayLend(actor, project, mergeRequest)
      : await this.lending.mayChange(actor, project, mergeRequest);
    if (isTheirs) mergeRequest.allowCollaboration = wanted;
  }
}
