import { GitLimitError, type GitRepository, type Sha } from '#libs/git';
import { Injectable, Logger } from '@nestjs/common';
import { branchRef, Repositories, type Project } from '../../repository/repository.api';
import type { MergeRequest, MergeStatus } from '../merge-requests/merge-request.entity';
import { MergeStatuses } from '../merge-requests/merging-ports';
import { MergeStatusesRepository } from './merge-statuses.repository';

/** Lets git try the merge, and remembers what came of it for as long as both branches stay where they are. */
@Injectable()
export class TestedMergeStatuses extends MergeStatuses {
  private readonly logger = new Logger(TestedMergeStatuses.name);

  constructor(
    private readonly repositories: Repositories,
    private readonly statuses: MergeStatusesRepository,
  ) {
    super();
  }

  /**
   * Of the newest version and the target's tip. Changes the record that it is given as it changes the row. What is not
   * open keeps the status it had; a merge that git does not finish in time stays unchecked.
   */
  async current(project: Project, mergeRequest: MergeRequest): Promise<MergeStatus> {
    if (!mergeRequest.isOpen) return mergeRequest.mergeStatus;
    const repository = this.repositories.open(project);
    const targetSha = await repository.ref(branchRef(mergeRequest.targetBranch));
    const sourceSha = isSourceGone(mergeRequest) ? null : mergeRequest.headSha;
    const isKnown =
      mergeRequest.mergeStatus !== 'unchecked' &&
      sourceSha !== null &&
      mergeRequest.checkedSourceSha === sourceSha &&
      mergeRequest.checkedTargetSha === targetSha;
    if (isKnown) return mergeRequest.mergeStatus;
    const status = await this.tested(repository, targetSha, sourceSha);
    await this.statuses.keep(mergeRequest, { status, sourceSha, targetSha });
    mergeRequest.mergeStatus = status;
    mergeRequest.checkedSourceSha = sourceSha;
    mergeRequest.checkedTargetSha = targetSha;
    return status;
  }

  private async tested(
    repository: GitRepository,
    target: Sha | null,
    source: Sha | null,
  ): Promise<MergeStatus> {
    if (target === null || source === null) return 'cannot_be_merged';
    try {
      // Nothing to merge cannot be merged either.
      if (await repository.isAncestor(source, target)) return 'cannot_be_merged';
      return (await repository.canMerge(target, source)) ? 'can_be_merged' : 'cannot_be_merged';
    } catch (error) {
      if (!(error instanceof GitLimitError)) throw error;
      this.logger.warn({ err: error }, 'whether two branches can be merged was not found out in time');
      return 'unchecked';
    }
  }
}

const isSourceGone = ({ sourceProjectId, sourceBranchDeleted }: MergeRequest): boolean =>
  sourceProjectId === null || sourceBranchDeleted;
