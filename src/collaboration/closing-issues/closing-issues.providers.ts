import { ClosedIssues } from './closed-issues.service';
import { ClosingIssues } from './closing-issues.service';
import { ClosingIssuesRepository } from './closing-issues.repository';
import { ClosingMergeRequestCounts } from './closing-merge-requests.repository';
import { IssueMergeRequests } from './issue-merge-requests.service';

/** Issues that merge requests close, as the collaboration module takes them up. */
export const CLOSING_ISSUES = {
  /** The ports of lower contexts. */
  published: [ClosingMergeRequestCounts],
  providers: [ClosedIssues, ClosingIssues, ClosingIssuesRepository, IssueMergeRequests],
} as const;
