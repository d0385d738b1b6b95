import { DomainError } from '#libs/errors';
import { JobHandler } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { ActingUsers, ProjectsRepository, type Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { awaitedMerges } from './awaited-merge.queue';
import { HeadPipelines } from './head-pipelines.repository';
import { MergeLocks } from './merge-locks.service';
import { Merging } from './merging.service';

const NOT_ALLOWED = 'You are not allowed to merge this merge request';

/** Merges what somebody wants merged once its pipeline has succeeded, with the rights that they have by then. */
@Injectable()
export class AwaitedMerge extends JobHandler<{ readonly mergeRequestId: number }> {
  readonly queue = awaitedMerges;
  private readonly logger = new Logger(AwaitedMerge.name);

  constructor(
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly projects: ProjectsRepository,
    private readonly pipelines: HeadPipelines,
    private readonly users: ActingUsers,
    private readonly merging: Merging,
    private readonly locks: MergeLocks,
  ) {
    super();
  }

  /** Idempotent: what is merged, or not wished for any more, is left alone. */
  async run({ mergeRequestId }: { readonly mergeRequestId: number }): Promise<void> {
    const mergeRequest = await this.mergeRequests.findById(mergeRequestId);
    if (!mergeRequest?.isOpen || !mergeRequest.mergeWhenPipelineSucceeds) return;
    const project = await this.projects.find(mergeRequest.projectId);
    const pipeline = await this.pipelines.of(mergeRequest);
    if (project && pipeline?.status === 'success') await this.tryMerging(project, mergeRequest);
  }

  private async tryMerging(project: Project, mergeRequest: MergeRequest): Promise<void> {
    const { mergeUserId, headSha: head, mergeCommitMessage, squashCommitMessage } = mergeRequest;
    const actor = mergeUserId === null ? null : await this.users.find(mergeUserId, project);
    if (!actor || head === null) return this.locks.fail(mergeRequest.id, NOT_ALLOWED);
    const { squash, shouldRemoveBranchAfterMerge: removesSourceBranch } = mergeRequest;
    const order = { head, squash, mergeCommitMessage, squashCommitMessage, removesSourceBranch };
    try {
      await this.merging.merge(actor, project, mergeRequest, order);
    } catch (error) {
      await this.refused(mergeRequest, error);
    }
  }

  /** What is not ready yet waits on: for another pipeline, another push, or people. */
  private async refused({ id }: MergeRequest, error: unknown): Promise<void> {
    if (!(error instanceof DomainError) || error.detail.kind === 'unavailable') throw error;
    if (error.detail.kind === 'unauthenticated') await this.locks.fail(id, NOT_ALLOWED);
    this.logger.log({ err: error, mergeRequestId: id }, 'an awaited merge did not come about');
  }
}
