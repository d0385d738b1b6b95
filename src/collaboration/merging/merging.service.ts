import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { BranchMerging } from './branch-merging.service';
import type { MergeOrder } from './merge-order';
import { SourceBranchRemoval } from './source-branch-removal.service';

/** Merges merge requests. */
@Injectable()
export class Merging {
  constructor(
    private readonly merging: BranchMerging,
    private readonly removal: SourceBranchRemoval,
  ) {}

  /** As BranchMerging; afterwards the source branch goes, where that is wanted and allowed. */
  async merge(
    actor: Actor,
    project: Project,
    mergeRequest: Pick<MergeRequest, 'id' | 'targetBranch'>,
    order: MergeOrder,
  ): Promise<MergeRequest> {
    const merged = await this.merging.merge(actor, project, mergeRequest, order);
    if (order.removesSourceBranch) await this.removal.remove(project, merged);
    return merged;
  }
}
