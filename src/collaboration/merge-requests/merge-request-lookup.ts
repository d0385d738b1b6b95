import type { Page, PageRequest } from '#libs/paging';

/** A merge request as the lookup by commit lists it (specification, Merge request summary). */
export interface MergeRequestSummary {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  readonly title: string;
}

/** Finds the merge requests that hold a commit. */
export abstract class MergeRequestLookup {
  abstract ofCommit(projectId: number, sha: string, page: PageRequest): Promise<Page<MergeRequestSummary>>;
}
