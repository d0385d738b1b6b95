import type { IssuableFilter } from '../../planning/planning.api';
import type { MergeRequestViewer } from './readable-merge-requests';

/** Which merge requests a list is of. */
export type SearchPlace =
  | { readonly kind: 'everywhere' }
  /** One whose merge requests the viewer may read. */
  | { readonly kind: 'project'; readonly id: number }
  /** With the groups inside it. */
  | { readonly kind: 'group'; readonly id: number }
  | { readonly kind: 'milestone'; readonly id: number }
  /** Those that bring the commit into the project, or were merged by it. */
  | { readonly kind: 'commit'; readonly projectId: number; readonly sha: string }
  /** Those that close the issue. */
  | { readonly kind: 'closing'; readonly issueId: number }
  /** Those that name the issue, or that it names. */
  | { readonly kind: 'related'; readonly issueId: number };

/** What only merge requests are filtered by; what is left out narrows nothing. */
export interface MergeRequestFilter extends IssuableFilter {
  readonly state?: string | undefined;
  readonly source_branch?: string | undefined;
  readonly target_branch?: string | undefined;
  readonly wip?: 'yes' | 'no' | undefined;
  /** All of them are named as approvers; nobody is, or somebody. */
  readonly approver_ids?: readonly number[] | 'None' | 'Any' | undefined;
}

export interface MergeRequestSearch {
  readonly viewer: MergeRequestViewer | null;
  readonly place: SearchPlace;
  readonly filter: MergeRequestFilter;
  readonly orderBy: 'created_at' | 'updated_at' | 'label_priority';
  readonly sort: 'asc' | 'desc';
}
