import { field, presenter, type View } from '#libs/presenting';
import { IssueRecord, presentIssue } from '../issues/issue.presenter';
import type { DescribedEpicIssue, DescribedEpicLink } from './described-epic-issue';
import { EpicRecord, presentEpic } from './epic.presenter';

const EpicIssueRecord = IssueRecord.extend({
  epic_issue_id: field.int(),
  relative_position: field.int(),
});

/** An issue of an epic's list. */
export const presentEpicIssue = presenter(
  EpicIssueRecord,
  ({ issue, link }: DescribedEpicIssue, view: View) => ({
    ...presentIssue(issue, view),
    epic_issue_id: link.id,
    relative_position: link.relativePosition,
  }),
);

const EpicLinkRecord = field.object({
  id: field.int(),
  relative_position: field.int(),
  epic: EpicRecord,
  issue: IssueRecord,
});

/** What putting an issue into an epic, and taking it out, answer. */
export const presentEpicLink = presenter(
  EpicLinkRecord,
  ({ epic, issue, link }: DescribedEpicLink, view: View) => ({
    id: link.id,
    relative_position: link.relativePosition,
    epic: presentEpic(epic, view),
    issue: presentIssue(issue, view),
  }),
);
