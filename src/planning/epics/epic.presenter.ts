import { field, presenter, presentOptionalTime, presentTime, type Urls, type View } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import type { DescribedEpic } from './described-epic';
import { epicDays } from './epic-days';
import { EPIC_STATES } from './epic.entity';

const day = field.string().nullable();
/** For those alone who may change the epic. */
const managedDay = day.optional();

export const EpicRecord = field.object({
  id: field.int(),
  iid: field.int(),
  group_id: field.int(),
  title: field.string(),
  description: field.string().nullable(),
  author: UserSummaryRecord.nullable(),
  start_date: day,
  start_date_is_fixed: field.boolean().optional(),
  start_date_fixed: managedDay,
  start_date_from_inherited_source: managedDay,
  start_date_from_milestones: managedDay,
  end_date: day,
  due_date: day,
  due_date_is_fixed: field.boolean().optional(),
  due_date_fixed: managedDay,
  due_date_from_inherited_source: managedDay,
  due_date_from_milestones: managedDay,
  state: field.enum(EPIC_STATES),
  web_edit_url: field.string().optional(),
  web_url: field.string(),
  reference: field.string(),
  created_at: field.string(),
  updated_at: field.string(),
  closed_at: field.string().nullable(),
  labels: field.array(field.string()),
  upvotes: field.int(),
  downvotes: field.int(),
});

export const epicUrl = (urls: Urls, groupPath: string, iid: number): string =>
  urls.web(`groups/${groupPath}/-/epics/${iid}`);

export const presentEpic = presenter(EpicRecord, (described: DescribedEpic, view: View) => {
  const { epic, groupPath, author, votes, isManaged } = described;
  const { startDate, dueDate } = epicDays(epic, described.milestoneDays);
  const url = epicUrl(view.urls, groupPath, epic.iid);
  return {
    id: epic.id,
    iid: epic.iid,
    group_id: epic.groupId,
    title: epic.title,
    description: epic.description,
    author: author && presentUserSummary(author, view),
    start_date: startDate,
    ...(isManaged && startFields(described)),
    end_date: dueDate,
    due_date: dueDate,
    ...(isManaged && dueFields(described)),
    state: epic.state,
    ...(isManaged && { web_edit_url: url }),
    web_url: url,
    reference: `&${epic.iid}`,
    created_at: presentTime(epic.createdAt),
    updated_at: presentTime(epic.updatedAt),
    closed_at: presentOptionalTime(epic.closedAt),
    labels: [...described.labels],
    upvotes: votes.upvotes,
    downvotes: votes.downvotes,
  };
});

const startFields = ({ epic, milestoneDays: { startDate } }: DescribedEpic) => ({
  start_date_is_fixed: epic.startDateIsFixed,
  start_date_fixed: epic.startDateFixed,
  start_date_from_inherited_source: startDate,
  start_date_from_milestones: startDate,
});

const dueFields = ({ epic, milestoneDays: { dueDate } }: DescribedEpic) => ({
  due_date_is_fixed: epic.dueDateIsFixed,
  due_date_fixed: epic.dueDateFixed,
  due_date_from_inherited_source: dueDate,
  due_date_from_milestones: dueDate,
});
