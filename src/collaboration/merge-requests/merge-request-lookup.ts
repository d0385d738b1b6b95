import type { Page, PageRequest } from '#libs/paging';

/** A merge request as the lookup by commit lists it (specification, Merge request summary). */
export interface MergeRequestSummary {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  readonly title: string;
}

/** What others need to know of merge requests. */
export abstract class MergeRequestLookup {
  /** The merge requests that hold a commit. */
  abstract ofCommit(projectId: number, sha: string, page: PageRequest): Promise<Page<MergeRequestSummary>>;

  /** How many open ones are assigned to the user. */
  abstract openAssignedTo(userId: number): Promise<number>;
}
