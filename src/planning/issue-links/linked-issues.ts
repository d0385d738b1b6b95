import type { DescribedIssue } from '../issues/described-issue';

/** An issue as the other end of a relation. */
export interface RelatedIssue {
  readonly linkId: number;
  readonly issue: DescribedIssue;
}

/** Both ends of a relation. */
export interface LinkedIssues {
  readonly source: DescribedIssue;
  readonly target: DescribedIssue;
}
