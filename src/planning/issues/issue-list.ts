import type { IssueCountParams, IssueListParams, IssueOrder } from './issue-list.params';
import type { IssueViewer } from './readable-issues';

/** Where a list looks: everywhere, in a group and all inside it, or in one project. */
export type ListedPlace =
  | { readonly in: 'everywhere' }
  | { readonly in: 'group'; readonly groupId: number }
  | {
      readonly in: 'project';
      readonly projectId: number;
      /** The viewer reads its confidential issues, too. */
      readonly withConfidential: boolean;
    };

/** Which issues, for whom. All conditions hold together; absent ones do not count. */
export interface IssueSearch {
  readonly viewer: IssueViewer | null;
  readonly place: ListedPlace;
  readonly filter: IssueCountParams & {
    readonly state?: IssueListParams['state'];
    readonly milestoneId?: number;
  };
}

export interface IssueSorting {
  readonly orderBy: IssueOrder;
  readonly sort: 'asc' | 'desc';
}
