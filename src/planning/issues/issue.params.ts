import { atLeastOneOf, params, wire, type ParamsOf } from '#libs/http';

/** The next ones come after it: there must be numbers left for them, of the 2^31 that the column holds. */
const LARGEST_GIVEN_IID = 1_000_000_000;
const MOST_ASSIGNEES = 100;
const MOST_LABELS = 1_000;

export const IssuePath = params({ issue_iid: wire.integer() });

const IssueFields = params({
  description: wire.text().nullable().optional(),
  assignee_ids: wire.integers({ max: MOST_ASSIGNEES }).nullable().optional(),
  assignee_id: wire.integer().nullable().optional().describe('Deprecated: assignee_ids'),
  milestone_id: wire.integer().nullable().optional(),
  labels: wire.commaSeparated({ max: MOST_LABELS }).nullable().optional(),
  due_date: wire.date().nullable().optional(),
  confidential: wire.boolean().optional(),
  discussion_locked: wire.boolean().nullable().optional(),
  weight: wire.integer().nullable().optional().describe('Starter'),
  epic_id: wire.integer().nullable().optional().describe('Ultimate'),
  epic_iid: wire.integer().nullable().optional().describe('Ultimate; deprecated: epic_id'),
});

export const CreateIssue = IssueFields.extend({
  title: wire.text(),
  iid: wire.integer({ min: 1, max: LARGEST_GIVEN_IID }).optional().describe('Administrators and owners'),
  created_at: wire.dateTime().optional().describe('Administrators and owners'),
  merge_request_to_resolve_discussions_of: wire.integer().optional(),
  discussion_to_resolve: wire.text().optional(),
});

export const UpdateIssue = IssueFields.extend(
  {
    issue_iid: wire.integer(),
    title: wire.text().optional(),
    updated_at: wire.dateTime().optional().describe('Administrators and owners'),
    state_event: wire.oneOf(['reopen', 'close']).optional(),
  },
  atLeastOneOf(
    'assignee_id',
    'assignee_ids',
    'confidential',
    'created_at',
    'description',
    'discussion_locked',
    'due_date',
    'labels',
    'milestone_id',
    'state_event',
    'title',
    'weight',
    'epic_id',
    'epic_iid',
  ),
);

export const MoveIssue = IssuePath.extend({ to_project_id: wire.integer() });
export const TimeIssue = IssuePath.extend({ duration: wire.text() });

export type IssueFields = ParamsOf<typeof IssueFields>;
export type CreateIssue = ParamsOf<typeof CreateIssue>;
export type UpdateIssue = ParamsOf<typeof UpdateIssue>;
