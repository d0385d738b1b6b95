import type { DetailedPipeline } from '../../ci/ci.api';
import type { DescribedMergeRequest } from './described-merge-request';

/** A merge request by itself: with what takes a look into git, and what depends on who looks. */
export interface MergeRequestDetails extends DescribedMergeRequest {
  readonly isSubscribed: boolean;
  /** Null where there is none, or none for the viewer. */
  readonly headPipeline: DetailedPipeline | null;
  readonly isFirstContribution: boolean;
  readonly canMerge: boolean;
  /** Commits that the target has and the source has not; null where nobody asked. */
  readonly divergedCommitsCount: number | null;
  readonly showsRebase: boolean;
  /** Title and description as HTML. */
  readonly showsHtml: boolean;
}

/** What is told only to who asks for it. */
export interface DetailsWish {
  readonly divergedCommitsCount?: boolean;
  readonly rebaseInProgress?: boolean;
  readonly html?: boolean;
}
