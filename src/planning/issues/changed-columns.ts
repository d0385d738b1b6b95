import type { Milestone } from '../milestones/milestone.entity';
import { Issue } from './issue.entity';
import type { IssueFields } from './issue.params';

const WORDS = ['title', 'description'] as const;
const OWN = [
  ...WORDS,
  'confidential',
  'discussionLocked',
  'milestoneId',
  'dueDate',
  'weight',
] as const satisfies readonly (keyof Issue)[];

type Columns = Partial<Pick<Issue, (typeof OWN)[number]>>;

/** The columns that the parameters give; `milestone` is undefined where they name none. */
export function columnsOf(
  fields: IssueFields & { readonly title: string | undefined },
  milestone: Milestone | null | undefined,
): Columns {
  const {
    title,
    description,
    confidential,
    discussion_locked: discussionLocked,
    due_date: dueDate,
    weight,
  } = fields;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(confidential !== undefined && { confidential }),
    ...(discussionLocked !== undefined && { discussionLocked }),
    ...(milestone !== undefined && { milestoneId: milestone?.id ?? null }),
    ...(dueDate !== undefined && { dueDate }),
    ...(weight !== undefined && { weight }),
  };
}

/** The issue as the change makes it. */
export function changedIssue(before: Issue, columns: Columns, byId: number, at: Date = new Date()): Issue {
  const after = Object.assign(new Issue(), before, columns, { updatedAt: at, updatedById: byId });
  if (WORDS.some((column) => before[column] !== after[column])) after.lastEditedAt = at;
  return after;
}

export const isOwnChange = (before: Issue, after: Issue): boolean =>
  OWN.some((column) => before[column] !== after[column]);

/** All that a change may have touched, and none of what others count in the row. */
export const columnsToWrite = (issue: Issue) => ({
  title: issue.title,
  description: issue.description,
  confidential: issue.confidential,
  discussionLocked: issue.discussionLocked,
  milestoneId: issue.milestoneId,
  dueDate: issue.dueDate,
  weight: issue.weight,
  updatedAt: issue.updatedAt,
  updatedById: issue.updatedById,
  lastEditedAt: issue.lastEditedAt,
});
