import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { Awards, NO_VOTES, type Votes } from '../noteables/awards';
import { ClosingMergeRequests } from '../noteables/closing-merge-requests';
import { Subscriptions } from '../subscriptions/subscriptions.service';
import type { Issue } from './issue.entity';

export interface IssueFiguresOf {
  votesOf(issue: Issue): Votes;
  mergeRequestsCountOf(issue: Issue): number;
  isSubscribedTo(issue: Issue): boolean;
}

/** What people have made of issues, for records of them: in a constant number of queries. */
@Injectable()
export class IssueFigures {
  constructor(
    private readonly awards: Awards,
    private readonly closing: ClosingMergeRequests,
    private readonly subscriptions: Subscriptions,
  ) {}

  async of(actor: Actor, issues: readonly Issue[]): Promise<IssueFiguresOf> {
    const ids = issues.map(({ id }) => id);
    const votes = await this.awards.votesOf('Issue', ids);
    const counts = await this.closing.countsOf(actor, ids);
    const heard = await this.subscriptions.heardOf(actor, 'Issue', issues);
    return {
      votesOf: ({ id }) => votes.get(id) ?? NO_VOTES,
      mergeRequestsCountOf: ({ id }) => counts.get(id) ?? 0,
      isSubscribedTo: ({ id }) => heard.has(id),
    };
  }
}
