import { field, presenter, type View } from '#libs/presenting';
import { IssueRecord, presentIssue } from '../issues/issue.presenter';
import type { LinkedIssues, RelatedIssue } from './linked-issues';

const RelatedIssueRecord = IssueRecord.extend({ issue_link_id: field.int() });

/** Specification, Issue link: an issue of the list. */
export const presentRelatedIssue = presenter(
  RelatedIssueRecord,
  ({ linkId, issue }: RelatedIssue, view: View) => ({ ...presentIssue(issue, view), issue_link_id: linkId }),
);

const LinkedIssuesRecord = field.object({ source_issue: IssueRecord, target_issue: IssueRecord });

/** What making and removing a relation answer. */
export const presentLinkedIssues = presenter(
  LinkedIssuesRecord,
  ({ source, target }: LinkedIssues, view: View) => ({
    source_issue: presentIssue(source, view),
    target_issue: presentIssue(target, view),
  }),
);
