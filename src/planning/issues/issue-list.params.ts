import { wire, type ParamsOf } from '#libs/http';
import { IssuableFilter } from '../issuables/issuable-filter.params';

/** Also how many issues there are of each state. */
export const CountIssues = IssuableFilter.extend({
  confidential: wire.boolean().optional(),
  weight: wire.integerNoneAny().optional().describe('Starter'),
});

const ORDERS = [
  'created_at',
  'updated_at',
  'priority',
  'due_date',
  'relative_position',
  'label_priority',
  'milestone_due',
  'popularity',
  'weight',
] as const;

export const ListIssues = CountIssues.extend({
  state: wire.oneOf(['opened', 'closed', 'all']).default('all'),
  with_labels_details: wire.boolean().default(false),
  order_by: wire.oneOf(ORDERS).default('created_at'),
  sort: wire.oneOf(['asc', 'desc']).default('desc'),
});

export type IssueCountParams = ParamsOf<typeof CountIssues>;
export type IssueListParams = ParamsOf<typeof ListIssues>;
export type IssueOrder = IssueListParams['order_by'];
