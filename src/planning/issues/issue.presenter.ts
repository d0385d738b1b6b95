import { field, presenter, presentOptionalTime, presentTime, type Urls } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import type { IssueEpic } from '../epics/issue-epic';
import { countTasks, taskStatus } from '../issuables/task-list';
import { presentTimeStats, TimeStatsRecord } from '../issuables/time-stats.presenter';
import { presentLabelSummary } from '../labels/label.presenter';
import { MilestoneRecord, presentMilestone } from '../milestones/milestone.presenter';
import type { DescribedIssue } from './described-issue';
import { ISSUE_STATES, type Issue } from './issue.entity';

export const IssueRecord = field.object({
  id: field.int(),
  iid: field.int(),
  project_id: field.int(),
  created_at: field.string(),
  title: field.string(),
  state: field.enum(ISSUE_STATES),
  assignees: field.array(UserSummaryRecord),
  assignee: UserSummaryRecord.nullable(),
  labels: field.array(field.union([field.string(), presentLabelSummary.record])),
  author: UserSummaryRecord.nullable(),
  description: field.string().nullable(),
  updated_at: field.string(),
  closed_at: field.string().nullable(),
  closed_by: UserSummaryRecord.nullable(),
  milestone: MilestoneRecord.nullable(),
  subscribed: field.boolean(),
  user_notes_count: field.int(),
  merge_requests_count: field.int(),
  upvotes: field.int(),
  downvotes: field.int(),
  due_date: field.string().nullable(),
  web_url: field.string(),
  confidential: field.boolean(),
  discussion_locked: field.boolean().nullable(),
  time_stats: TimeStatsRecord,
  task_completion_status: field.object({ count: field.int(), completed_count: field.int() }),
  has_tasks: field.boolean(),
  task_status: field.string().optional(),
  weight: field.int().nullable().optional(),
  epic_iid: field.int().nullable().optional(),
  epic: field
    .object({
      id: field.int(),
      iid: field.int(),
      title: field.string(),
      url: field.string(),
      group_id: field.int(),
    })
    .nullable()
    .optional(),
  moved_to_id: field.int().nullable(),
  _links: field.object({
    self: field.string(),
    notes: field.string(),
    award_emoji: field.string(),
    project: field.string(),
  }),
});

export const issueUrl = (urls: Urls, projectPath: string, { iid }: Pick<Issue, 'iid'>): string =>
  urls.web(`${projectPath}/issues/${iid}`);

function linksOf({ projectId, iid }: Issue, urls: Urls) {
  const project = urls.api(`/projects/${projectId}`);
  const self = `${project}/issues/${iid}`;
  return { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project };
}

const epicOf = ({ id, iid, title, groupId, groupPath }: IssueEpic) => ({
  id,
  iid,
  title,
  url: `/groups/${groupPath}/-/epics/${iid}`,
  group_id: groupId,
});

/** Specification, Issue link; with what the reference tells besides. */
export const presentIssue = presenter(IssueRecord, (described: DescribedIssue, view) => {
  const { issue, labels, milestone, votes } = described;
  const tasks = countTasks(issue.description);
  const assignees = described.assignees.map((user) => presentUserSummary(user, view));
  return {
    id: issue.id,
    iid: issue.iid,
    project_id: issue.projectId,
    created_at: presentTime(issue.createdAt),
    title: issue.title,
    state: issue.state,
    assignees,
    assignee: assignees[0] ?? null,
    labels: described.showsLabelDetails
      ? labels.map((label) => presentLabelSummary(label, view))
      : labels.map(({ title }) => title),
    author: described.author && presentUserSummary(described.author, view),
    description: issue.description,
    updated_at: presentTime(issue.updatedAt),
    closed_at: presentOptionalTime(issue.closedAt),
    closed_by: described.closedBy && presentUserSummary(described.closedBy, view),
    milestone: milestone && presentMilestone(milestone, view),
    subscribed: described.isSubscribed,
    user_notes_count: issue.userNotesCount,
    merge_requests_count: described.mergeRequestsCount,
    upvotes: votes.upvotes,
    downvotes: votes.downvotes,
    due_date: issue.dueDate,
    web_url: issueUrl(view.urls, described.projectPath, issue),
    confidential: issue.confidential,
    discussion_locked: issue.discussionLocked,
    time_stats: presentTimeStats(issue, view),
    task_completion_status: tasks,
    has_tasks: tasks.count > 0,
    ...(tasks.count > 0 && { task_status: taskStatus(tasks) }),
    ...(view.license.has('issue_weights') && { weight: issue.weight }),
    ...(view.license.has('epics') && {
      epic_iid: described.epic?.iid ?? null,
      epic: described.epic && epicOf(described.epic),
    }),
    moved_to_id: issue.movedToId,
    _links: linksOf(issue, view.urls),
  };
});
