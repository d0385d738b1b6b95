import { Injectable } from '@nestjs/common';
import { BlockingDiscussions } from './blocking-discussions.repository';
import { LendingMergeRequests } from '../merge-request-forks/lending-merge-requests.repository';
import type { MergeRequest } from './merge-request.entity';

/** What is true of some merge requests by what stands around them, as ids. */
export interface Circumstances {
  /** An open discussion keeps them from being merged. */
  readonly blocked: ReadonlySet<number>;
  /** Whoever merges them may push to their source branch. */
  readonly lending: ReadonlySet<number>;
}

/** Looks around merge requests. */
@Injectable()
export class MergeRequestCircumstances {
  constructor(
    private readonly discussions: BlockingDiscussions,
    private readonly lenders: LendingMergeRequests,
  ) {}

  /** Two queries at most, however many there are; few of them want to lend anything. */
  async of(mergeRequests: readonly MergeRequest[]): Promise<Circumstances> {
    const blocked = await this.discussions.blocked(mergeRequests.map(({ id }) => id));
    const willing = mergeRequests.filter(({ allowCollaboration }) => allowCollaboration);
    return { blocked, lending: await this.lenders.lending(willing.map(({ id }) => id)) };
  }
}
