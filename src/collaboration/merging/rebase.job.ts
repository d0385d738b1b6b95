import { DomainError } from '#libs/errors';
import { MergeConflictError } from '#libs/git';
import { JobHandler, type JobRun } from '#libs/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { ProjectsRepository } from '../../repository/repository.api';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';
import { rebases, type RebaseJob } from './rebase.queue';
import { Rebases } from './rebases.service';
import { SourceRebasing } from './source-rebasing.service';

const FAILED = 'Rebase failed. Please rebase locally';

/** Does the rebases that were asked for. Idempotent: what is rebased already is left as it is. */
@Injectable()
export class RebaseSource extends JobHandler<RebaseJob> {
  readonly queue = rebases;
  private readonly logger = new Logger(RebaseSource.name);

  constructor(
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly projects: ProjectsRepository,
    private readonly rebasing: SourceRebasing,
    private readonly asked: Rebases,
  ) {
    super();
  }

  async run({ mergeRequestId, userId }: RebaseJob, { isLastAttempt }: JobRun): Promise<void> {
    const mergeRequest = await this.mergeRequests.findById(mergeRequestId);
    const project = mergeRequest && (await this.projects.find(mergeRequest.projectId));
    if (!project || mergeRequest.rebaseInProgressSince === null) return;
    try {
      if (mergeRequest.isOpen) await this.rebasing.rebase(project, mergeRequest, userId);
      await this.asked.end(mergeRequestId, null);
    } catch (error) {
      const isFinal = error instanceof DomainError || error instanceof MergeConflictError;
      if (isFinal || isLastAttempt) await this.asked.end(mergeRequestId, FAILED);
      if (!isFinal) throw error;
      this.logger.log({ err: error, mergeRequestId }, 'a rebase came to nothing');
    }
  }
}
