import type { UserSummary } from '../../identity/identity.api';
import type { Label, Milestone, Votes } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import type { MergeRequest } from './merge-request.entity';

/** A merge request with all that lists tell of it besides its own columns. */
export interface DescribedMergeRequest {
  readonly mergeRequest: MergeRequest;
  /** The target's. */
  readonly project: Project;
  readonly author: UserSummary | null;
  /** By id. */
  readonly assignees: readonly UserSummary[];
  readonly mergedBy: UserSummary | null;
  readonly closedBy: UserSummary | null;
  /** By title. */
  readonly labels: readonly Label[];
  readonly milestone: Milestone | null;
  readonly votes: Votes;
  /** No open discussion keeps it from being merged. */
  readonly discussionsAllowMerge: boolean;
  /** Whoever merges it may push to its source branch. */
  readonly isLending: boolean;
}

/** A merge request in a list, whole or (`view=simple`) with its own columns alone. */
export type ListedMergeRequest =
  | ({ readonly form: 'basic' } & DescribedMergeRequest)
  | ({ readonly form: 'simple' } & Pick<DescribedMergeRequest, 'mergeRequest' | 'project'>);
