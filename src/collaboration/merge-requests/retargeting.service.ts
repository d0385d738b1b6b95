import { signedIn, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { ApprovalsRepository } from '../approvals/approvals.repository';
import { MergeRequestJournal } from './merge-request-journal.service';
import type { MergeRequest } from './merge-request.entity';
import { cannotBe, Proposals, requireTip } from './proposals.service';
import { SourceAccess } from '../merge-request-forks/source-access.service';
import { SourceVersions } from '../merge-request-versions/source-versions.service';
import { bringerOf, Versioning } from '../merge-request-versions/versioning.service';

/** Sends changes to another branch of the same project. */
@Injectable()
export class Retargeting {
  constructor(
    private readonly proposals: Proposals,
    private readonly sources: SourceVersions,
    private readonly access: SourceAccess,
    private readonly versioning: Versioning,
    private readonly approvals: ApprovalsRepository,
    private readonly journal: MergeRequestJournal,
  ) {}

  /**
   * What has been merged, or is being merged, stays where it went. The caller saves the merge request. Throws
   * `unprocessable` for a branch that is not there or is the source itself, 409 where another one is open between them,
   * and 403 for whoever would bring a closed one up to date from a fork whose code they may not read.
   */
  async retarget(
    actor: Actor,
    project: Project,
    mergeRequest: MergeRequest,
    targetBranch: string,
  ): Promise<void> {
    const isFixed = mergeRequest.state === 'merged' || mergeRequest.state === 'locked';
    if (isFixed || targetBranch === mergeRequest.targetBranch) return;
    const { sourceBranch } = mergeRequest;
    const source = await this.sources.projectOf(project, mergeRequest);
    if (source?.id === project.id && sourceBranch === targetBranch)
      throw cannotBe("You can't use same project/branch for source and target");
    const tips = await this.sources.tips(project, source, { sourceBranch, targetBranch });
    requireTip(tips.target, 'Target', targetBranch);
    if (source && !mergeRequest.isOpen) await this.access.require(actor, project, source);
    if (source && mergeRequest.isOpen)
      await this.proposals.refuseSecond(source, project, { sourceBranch, targetBranch });
    mergeRequest.targetBranch = targetBranch;
    mergeRequest.forgetMergeStatus();
    await this.endConsent(mergeRequest, signedIn(actor).id);
    const version = await this.sources.newer(project, source, mergeRequest, tips);
    const broughtBy = bringerOf(mergeRequest, signedIn(actor).id);
    if (version) await this.versioning.take(project, mergeRequest, version, broughtBy);
  }
  /** Who approved it, or wanted it merged, has seen what it brought to another branch. */
  private async endConsent(mergeRequest: MergeRequest, actorId: number): Promise<void> {
    await this.approvals.resetAfterPush(mergeRequest.id, mergeRequest.projectId);
    if (!mergeRequest.cancelMergeWish(new Date())) return;
    const body = 'aborted the automatic merge because target branch was changed';
    await this.journal.note(mergeRequest, actorId, 'merge', body);
  }
}
