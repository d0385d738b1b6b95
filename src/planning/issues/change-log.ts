import type { ChangedValue } from './issue-changed.event';
import type { Issue } from './issue.entity';

/** The columns whose change hooks are told of, as they call them. */
const TOLD = {
  title: 'title',
  description: 'description',
  state: 'state',
  confidential: 'confidential',
  discussion_locked: 'discussionLocked',
  milestone_id: 'milestoneId',
  due_date: 'dueDate',
  weight: 'weight',
  time_estimate: 'timeEstimate',
  total_time_spent: 'totalTimeSpent',
  closed_at: 'closedAt',
  moved_to_id: 'movedToId',
  last_edited_at: 'lastEditedAt',
  updated_by_id: 'updatedById',
  updated_at: 'updatedAt',
} as const satisfies Record<string, keyof Issue>;

/** What has changed of the columns, as plain JSON. */
export function columnChanges(before: Issue, after: Issue): Record<string, ChangedValue> {
  const pairs = Object.entries(TOLD).map(([name, column]): [string, ChangedValue] => [
    name,
    { previous: plain(before[column]), current: plain(after[column]) },
  ]);
  return Object.fromEntries(pairs.filter(([, { previous, current }]) => previous !== current));
}

const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);
