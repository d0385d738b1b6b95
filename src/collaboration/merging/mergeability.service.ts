import { notAllowed } from '#libs/errors';
import type { Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { branchRef, Repositories, type Project } from '../../repository/repository.api';
import { BlockingDiscussions } from '../merge-requests/blocking-discussions.repository';
import { MergeRequestApprovals } from '../approvals/merge-request-approvals.service';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeStatuses } from '../merge-requests/merging-ports';
import { HeadPipelines } from './head-pipelines.repository';
import { cannotBeMerged } from './merge-refusals';

/** Whether a merge request is ready to be merged, whoever asks. */
@Injectable()
export class Mergeability {
  constructor(
    private readonly repositories: Repositories,
    private readonly statuses: MergeStatuses,
    private readonly pipelines: HeadPipelines,
    private readonly discussions: BlockingDiscussions,
    private readonly approvals: MergeRequestApprovals,
  ) {}

  /**
   * The commits to join. Throws 405 where it is not open, marked as work in progress or not allowed by one of the
   * project's rules (its pipeline aside, if that is still waited for), and 406 where git cannot join the branches in
   * the way that the project wants.
   */
  async require(
    project: Project,
    mergeRequest: MergeRequest,
    { exceptPipeline = false } = {},
  ): Promise<{ readonly head: Sha; readonly target: Sha }> {
    if (!mergeRequest.isOpen || mergeRequest.isWorkInProgress) throw notAllowed();
    const repository = this.repositories.open(project);
    const target = await repository.ref(branchRef(mergeRequest.targetBranch));
    const head = mergeRequest.sourceBranchDeleted ? null : mergeRequest.headSha;
    if (target === null || head === null || (await repository.isAncestor(head, target))) throw notAllowed();
    if (!exceptPipeline && !(await this.pipelineAllows(project, mergeRequest))) throw notAllowed();
    if (!(await this.peopleAllow(project, mergeRequest))) throw notAllowed();
    if ((await this.statuses.current(project, mergeRequest)) !== 'can_be_merged') throw cannotBeMerged();
    if (project.mergeMethod !== 'merge' && !(await repository.isAncestor(target, head)))
      throw cannotBeMerged();
    return { head, target };
  }

  /** As in the reference, no pipeline, or one that was skipped, is none that has succeeded. */
  private async pipelineAllows(project: Project, mergeRequest: MergeRequest): Promise<boolean> {
    if (!project.onlyAllowMergeIfPipelineSucceeds) return true;
    return (await this.pipelines.of(mergeRequest))?.status === 'success';
  }

  private async peopleAllow(project: Project, mergeRequest: MergeRequest): Promise<boolean> {
    if (!(await this.approvals.isApproved(project, mergeRequest))) return false;
    return !(await this.discussions.blocked([mergeRequest.id])).has(mergeRequest.id);
  }
}
