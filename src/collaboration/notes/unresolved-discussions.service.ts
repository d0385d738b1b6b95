import { Injectable } from '@nestjs/common';
import { DiscussionsRepository } from './discussions.repository';

/** Tells merging whether everything is settled. */
@Injectable()
export class UnresolvedDiscussions {
  constructor(private readonly discussions: DiscussionsRepository) {}

  /** How many discussions of the merge request are not resolved yet. */
  count(mergeRequestId: number): Promise<number> {
    return this.discussions.unresolvedOf(mergeRequestId);
  }
}
