import { labelPriorityOf } from '../labels/label-conditions';
import type { IssueSorting } from './issue-list';
import type { IssueOrder } from './issue-list.params';

const DUE = '(SELECT due.due_date FROM milestones due WHERE due.id = issue.milestone_id)';
const PRIORITY = labelPriorityOf('Issue', 'issue.id', 'issue.project_id');
const THUMBS = `(SELECT count(*) FROM award_emoji thumb WHERE thumb.issue_id = issue.id AND thumb.name = 'thumbsup')`;

/** What the rows are sorted by, the first thing first. Columns without null need no word about it. */
const SORTED_BY: Readonly<Record<IssueOrder, readonly string[]>> = {
  created_at: ['issue.created_at'],
  updated_at: ['issue.updated_at'],
  due_date: ['issue.due_date'],
  weight: ['issue.weight'],
  label_priority: [PRIORITY],
  milestone_due: [DUE],
  priority: [DUE, PRIORITY],
  popularity: [THUMBS],
  relative_position: [],
};

const NEVER_NULL: readonly IssueOrder[] = ['created_at', 'updated_at', 'popularity'];

/** SQL after ORDER BY, over the rows of `issue`. Ties go to the newer one; nobody has put issues in an order of their own. */
export function orderOf({ orderBy, sort }: IssueSorting): string {
  if (orderBy === 'relative_position') return 'issue.id ASC';
  const direction = sort === 'asc' ? 'ASC' : 'DESC';
  const nulls = NEVER_NULL.includes(orderBy) ? '' : ' NULLS LAST';
  return [...SORTED_BY[orderBy].map((by) => `${by} ${direction}${nulls}`), 'issue.id DESC'].join(', ');
}
