import { field, presenter, presentTime, type Urls } from '#libs/presenting';
import type { Milestone } from './milestone.entity';
import { MILESTONE_STATES } from './milestone.entity';

export const MilestoneRecord = field.object({
  id: field.int(),
  iid: field.int(),
  project_id: field.int().optional(),
  group_id: field.int().optional(),
  title: field.string(),
  description: field.string().nullable(),
  due_date: field.string().nullable(),
  start_date: field.string().nullable(),
  state: field.enum(MILESTONE_STATES),
  updated_at: field.string(),
  created_at: field.string(),
  web_url: field.string(),
});

const webUrl = ({ projectId, fullPath, iid }: Milestone, urls: Urls): string =>
  urls.web(projectId === null ? `groups/${fullPath}/-/milestones/${iid}` : `${fullPath}/milestones/${iid}`);

/** Specification, Milestone. A group's has the group's id in the place of the project's. */
export const presentMilestone = presenter(MilestoneRecord, (milestone: Milestone, { urls }) => ({
  id: milestone.id,
  iid: milestone.iid,
  ...(milestone.projectId !== null && { project_id: milestone.projectId }),
  ...(milestone.groupId !== null && { group_id: milestone.groupId }),
  title: milestone.title,
  description: milestone.description,
  due_date: milestone.dueDate,
  start_date: milestone.startDate,
  state: milestone.state,
  updated_at: presentTime(milestone.updatedAt),
  created_at: presentTime(milestone.createdAt),
  web_url: webUrl(milestone, urls),
}));
